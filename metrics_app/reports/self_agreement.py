"""Agreement of judges with themselves, from outputs that were shown to them again."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from metrics_app.loaders.comparisons import LETTERS, Compared
from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.estimated import EXACT, alpha_on, chosen_coefficients, estimate_row
from metrics_app.reports.groups import named_groups
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.preference import parts_of
from metrics_app.reports.rows.agreement import SelfAgreementRow
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.coefficients import Coefficient
from metrics_app.stats.repeats import Repeat, pooled_repeats, repeat_tables
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable


def self_agreement_rows(
    evaluation: Evaluation, options: ReportOptions
) -> Iterator[SelfAgreementRow]:
    """Yield exact agreement, kappa and alpha of first and repeated ratings, then of choices.

    By dimension and group: of all its judges together, with intervals from resampled units, then
    of each judge. Nothing where nothing was shown again. Choices among outputs are the same where
    best and worst are.
    """
    for dimension in evaluation.dimensions:
        scale = evaluation.scales[dimension]
        for name, groups in named_groups(evaluation):
            own = [r for r in evaluation.repeats if r.dimension == dimension and r.group in groups]
            if not own:
                continue
            rows = [(r.judge, (r.item, r.system, r.fact), r.first, r.again) for r in own]
            yield from _together((dimension, name), rows, scale, options)
            if name in evaluation.groups:
                yield from _each((dimension, name), rows, scale)
    for part in parts_of(evaluation):
        place, choices = (part.dimension, part.group), _choices(part)
        if not choices:
            continue
        scale = _scale_of_choices(part)
        yield from _together(place, choices, scale, options)
        if part.group != ALL_GROUPS:
            yield from _each(place, choices, scale)


def _choices(part: Compared) -> list[Repeat]:
    return [
        (row.judge, (row.item, row.systems), _code(row.choice), _code(row.again))
        for row in part.rows
        if row.again is not None
    ]


def _code(choice: str) -> float | None:
    """Return a choice as a number: the places of best and worst as two digits, 0 for a tie."""
    if not choice:
        return None
    if "=" in choice:
        return 0.0
    return 10.0 * (LETTERS.index(choice[0]) + 1) + LETTERS.index(choice[-1]) + 1


def _scale_of_choices(part: Compared) -> Scale:
    n_shown = max(len(row.systems) for row in part.rows)
    codes = [10.0 * best + worst for best, worst in permutations(range(1, n_shown + 1), 2)]
    return Scale.points([0.0, *codes] if part.is_of_pairs else codes, measurement="nominal")


def _together(
    place: tuple[str, str], rows: Sequence[Repeat], scale: Scale, options: ReportOptions
) -> Iterator[SelfAgreementRow]:
    table = pooled_repeats(rows, scale=scale)
    found = agreement_report(
        table,
        rng=stream(options.seed, "self agreement", *place),
        coefficients=_chosen(table),
        n_resamples=options.n_resamples,
    )
    n_judges = len({judge for judge, *_ in rows})
    for result in found:
        yield _row((*place, ""), result, n_judges)


def _each(
    place: tuple[str, str], rows: Sequence[Repeat], scale: Scale
) -> Iterator[SelfAgreementRow]:
    for judge, table in repeat_tables(rows, scale=scale).items():
        for coefficient in _chosen(table):
            found = coefficient.estimate(table)
            yield _row((*place, str(judge)), found, 1, coefficient.options)


def _chosen(table: RatingTable) -> list[Coefficient]:
    kappas = [("cohen_kappa", {"weights": weights}) for weights in ("unweighted", "quadratic")]
    return chosen_coefficients(table, EXACT, *kappas, alpha_on(table.scale))


def _row(
    place: tuple[str, str, str],
    result: Estimate,
    n_judges: int,
    options: Mapping[str, str] | None = None,
) -> SelfAgreementRow:
    dimension, group, judge = place
    return estimate_row(
        SelfAgreementRow, result, options=options,
        dimension=dimension, group=group, judge=judge, n_judges=n_judges,
    )  # fmt: skip
