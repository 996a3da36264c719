"""Words of a text: rouge-score's Latin tokenizer, and one for every script."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

import regex

Tokenizer = Literal["latin", "unicode", "space"]

# After lower-casing, rouge-score keeps [a-z0-9] and takes the rest for space. Zero stays, for
# whoever joins texts with it.
_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789\x00"
_LATIN = bytes(code if code in _KEPT else 32 for code in bytes(range(256)).lower())
# The only two signs beyond ASCII whose lower case holds an ASCII letter: dotted I and Kelvin.
LOWERED_TO_ASCII = ("\u0130", "\u212a")

# Scripts that are written without spaces, and pictures, are taken sign by sign: a whole
# sentence as one token would match only itself. Marks (\p{M}) belong to their letter.
_SIGN = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|\p{Emoji_Presentation}|\p{Extended_Pictographic}"
)
_WORD = rf"(?:(?!{_SIGN})[\p{{L}}\p{{M}}\p{{N}}])+"
_UNICODE = regex.compile(f"{_SIGN}|{_WORD}")


def latin_bytes(text: str) -> bytes:
    """Return a text lower-cased, with a space for each sign that is no Latin letter or digit."""
    if any(sign in text for sign in LOWERED_TO_ASCII):
        text = text.lower()
    # On bytes, this is many times faster than a pattern; "?" stands for whatever is not ASCII.
    return text.encode("ascii", "replace").translate(_LATIN)


def latin_tokens(text: str) -> list[str]:
    """Return the tokens of rouge-score's default tokenizer, unstemmed."""
    return latin_bytes(text.replace("\x00", " ")).decode("ascii").split()


def unicode_tokens(text: str) -> list[str]:
    """Return lower-case words of any script; unspaced scripts and emoji sign by sign."""
    return list(_UNICODE.findall(unicodedata.normalize("NFC", text).lower()))


def space_tokens(text: str) -> list[str]:
    """Return what stands between spaces, as it is."""
    return text.split()


TOKENIZERS: Mapping[str, Callable[[str], list[str]]] = {
    "latin": latin_tokens,
    "unicode": unicode_tokens,
    "space": space_tokens,
}


@cache
def _stemmer() -> Any:  # noqa: ANN401 -- nltk has no types
    from nltk.stem.porter import PorterStemmer  # noqa: PLC0415 -- nltk takes seconds to load

    return PorterStemmer()


class _Stems(dict[str, str]):
    """Stems by word: a corpus repeats its words, and a stem costs far more than a look-up."""

    LIMIT = 200_000

    def __missing__(self, word: str) -> str:
        if len(self) >= self.LIMIT:
            self.clear()
        # rouge-score leaves words of up to three letters as they are.
        long_latin = len(word) > 3 and word.isascii()
        stem = self[word] = str(_stemmer().stem(word)) if long_latin else word
        return stem


_STEMS = _Stems()


def stemmed(tokens: list[str]) -> list[str]:
    """Return the tokens with those of more than three Latin letters cut to their Porter stem."""
    return [_STEMS[token] for token in tokens]


def tokenize(text: str, tokenizer: str, *, stem: bool = False) -> list[str]:
    """Return the tokens of a text.

    Raises
    ------
    ValueError
        Where no tokenizer has that name.
    """
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"no tokenizer {tokenizer!r}; there are {', '.join(TOKENIZERS)}")
    tokens = TOKENIZERS[tokenizer](text)
    return stemmed(tokens) if stem else tokens


@lru_cache(maxsize=4096)
def kept_tokens(text: str, tokenizer: str, stem: bool = False) -> tuple[str, ...]:  # noqa: FBT001, FBT002 -- a cache key
    """Return the tokens of a text that many metrics look at."""
    return tuple(tokenize(text, tokenizer, stem=stem))


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all runs of n tokens, in order."""
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))
