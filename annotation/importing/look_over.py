"""Many texts looked over at once: which of them hold anything that is worth a close look.

Patterns are dear, a few hundred nanoseconds a text even where they find nothing. Here all texts of
a batch stand in one line of bytes, which is looked through once for each sign.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from annotation.importing.suspicions import ANY_SIGN, GROUPS_OF_DIGITS

# The signs of `ANY_SIGN` but for halves of surrogate pairs, which cannot be encoded.
SIGNS = (b"\0", b"\x1b", b"<", b"[", b"&", b"@")
FOREIGN_SIGNS = ("\u2581".encode(), "\u0120".encode(), "\ufffd".encode())
PARTING = np.isin(np.arange(256), list(b" .-"))
ASCII = bytes(range(128))
ANY_DIGIT = re.compile(r"\d")


def suspects(texts: Sequence[str]) -> frozenset[int]:
    """Return the places of the texts in which `ANY_SIGN` or `GROUPS_OF_DIGITS` finds anything.

    Parameters
    ----------
    texts : sequence of str
        No text need be valid; one with half a surrogate pair is among the suspects.
    """
    try:
        joined = "\n".join(texts).encode()
    except UnicodeEncodeError:
        return _one_by_one(texts)
    places = odd_places(joined)
    if places is None:
        return _one_by_one(texts)
    if not places:
        return frozenset()
    ends = np.cumsum([len(text.encode()) + 1 for text in texts])
    return frozenset(np.searchsorted(ends, places, side="right").tolist())


def odd_places(joined: bytes) -> list[int] | None:
    """Return where in texts in UTF-8 the two patterns may find anything; None if anywhere."""
    signs: tuple[bytes, ...] = SIGNS
    if not joined.isascii():
        if ANY_DIGIT.search(joined.translate(None, ASCII).decode()):
            return None
        signs += FOREIGN_SIGNS
    return [at for sign in signs for at in _places(joined, sign)] + _groups_of_digits(joined)


def _places(joined: bytes, sign: bytes) -> Iterator[int]:
    at = joined.find(sign)
    while at >= 0:
        yield at
        at = joined.find(sign, at + 1)


def _groups_of_digits(joined: bytes) -> list[int]:
    """Return where a digit, a parting sign and four digits begin, as in `GROUPS_OF_DIGITS`."""
    signs = np.frombuffer(joined, np.uint8)
    at = np.flatnonzero(signs - ord("0") < 10)  # below the 0 they wrap around
    first, last = at[:-4], at[4:]
    first = first[(last - first == 5) & (at[1:-3] - first == 2)]
    places: list[int] = first[PARTING[signs[first + 1]]].tolist()
    return places


def _one_by_one(texts: Sequence[str]) -> frozenset[int]:
    return frozenset(
        at
        for at, text in enumerate(texts)
        if ANY_SIGN.search(text) or GROUPS_OF_DIGITS.search(text)
    )
