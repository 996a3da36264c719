"""What a reader must know before believing a number."""

from collections.abc import Iterator

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import FindingRow
from metrics_app.stats.pairwise import identical_pairs

# What can be looked at before the closing, in words.
LOOKS = {"system_names_seen": "the names of systems", "results_seen": "ratings and results"}


def finding_rows(evaluation: Evaluation) -> Iterator[FindingRow]:
    """Yield the findings: no rating, copies among judges, groups not named, what is left out."""
    if not evaluation.judgements.n_rows and not evaluation.comparisons:
        yield FindingRow(
            kind="no_ratings",
            text=(
                "There is no valid rating yet, so there is nothing to report. A rating counts when "
                "its judge has handed the output in and is neither excluded nor withdrawn."
            ),
        )
    for dimension in evaluation.dimensions:
        yield from _identical_judges(evaluation, dimension)
    yield from _unnamed_groups(evaluation)
    yield from _blinding(evaluation)
    yield from _changed_rules(evaluation)
    for reason, count in evaluation.n_left_out.items():
        if count:
            are = "rating is" if count == 1 else "ratings are"
            yield FindingRow(
                kind="left_out",
                text=f"{count:,} {are} left out: {reason}.",
                facts={"reason": reason, "n_ratings": count},
            )


def _identical_judges(evaluation: Evaluation, dimension: str) -> Iterator[FindingRow]:
    for pair in identical_pairs(evaluation.rating_table(dimension)):
        first, second = pair.raters
        yield FindingRow(
            kind="identical_raters",
            dimension=dimension,
            text=(
                f"{first} and {second} gave the same rating on all {pair.n_units:,} outputs that "
                f"both judged on {dimension}. One may be a copy of the other: every coefficient "
                "and comparison that holds both is then too high."
            ),
            facts={"raters": [first, second], "n_shared": pair.n_units},
        )


def _blinding(evaluation: Evaluation) -> Iterator[FindingRow]:
    blinding = evaluation.blinding
    if blinding is None:
        return
    if blinding.is_blind:
        yield FindingRow(
            kind="blind",
            text=(
                "The names of systems are hidden until the study is closed. The labels are in a "
                "random order; a report computed after the closing has the names."
            ),
        )
    for moment, what, reason in blinding.looks:
        yield FindingRow(
            kind="looked_behind",
            text=(
                f"Before the closing an owner looked at {LOOKS.get(what, what)} on "
                f"{moment[:10]}: {reason}"
            ),
            facts={"at": moment, "what": what, "reason": reason},
        )


def _changed_rules(evaluation: Evaluation) -> Iterator[FindingRow]:
    changes = evaluation.exclusion_rules.changes if evaluation.exclusion_rules else ()
    for moment, before, now, reason in changes:
        yield FindingRow(
            kind="exclusion_rules_changed",
            text=(
                f"The rules of exclusion were changed later, on {moment[:10]}: "
                f"{reason} (before: {before}; now: {now})"
            ),
            facts={"at": moment, "before": before, "now": now, "reason": reason},
        )


def _unnamed_groups(evaluation: Evaluation) -> Iterator[FindingRow]:
    if len(evaluation.groups) < 2 or evaluation.sides is not None:
        return
    names = " and ".join(evaluation.groups[:2])
    yield FindingRow(
        kind="groups_not_named",
        text=(
            f"There are {len(evaluation.groups)} groups of judges ({', '.join(evaluation.groups)}) "
            f"and nothing says which are the experts and which the crowd, so {names} are not "
            "compared. On the command line say --expert GROUP --crowd GROUP; in a study give the "
            "groups their kind."
        ),
        facts={"groups": list(evaluation.groups)},
    )
