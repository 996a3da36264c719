"""Which encoding bytes are in that are no UTF-8: judged by how the letters stand together.

In the wrong encoding words hold signs, letters of two scripts, or capitals in their middle. A
guess remains a guess: it is said, shown and can be changed.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise

from charset_normalizer import from_bytes

from annotation.importing.alphabets import COMMON, east_asian_encoding, latin_encoding
from annotation.importing.findings import UnreadableFile

# Lead bytes of the commoner half of the Chinese signs, which running text hardly leaves.
COMMON_LEADS = {"gb18030": range(0xB0, 0xD8), "big5": range(0xA4, 0xC7)}
MOSTLY = 0.7
FEWEST_KANA = 0.15
# In the order of how often files come in them; the first of equals is taken.
SINGLE_BYTE = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "koi8_u",
    "mac_roman", "cp1257", "iso8859_15", "cp874", "cp850", "cp866", "iso8859_5",
)  # fmt: skip
# Letters that are rare in the first encoding's languages, beside letters that those do not use:
# Turkish, Czech and Hungarian read as Western European.
TELLING = (
    ("cp1254", "ýþðÝÞÐ", "çüÇÜ"),
    ("cp1250", "ø", "èìùýšž"),
    ("cp1250", "õ", "öÖ"),
)
# A third of the letters of these scripts are vowels; less is another script read wrongly.
VOWELS = {
    "CYRILLIC": frozenset("аеиоуыэюяёіїєАЕИОУЫЭЮЯЁІЇЄ"),
    "GREEK": frozenset("αεηιουωάέήίόύώϊϋΑΕΗΙΟΥΩ"),
}
FEWEST_VOWELS = 0.33
# A quarter of the letters of these scripts are such; hardly one is, where Hebrew is misread.
CONSONANTS = {"CYRILLIC": frozenset("нтсрлНТСРЛ"), "GREEK": frozenset("νστρλπςΝΣΤΡΛΠ")}
FEWEST_CONSONANTS = 0.12
# Hardly a word has four Latin letters with accents in a row (Polish has three, as in żółty); Greek
# and Hebrew misread do.
ACCENTED_RUN = re.compile(r"[\u00c0-\u024f]{4,}")
# Thai: vowels and tones above and below stand on a consonant, vowels before it in front of one.
MISPLACED_THAI = re.compile(
    "(^|[^\u0e01-\u0e2e\u0e31-\u0e3a\u0e47-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
    "|[\u0e40-\u0e44](?![\u0e01-\u0e2e])|[\u0e31\u0e34-\u0e39]{2}"
)
FEWEST_COMMON = 0.2
DEAR, CHEAP = 1.0, 0.1
ENOUGH, MOST = 200, 1 << 16  # lines, bytes


def likeliest_encoding(sample: bytes) -> str:
    """Return the codec in which a sample of a file reads best.

    Raises
    ------
    UnreadableFile
        If no encoding fits the bytes.
    """
    sample = _foreign_lines(sample)
    if found := latin_encoding(partial(_decoded, sample), _oddity_as_latin):
        return found
    western = _decoded(sample, "cp1252")
    if western is not None and _reads_as_western(western):
        return _told_apart(western)
    if found := _east_asian(sample):
        return found
    costs = {
        codec: _cost(text) for codec in SINGLE_BYTE if (text := _decoded(sample, codec)) is not None
    }
    codec = min(costs, key=costs.__getitem__, default="")
    if western is not None and codec == "cp1252":
        return _told_apart(western)
    if codec and costs[codec] < DEAR * sum(byte > 0x7F for byte in sample):
        return codec
    best = from_bytes(sample).best()
    if best is None:
        raise UnreadableFile("bad_encoding", "No encoding fits the bytes of this file.")
    return best.encoding


def _foreign_lines(sample: bytes) -> bytes:
    """Return the first lines that tell something."""
    lines = (line for line in sample.splitlines(keepends=True) if not line.isascii())
    return b"".join(islice(lines, ENOUGH))[:MOST]


def _east_asian(sample: bytes) -> str:
    """Return the encoding in which a sample reads as Japanese, Korean or Chinese, or nothing."""
    apart = {codec: _foreign(sample, codec) for codec in COMMON if _stands_apart(sample, codec)}
    if not apart:
        return ""
    if found := east_asian_encoding(apart.items()):
        return found
    for codec in ("cp932", "euc_jp"):
        letters = _foreign(sample, codec)
        kana = sum("\u3041" <= letter <= "\u30fe" for letter in letters)
        if letters and kana >= FEWEST_KANA * len(letters) and _are_east_asian(letters):
            return codec
    letters = _foreign(sample, "cp949")
    if letters and sum("\uac00" <= letter <= "\ud7a3" for letter in letters) > 0.9 * len(letters):
        return "cp949"
    shares = {codec: _share_of_common(sample, codec) for codec in COMMON_LEADS}
    codec = max(shares, key=shares.__getitem__)
    if shares[codec] < MOSTLY:
        return ""
    letters = _foreign(sample, codec)
    n_common = sum(letter in COMMON[codec] for letter in letters)
    return "cp874" if n_common < FEWEST_COMMON * len(letters) and _is_thai(sample) else codec


def _is_thai(sample: bytes) -> bool:
    text = _decoded(sample, "cp874")
    return bool(text) and not MISPLACED_THAI.search(text or "")


def _stands_apart(sample: bytes, codec: str) -> bool:
    """Whether few letters of other scripts touch Latin ones, as those of misread accents do."""
    text = _decoded(sample, codec) or ""
    n_foreign = sum(letter > "\x7f" and letter.isalpha() for letter in text)
    n_touching = len(re.findall(r"[a-zA-Z][^\W\d_a-zA-Z]|[^\W\d_a-zA-Z][a-zA-Z]", text))
    return n_foreign > 0 and n_touching <= 0.5 * n_foreign


def _oddity_as_latin(text: str) -> float:
    """Return 0 where accents stand among plain letters, and no sign within words."""
    accented = re.findall(r"[^\W\d_a-zA-Z]+", text)
    if not accented or any(len(run) >= 4 for run in accented):
        return DEAR
    return _cost(text) if sum(map(len, accented)) <= 0.4 * len(text) else DEAR


def _foreign(sample: bytes, codec: str) -> str:
    """Return the letters beyond ASCII, without those that only stand between words."""
    text = _decoded(sample, codec) or ""
    return "".join(letter for letter in text if letter > "\x7f" and letter.isalpha())


def _are_east_asian(letters: str) -> bool:
    """Whether nearly all letters are kana or Chinese signs, each as wide as the others."""
    n = sum("\u3041" <= letter <= "\u9fff" for letter in letters)
    return n >= 0.95 * len(letters)


def _share_of_common(sample: bytes, codec: str) -> float:
    letters = _foreign(sample, codec)
    if not letters or not _are_east_asian(letters):
        return 0.0
    leads = (letter.encode(codec) for letter in letters)
    common = COMMON_LEADS[codec]
    return sum(lead[0] in common and len(lead) == 2 for lead in leads) / len(letters)


def _told_apart(western: str) -> str:
    """Return the codec of a text that reads well as Western European."""
    return next((codec for codec, rare, other in TELLING if _holds(western, rare, other)), "cp1252")


def _decoded(sample: bytes, codec: str) -> str | None:
    try:
        return sample.decode(codec)
    except UnicodeDecodeError:
        return None


def _reads_as_western(text: str) -> bool:
    """Whether the letters look like Western words: accents stand alone among plain letters."""
    accented = re.findall(r"[^\W\d_a-zA-Z]+", text)
    return (
        all(len(run) < 3 for run in accented)
        and sum(map(len, accented)) <= 0.3 * len(text)
        and _cost(text) < DEAR
    )


def _holds(text: str, rare: str, other: str) -> bool:
    return any(letter in text for letter in rare) and any(letter in text for letter in other)


def _cost(text: str) -> float:
    """Return how oddly the letters stand together; 0 where nothing is odd."""
    foreign = [letter for letter in text if letter > "\x7f"]
    cost = DEAR * sum(unicodedata.category(letter) in {"Cc", "Co"} for letter in foreign)
    cost += sum(_oddities(text)) + CHEAP * sum(map(len, ACCENTED_RUN.findall(text)))
    for script, vowels in VOWELS.items():
        letters = [letter for letter in foreign if _script(letter) == script]
        for common, fewest in ((vowels, FEWEST_VOWELS), (CONSONANTS[script], FEWEST_CONSONANTS)):
            if sum(letter in common for letter in letters) < fewest * len(letters):
                cost += CHEAP * len(letters)
    return cost


def _oddities(text: str) -> Iterator[float]:
    for before, letter in pairwise(text):
        if before < "\x80" and letter < "\x80":
            continue
        ends_word = before.isalpha() and (_is_sign(letter) or letter in "¿¡")
        if before.isalpha() and letter.isalpha():
            yield _within_word(before, letter)
        elif ends_word or (letter.isalpha() and _is_sign(before)):
            yield DEAR


def _within_word(before: str, letter: str) -> float:
    if _script(before) != _script(letter) or (before.islower() and letter.isupper()):
        return DEAR
    return CHEAP if letter.isupper() else 0.0


def _is_sign(letter: str) -> bool:
    """Whether a character does not belong in or beside a word: a currency, a fraction, an ª."""
    return letter > "\x7f" and (unicodedata.category(letter)[0] in "SNC" or letter in "ªº§¶")


def _script(letter: str) -> str:
    """Return the script of a letter, which is the first word of its name."""
    return unicodedata.name(letter, "").partition(" ")[0]
