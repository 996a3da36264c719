"""Signs that a judge does not read: answers in a line, and haste."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from metrics_app.stats.results import NAN
from metrics_app.stats.scales import Floats, Ints

# A normal sample's median absolute deviation times this is its standard deviation.
MAD_TO_SD = 1.4826


@dataclass(frozen=True, slots=True)
class Straightness:
    """How uniform one judge's answers are.

    Attributes
    ----------
    n : int
        Answers, missing ones left out.
    longest_run : int
        Longest unbroken row of equal answers, in the order in which they were given.
    modal_value : hashable
        The most frequent answer (the first of them), None without an answer.
    modal_share : float
        Its share; NaN without an answer.
    """

    n: int
    longest_run: int
    modal_value: Hashable
    modal_share: float


def straight_lining(
    answers: Mapping[Hashable, Sequence[Hashable | None]],
) -> dict[Hashable, Straightness]:
    """Describe how uniform each judge's answers are.

    Parameters
    ----------
    answers : mapping
        Judge to answers of one dimension in the order in which they were given; None is missing
        and does not break a run.
    """
    return {judge: _straightness(given) for judge, given in answers.items()}


def _straightness(given: Sequence[Hashable | None]) -> Straightness:
    known = [answer for answer in given if answer is not None]
    if not known:
        return Straightness(0, 0, None, NAN)
    runs = [len(list(run)) for _, run in groupby(known)]
    modal = max(known, key=known.count)
    return Straightness(len(known), max(runs), modal, known.count(modal) / len(known))


def flat_shares(
    rows: Iterable[tuple[Hashable, Hashable, Hashable, float | None]],
) -> dict[Hashable, float]:
    """Return each judge's share of units that got one and the same value in every dimension.

    Parameters
    ----------
    rows : iterable of (judge, unit, dimension, value)
        None is missing. Units with fewer than two rated dimensions are left out.

    Returns
    -------
    dict
        Judge to share; NaN where no unit has two dimensions.

    Raises
    ------
    ValueError
        If a judge rated a dimension of a unit twice.
    """
    given: dict[tuple[Hashable, Hashable], dict[Hashable, float]] = {}
    for judge, unit, dimension, value in rows:
        values = given.setdefault((judge, unit), {})
        if dimension in values:
            raise ValueError(f"judge {judge!r} rated {dimension!r} of unit {unit!r} twice")
        if value is not None:
            values[dimension] = value
    flat: dict[Hashable, list[bool]] = {judge: [] for judge, _ in given}
    for (judge, _), values in given.items():
        if len(values) > 1:
            flat[judge].append(len(set(values.values())) == 1)
    return {judge: sum(units) / len(units) if units else NAN for judge, units in flat.items()}


def flat_shares_of_columns(judge: Ints, unit: Ints, value: Floats, n_judges: int) -> Floats:
    """Return what `flat_shares` does, for positions of judges and units in equal columns.

    Parameters
    ----------
    judge, unit : array of int, shape (n,)
        One row a rating; the dimension does not matter, and each occurs once.
    value : array of float, shape (n,)
        NaN is missing.

    Returns
    -------
    numpy.ndarray, shape (n_judges,)
        NaN where no unit of the judge has two ratings.
    """
    there = ~np.isnan(value)
    judge, unit, value = judge[there], unit[there], value[there]
    if not value.size:
        return np.full(n_judges, NAN)
    order = np.lexsort([unit, judge])
    judge, unit, value = judge[order], unit[order], value[order]
    is_new = np.ones(value.size, dtype=np.bool_)
    is_new[1:] = (judge[1:] != judge[:-1]) | (unit[1:] != unit[:-1])
    starts = np.flatnonzero(is_new)
    is_several = np.diff(np.append(starts, value.size)) > 1
    lowest, highest = np.minimum.reduceat(value, starts), np.maximum.reduceat(value, starts)
    owner = judge[starts][is_several]
    flat = np.bincount(owner, (lowest == highest)[is_several], minlength=n_judges)
    n_units = np.bincount(owner, minlength=n_judges)
    shares = np.full(n_judges, NAN)
    np.divide(flat, n_units, out=shares, where=n_units > 0)
    return shares


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one judge is among the others.

    Attributes
    ----------
    n : int
        Timed answers.
    median_seconds : float
    z : float
        Robust z of the logarithm of the median among all judges: below 0 is fast.
    is_fast, is_slow : bool
        Whether z lies beyond the threshold.
    """

    n: int
    median_seconds: float
    z: float
    is_fast: bool
    is_slow: bool


def paces(
    seconds: Mapping[Hashable, Sequence[float | None]], *, threshold: float = 3.0
) -> dict[Hashable, Pace]:
    """Find judges who are much faster or slower than the others.

    Parameters
    ----------
    seconds : mapping
        Judge to active seconds for each answer; None is missing.
    threshold : float
        Robust standard deviations from the median judge, on the logarithm of seconds.

    Returns
    -------
    dict
        Judge to pace. z is NaN, and nobody is an outlier, with fewer than three timed judges or
        where more than half of them are equally fast.

    Raises
    ------
    ValueError
        If a time is not above 0 and finite.
    """
    known = {judge: [t for t in times if t is not None] for judge, times in seconds.items()}
    for judge, times in known.items():
        if not all(0 < t < np.inf for t in times):
            raise ValueError(f"judge {judge!r} has a time that is not above 0 seconds")
    medians = {judge: float(np.median(times)) for judge, times in known.items() if times}
    logs = np.log(list(medians.values()))
    centre = np.median(logs) if len(logs) else NAN
    spread = MAD_TO_SD * np.median(np.abs(logs - centre)) if len(logs) > 2 else 0.0
    found = {}
    for judge, times in known.items():
        median = medians.get(judge, NAN)
        z = float((np.log(median) - centre) / spread) if spread > 0 and times else NAN
        found[judge] = Pace(len(times), median, z, z < -threshold, z > threshold)
    return found
