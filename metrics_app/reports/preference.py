"""Comparisons of outputs: strengths of systems, wins, and agreement of the judges on choices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from metrics_app.loaders.comparisons import LETTERS, Compared, Comparison, compared_parts
from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.agreement import agreement_rows
from metrics_app.reports.contract import ALL_GROUPS, AgreementRow
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.rows.preference import StrengthRow, WinRow
from metrics_app.stats.intervals import percentile_interval
from metrics_app.stats.preference import Preference, Wins, bradley_terry
from metrics_app.stats.preference_bootstrap import bootstrap_strengths
from metrics_app.stats.results import as_plain
from metrics_app.stats.samples import Floats
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

_TIE = len(LETTERS) + 1


def parts_of(evaluation: Evaluation) -> list[Compared]:
    """Return the comparisons of the evaluation by dimension and group."""
    return compared_parts(
        evaluation.comparisons, model_groups=evaluation.model_groups, all_groups=ALL_GROUPS
    )


def strength_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[StrengthRow]:
    """Yield the systems of each dimension and group, the strongest first."""
    for part in parts_of(evaluation):
        tally = _Tally.of(part)
        if not tally.systems:
            continue
        rng = stream(options.seed, "strengths", part.dimension, part.group)
        fitted = bradley_terry(Wins(tally.systems, tally.counts))
        drawn = bootstrap_strengths(tally.by_item, rng=rng, n_resamples=options.n_resamples)
        rows = [_strength(part, tally, fitted, drawn, place) for place in range(len(tally.systems))]
        rows.sort(key=lambda row: (-(row.value or 0.0), -(row.share or 0.0)))
        for rank, row in enumerate(rows, start=1):
            yield replace(row, rank=rank if row.undefined is None else None)


def win_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[WinRow]:  # noqa: ARG001 -- all chapters take the same
    """Yield every pair of systems that met, by dimension and group."""
    for part in parts_of(evaluation):
        tally = _Tally.of(part)
        for first, second in combinations(range(len(tally.systems)), 2):
            won, lost = tally.counts[first, second], tally.counts[second, first]
            tied = tally.ties[first, second]
            if won + lost:
                yield WinRow(
                    dimension=part.dimension,
                    group=part.group,
                    systems=(tally.systems[first], tally.systems[second]),
                    n_first=round(won - tied / 2),
                    n_second=round(lost - tied / 2),
                    n_tied=round(tied),
                    share=float(won / (won + lost)),
                )


def choice_agreement_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[AgreementRow]:
    """Yield how far judges of a group chose alike: on a pair, or on best and on worst of a set."""
    for part in parts_of(evaluation):
        scopes = ["choice"] if part.is_of_pairs else ["best", "worst"]
        for scope in scopes:
            rng = stream(options.seed, "choices", part.dimension, part.group, scope)
            rows = agreement_rows(
                _choice_table(part, scope),
                place=(part.dimension, part.group),
                rng=rng,
                n_resamples=options.n_resamples,
            )
            for row in rows:
                if row.scope == "pooled":
                    yield replace(row, scope=scope)


@dataclass(frozen=True, eq=False)
class _Tally:
    """Wins of the rows over the columns, in all and by item; a tie is a half for either."""

    systems: tuple[str, ...]
    by_item: Floats
    ties: Floats
    n_comparisons: Floats

    @classmethod
    def of(cls, part: Compared) -> "_Tally":
        answered = part.answered
        systems = tuple(sorted({system for row in answered for system in row.systems}))
        place = {system: at for at, system in enumerate(systems)}
        items = {item: at for at, item in enumerate(sorted({row.item for row in answered}))}
        by_item = np.zeros((len(items), len(systems), len(systems)))
        ties = np.zeros((len(systems), len(systems)))
        n_comparisons = np.zeros(len(systems))
        for row in answered:
            for system in row.systems:
                n_comparisons[place[system]] += 1
            for first, second, weight in _meetings(row):
                by_item[items[row.item], place[first], place[second]] += weight
                if row.is_tie:
                    ties[place[first], place[second]] += 1
        return cls(systems, by_item, ties, n_comparisons)

    @property
    def counts(self) -> Floats:
        return np.asarray(self.by_item.sum(axis=0))


def _meetings(row: Comparison) -> Iterator[tuple[str, str, float]]:
    """Yield (preferred, other, weight) of one choice."""
    if row.is_tie:
        yield row.best, row.worst, 0.5
        yield row.worst, row.best, 0.5
        return
    for other in row.systems:
        if other != row.best:
            yield row.best, other, 1.0
        if other not in {row.best, row.worst}:
            yield other, row.worst, 1.0


def _strength(
    part: Compared, tally: _Tally, fitted: Preference, drawn: Floats, place: int
) -> StrengthRow:
    system = tally.systems[place]
    tied = tally.ties[place].sum()
    own = drawn[~np.isnan(drawn[:, place]), place]
    is_sure = fitted.undefined is None and own.size > len(drawn) / 2
    return StrengthRow(
        dimension=part.dimension,
        group=part.group,
        system=system,
        rank=None,
        value=as_plain(fitted.strengths[system]),
        se=float(own.std(ddof=1)) if is_sure else None,
        ci=percentile_interval(own, 0.95) if is_sure else None,
        ci_method=f"percentile bootstrap, {len(drawn)} resamples of items" if is_sure else "",
        share=as_plain(fitted.shares[system]),
        n_won=round(tally.counts[place].sum() - tied / 2),
        n_tied=round(tied),
        n_lost=round(tally.counts[:, place].sum() - tied / 2),
        n_comparisons=int(tally.n_comparisons[place]),
        n_items=len(tally.by_item),
        n_undefined=len(drawn) - own.size,
        undefined=fitted.undefined,
        method=fitted.method,
    )


def _choice_table(part: Compared, scope: str) -> RatingTable:
    """Return the choices as labels of the letters; a unit is one pair or set as it was shown."""
    values = [_label(row, scope) for row in part.rows]
    units = ["\x1f".join((row.item, *row.systems)) for row in part.rows]
    return RatingTable.from_columns(
        unit=units,
        rater=[row.judge for row in part.rows],
        value=np.array(values, dtype=np.float64),
        scale=Scale.points(_labels(part.rows, scope), measurement="nominal"),
        item=[row.item for row in part.rows],
    )


def _label(row: Comparison, scope: str) -> float:
    if row.is_missing:
        return float("nan")
    if row.is_tie:
        return float(_TIE)
    letter = row.choice[-1] if scope == "worst" else row.choice[0]
    return float(LETTERS.index(letter) + 1)


def _labels(rows: Sequence[Comparison], scope: str) -> list[float]:
    n_shown = max(len(row.systems) for row in rows)
    has_ties = scope == "choice" and any(row.is_tie for row in rows)
    return [float(n) for n in range(1, n_shown + 1)] + ([float(_TIE)] if has_ties else [])
