"""What a judge chose among outputs that bear letters, and which ranks it gives them."""

import re
from typing import NamedTuple

LETTERS = "ABCDE"
# What was chosen of two outputs as they were shown: neither, the first, the second.
TIED, FIRST, SECOND = 0.0, 1.0, 2.0
_BOTH_ORDERS = {(FIRST, SECOND): "A>B", (SECOND, FIRST): "B>A", (TIED, TIED): "A=B"}
_CODE = re.compile(rf"([{LETTERS}])([>=])([{LETTERS}])")


class Chosen(NamedTuple):
    """The positions (from 0) of the best and the worst output; equal where a tie was chosen."""

    best: int
    worst: int
    is_tie: bool = False

    def ranks(self, n_members: int) -> tuple[int, ...]:
        """Return the rank of each output, 1 for the best; equal ranks were not told apart."""
        if self.is_tie:
            return (1,) * n_members
        between = 2 if n_members > 2 else 1
        last = between + 1
        return tuple(
            1 if at == self.best else last if at == self.worst else between
            for at in range(n_members)
        )


def read_choice(code: str, *, n_members: int) -> Chosen:
    """Read a choice: ``A>B``, best before worst, or ``A=B``, a tie of two.

    Raises
    ------
    ValueError
        It is written otherwise, names an output that is not shown, or one output twice.
    """
    found = _CODE.fullmatch(code)
    if found is None:
        raise ValueError(f"A choice is written A>B, the best before the worst, not {code!r:.40}.")
    best, sign, worst = found.groups()
    if max(best, worst) > LETTERS[n_members - 1]:
        raise ValueError(f"Only A to {LETTERS[n_members - 1]} are shown, so not {code}.")
    if best == worst:
        raise ValueError(f"{best} cannot be both the best and the worst.")
    if sign == "=" and n_members > 2:
        raise ValueError(f"Say which of A to {LETTERS[n_members - 1]} is best and which worst.")
    return Chosen(LETTERS.index(best), LETTERS.index(worst), is_tie=sign == "=")


def choice_of_both_orders(shown: float, swapped: float) -> str | None:
    """Return what two answers about a pair agree on, in its letters; None where they do not.

    ``shown`` was given with the pair in its own order, ``swapped`` with the positions exchanged;
    each is ``TIED``, ``FIRST`` or ``SECOND`` as that answer saw the outputs. Whoever chooses the
    first place both times has chosen a place, not an output (Zheng et al. 2023).
    """
    return _BOTH_ORDERS.get((shown, swapped))
