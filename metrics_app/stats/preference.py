"""Strengths of systems out of comparisons: Bradley and Terry's model."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, log_expit

from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats


@dataclass(frozen=True, eq=False)
class Wins:
    """How often each system was preferred to each other one.

    Attributes
    ----------
    systems : tuple
        Names, in the order of rows and columns.
    counts : numpy.ndarray of float, shape (n_systems, n_systems)
        Row preferred to column; a tie counts one half for either.
    """

    systems: tuple[Hashable, ...]
    counts: Floats

    @classmethod
    def from_matrix(
        cls, counts: npt.ArrayLike, *, systems: Sequence[Hashable] | None = None
    ) -> "Wins":
        """Build from a square table.

        Raises
        ------
        ValueError
            If it is not square, a count is negative or not finite, or a system beats itself.
        """
        table = np.asarray(counts, dtype=np.float64)
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise ValueError(f"wins need a square table; it has the shape {table.shape}")
        if not np.isfinite(table).all() or (table < 0).any() or np.diag(table).any():
            raise ValueError("wins must be counts of 0 or more, with zeros on the diagonal")
        names = tuple(range(len(table)) if systems is None else systems)
        if len(names) != len(table):
            raise ValueError(f"{len(names)} names for {len(table)} systems")
        return cls(names, table)

    @classmethod
    def from_comparisons(
        cls,
        comparisons: Iterable[Sequence[Hashable]],
        *,
        ties: Iterable[Sequence[Hashable]] = (),
    ) -> "Wins":
        """Build from pairs (preferred, other), and pairs between which judges saw no difference.

        Raises
        ------
        ValueError
            If a system is compared with itself or a row is no pair.
        """
        rows = [(*_read_pair(pair), 1.0) for pair in comparisons]
        for pair in ties:
            first, second = _read_pair(pair)
            rows += [(first, second, 0.5), (second, first, 0.5)]
        return cls._sum(rows)

    @classmethod
    def from_best_worst(
        cls, choices: Iterable[tuple[Sequence[Hashable], Hashable, Hashable]]
    ) -> "Wins":
        """Build from choices (options shown, best, worst).

        The best is preferred to all others and all others to the worst; the pair of the two
        counts once, and nothing is said about the options between them.

        Raises
        ------
        ValueError
            If best or worst were not shown or are the same.
        """
        rows: list[tuple[Hashable, Hashable, float]] = []
        for options, best, worst in choices:
            if best == worst or best not in options or worst not in options:
                raise ValueError(
                    f"best {best!r} and worst {worst!r} must be two of the options {list(options)}"
                )
            rows += [(best, other, 1.0) for other in options if other != best]
            rows += [(other, worst, 1.0) for other in options if other not in (best, worst)]
        return cls._sum(rows)

    @classmethod
    def _sum(cls, rows: Sequence[tuple[Hashable, Hashable, float]]) -> "Wins":
        place: dict[Hashable, int] = {}
        for first, second, _ in rows:
            place.setdefault(first, len(place))
            place.setdefault(second, len(place))
        counts = np.zeros((len(place), len(place)))
        for first, second, weight in rows:
            counts[place[first], place[second]] += weight
        return cls(tuple(place), counts)

    def shares(self) -> dict[Hashable, float]:
        """Return each system's share of won comparisons, ties one half; NaN without one."""
        won, met = self.counts.sum(axis=1), (self.counts + self.counts.T).sum(axis=1)
        share = np.divide(won, met, out=np.full(len(met), NAN), where=met > 0)
        return dict(zip(self.systems, share.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Preference:
    """Fitted strengths.

    Attributes
    ----------
    strengths, se : mapping
        System to its log-strength (their sum is 0) and standard error; NaN where undefined.
        A difference d means a chance of 1 / (1 + exp(-d)) to be preferred.
    ci : mapping
        System to its normal interval; empty where undefined.
    covariance : numpy.ndarray, shape (n_systems, n_systems)
        Of the log-strengths, for the error of a difference.
    shares : mapping
        System to its plain share of won comparisons, defined also where strengths are not.
    value, df, p : float
        Likelihood-ratio test (chi squared) that all are equally strong.
    undefined : str or None
        ``not_identified`` where some systems always beat, or never met, some others.
    """

    strengths: Mapping[Hashable, float]
    se: Mapping[Hashable, float]
    ci: Mapping[Hashable, tuple[float, float]]
    covariance: Floats
    shares: Mapping[Hashable, float]
    value: float
    df: int
    p: float
    method: str
    undefined: str | None = None


def bradley_terry(wins: Wins, *, confidence: float = 0.95) -> Preference:
    """Fit Bradley and Terry's model by maximum likelihood.

    Parameters
    ----------
    wins : Wins
        Ties count one half for either system.
    confidence : float
        Coverage of the intervals.

    Returns
    -------
    Preference
        Undefined unless from every system a chain of wins leads to every other (Ford 1957):
        otherwise the likelihood grows without end.

    Notes
    -----
    Bradley and Terry (1952), Biometrika 39. Errors come from the information matrix and take
    comparisons as independent; where judges or items repeat, resample those instead.
    """
    n = len(wins.systems)
    method = "Bradley-Terry, maximum likelihood, ties one half, comparisons as independent"
    n_components = connected_components(wins.counts > 0, connection="strong")[0] if n else 0
    if n < 2 or n_components > 1:
        reason = "all_missing" if not wins.counts.any() else "not_identified"
        nothing = dict.fromkeys(wins.systems, NAN)
        unknown = np.full((n, n), NAN)
        return Preference(
            nothing, nothing, {}, unknown, wins.shares(), NAN, n - 1, NAN, method, reason
        )
    strengths = _climb(wins.counts)
    information = _information(wins.counts, strengths)
    covariance = np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)
    se = np.sqrt(np.diag(covariance))
    margin = stats.norm.ppf((1 + confidence) / 2) * se
    low, high = (strengths - margin).tolist(), (strengths + margin).tolist()
    ratio = 2 * (_log_likelihood(wins.counts, strengths) - _log_likelihood(wins.counts, 0 * se))
    return Preference(
        strengths=dict(zip(wins.systems, strengths.tolist(), strict=True)),
        se=dict(zip(wins.systems, se.tolist(), strict=True)),
        ci=dict(zip(wins.systems, zip(low, high, strict=True), strict=True)),
        covariance=covariance,
        shares=wins.shares(),
        value=ratio,
        df=n - 1,
        p=float(stats.chi2.sf(ratio, n - 1)),
        method=method,
    )


def _climb(counts: Floats) -> Floats:
    """Return the log-strengths of greatest likelihood by Newton's method with halved steps."""
    strengths = np.zeros(len(counts))
    reached = _log_likelihood(counts, strengths)
    for _ in range(200):
        gaps = strengths[:, None] - strengths
        slope = (counts - (counts + counts.T) * expit(gaps)).sum(axis=1)
        # Strengths are known up to a constant; the added constant matrix keeps their sum at 0.
        step = np.linalg.solve(_information(counts, strengths) + 1 / len(counts), slope)
        while (height := _log_likelihood(counts, strengths + step)) < reached - 1e-9:
            step /= 2
        strengths, reached = strengths + step, height
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(strengths - strengths.mean())


def _information(counts: Floats, strengths: Floats) -> Floats:
    chance = expit(strengths[:, None] - strengths)
    met = (counts + counts.T) * chance * (1 - chance)
    return np.asarray(np.diag(met.sum(axis=1)) - met)


def _log_likelihood(counts: Floats, strengths: Floats) -> float:
    return float((counts * log_expit(strengths[:, None] - strengths)).sum())


def _read_pair(pair: Sequence[Hashable]) -> tuple[Hashable, Hashable]:
    if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
        raise ValueError(f"a comparison must name two different systems; it is {pair!r}")
    return pair[0], pair[1]
