"""Rankings of systems as files write them, and the choices among outputs that they come to."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from annotation.design.choices import LETTERS
from annotation.importing.values import is_missing, number

# A system and its rank, 1 for the best; equal ranks are a tie.
Ranked = list[tuple[str, float]]
MOST_IN_SET = len(LETTERS)


def read_ranking(cell: object) -> Ranked:
    """Return the systems of a ranking with their ranks, in the order in which they stand.

    Parameters
    ----------
    cell : object
        A list of systems, the best first, where an inner list holds those that are tied; ranks by
        system (``{"bart": 2, "t5": 1}``, or a list of objects with ``system`` and ``rank``); or a
        text: one of these in JSON, or a chain such as ``t5 > bart = pegasus``. A system without a
        rank is left out.

    Raises
    ------
    ValueError
        It says fewer than two systems, one of them twice, or ranks that do not count from 1.
    """
    ranked = _ranked(_parsed(cell) if isinstance(cell, str) else cell)
    names = [system for system, _ in ranked]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"{twice} stands twice in the ranking.")
    if len(ranked) < 2:
        raise ValueError("A ranking needs two systems at least.")
    if not are_ranks([rank for _, rank in ranked]):
        said = ", ".join(f"{name} {rank:g}" for name, rank in ranked)
        raise ValueError(f"Ranks count from 1 for the best, equal ones are ties; here: {said}.")
    return ranked


def are_ranks(values: Sequence[float]) -> bool:
    """Whether numbers are ranks: 1 2 2 3, 1 2 2 4, 1 3 3 4 or 1 2.5 2.5 4 where two are tied."""
    distinct = sorted(set(values))
    below = {value: sum(other < value for other in values) for value in distinct}
    tied = {value: values.count(value) for value in distinct}
    ways = (
        {value: float(at) for at, value in enumerate(distinct, start=1)},
        {value: below[value] + 1.0 for value in distinct},
        {value: float(below[value] + tied[value]) for value in distinct},
        {value: below[value] + (tied[value] + 1) / 2 for value in distinct},
    )
    return any(all(value == rank for value, rank in way.items()) for way in ways)


def choices_of(ranked: Ranked, *, n_compared: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the comparisons that a ranking answers, each as its systems and a choice in letters.

    Where pairs are compared (``n_compared`` is 2) a ranking answers every pair; where sets are, it
    names the best and the worst.

    Raises
    ------
    ValueError
        It ranks more systems than a set has, or no single one is the best, or the worst.
    """
    if n_compared <= 2:
        for (first, rank), (second, other) in combinations(ranked, 2):
            sign = "A=B" if rank == other else "A>B" if rank < other else "B>A"
            yield (first, second), sign
        return
    if len(ranked) > MOST_IN_SET:
        raise ValueError(f"{len(ranked)} systems are ranked; a set has at most {MOST_IN_SET}.")
    ranks = [rank for _, rank in ranked]
    best, worst = min(ranks), max(ranks)
    for rank, place in ((best, "first"), (worst, "last")):
        if ranks.count(rank) > 1:
            tied = " and ".join(name for name, its in ranked if its == rank)
            raise ValueError(f"{tied} share the {place} rank; one best and one worst are asked.")
    letters = LETTERS[ranks.index(best)], LETTERS[ranks.index(worst)]
    yield tuple(name for name, _ in ranked), ">".join(letters)


def in_words(ranked: Mapping[str, object]) -> str:
    """Return ranks by system as a text that `read_ranking` reads and a person as well."""
    return json.dumps(ranked, ensure_ascii=False)


def chain_of_letters(code: str, systems: Sequence[str]) -> str:
    """Return the chain of names that a chain of letters such as ``B>A=C`` means, or nothing."""
    letters = re.split("[>=]", code)
    shown = LETTERS[: len(systems)]
    if len(letters) < 3 or sorted(letters) != list(shown):
        return ""
    return "".join(
        systems[LETTERS.index(sign)] if sign in LETTERS else f" {sign} " for sign in code
    )


def _parsed(text: str) -> object:
    stripped = text.strip()
    if stripped.startswith(("[", "{")):
        return _literal(stripped)
    sign = next((sign for sign in (">", ";", "|", ",") if sign in stripped), ">")
    return [
        [name for name in map(str.strip, part.split("=" if sign == ">" else "\0")) if name]
        for part in stripped.split(sign)
    ]


def _literal(text: str) -> object:
    """Return a list or an object in JSON, or as Python writes it."""
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("The list of the ranking cannot be read.") from error


def _ranked(value: object) -> Ranked:
    if isinstance(value, dict):
        return list(_by_name(value.items()))
    if not isinstance(value, list):
        reason = "A ranking is a list of systems, or gives each a rank."
        raise ValueError(reason)  # noqa: TRY004 -- the value of a cell is at fault
    if value and all(isinstance(entry, dict) for entry in value):
        return list(_by_name((entry.get("system"), entry.get("rank")) for entry in value))
    groups = [entry if isinstance(entry, list) else [entry] for entry in value]
    if any(not isinstance(name, str) for group in groups for name in group):
        raise ValueError("A ranking names its systems by text.")
    return [(name.strip(), float(at)) for at, group in enumerate(groups, start=1) for name in group]


def _by_name(pairs: Iterable[tuple[object, object]]) -> Iterator[tuple[str, float]]:
    for name, told in pairs:
        text = "" if told is None else str(told)
        if is_missing(text):
            continue
        rank = number(text, decimal_comma=True)
        if rank is None:
            raise ValueError(f"The rank of {name} is {text!r}, which is no number.")
        yield str(name).strip(), rank
