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
PARTING = b" .-"
# As many digits as `GROUPS_OF_DIGITS` asks for, every digit a 0 and every parting sign a space.
GROUP = b"0 0000"
DIGITS_ALIKE = bytes.maketrans(b"0123456789" + PARTING, b"0" * 10 + b" " * len(PARTING))
ASCII = bytes(range(128))
ANY_DIGIT = re.compile(r"\d")


def suspects(texts: Sequence[str]) -> frozenset[int]:
    """Return the places of the texts in which `ANY_SIGN` or `GROUPS_OF_DIGITS` finds anything.

    Parameters
    ----------
    texts : sequence of str
        No text need be valid; one with half a surrogate pair is among the suspects.
    """
    together = "\n".join(texts)
    try:
        joined = together.encode()
    except UnicodeEncodeError:
        return _one_by_one(texts)
    signs: tuple[bytes, ...] = SIGNS
    if not together.isascii():
        if ANY_DIGIT.search(joined.translate(None, ASCII).decode()):
            return _one_by_one(texts)
        signs += FOREIGN_SIGNS
    places = [at for sign in signs for at in _places(joined, sign)]
    places += _places(joined.translate(DIGITS_ALIKE), GROUP)
    if not places:
        return frozenset()
    ends = np.cumsum([len(text.encode()) + 1 for text in texts])
    return frozenset(np.searchsorted(ends, places, side="right").tolist())


def _places(joined: bytes, sign: bytes) -> Iterator[int]:
    at = joined.find(sign)
    while at >= 0:
        yield at
        at = joined.find(sign, at + 1)


def _one_by_one(texts: Sequence[str]) -> frozenset[int]:
    return frozenset(
        at
        for at, text in enumerate(texts)
        if ANY_SIGN.search(text) or GROUPS_OF_DIGITS.search(text)
    )
