"""What a judge chose among outputs that bear letters, and which ranks it gives them."""

import re
from itertools import permutations
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


def answers_of_set(n_members: int) -> tuple[tuple[float, str], ...]:
    """Return every answer about a set as a number and in letters: 13 is ``A>C``."""
    places = permutations(range(n_members), 2)
    return tuple(
        (float(10 * (best + 1) + worst + 1), f"{LETTERS[best]}>{LETTERS[worst]}")
        for best, worst in places
    )


def chosen_of_set(answer: float) -> Chosen:
    """Return the positions that an answer of `answers_of_set` names as best and worst."""
    best, worst = divmod(int(answer), 10)
    return Chosen(best - 1, worst - 1)


def turned_round(answer: float, *, n_members: int) -> Chosen:
    """Return the same, in the set's own order, of an answer to the set from its end."""
    best, worst, _ = chosen_of_set(answer)
    return Chosen(n_members - 1 - best, n_members - 1 - worst)


def best_worst_of_both_orders(shown: float, swapped: float, *, n_members: int) -> str | None:
    """Return the choice of two answers about a set, in its letters; None where they do not agree.

    ``shown`` was given with the set in its own order, ``swapped`` with it from its end. Both must
    name the same best and the same worst output: half a choice would be no ranks of all members.
    """
    choice = chosen_of_set(shown)
    if choice != turned_round(swapped, n_members=n_members):
        return None
    return f"{LETTERS[choice.best]}>{LETTERS[choice.worst]}"
