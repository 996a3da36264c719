"""Neutral names for systems, so that who reads a result does not know whose it is."""

import hashlib
from collections.abc import Collection
from string import ascii_uppercase


def neutral_names(keys: Collection[str], secret: str) -> dict[str, str]:
    """Return for each key ``System A``, ``System B``, ... in an order that tells nothing.

    Parameters
    ----------
    keys : collection of str
        The systems' own names.
    secret : str
        What the order rests on: without it, it cannot be found from the names. The same names
        and the same secret give the same order.
    """

    def place(key: str) -> bytes:
        return hashlib.sha256(f"{secret}\x1f{key}".encode()).digest()

    return {key: f"System {_letters(number)}" for number, key in enumerate(sorted(keys, key=place))}


def _letters(number: int) -> str:
    """Return A to Z, then AA, AB, and so on."""
    first, last = divmod(number, len(ascii_uppercase))
    return (_letters(first - 1) if first else "") + ascii_uppercase[last]
