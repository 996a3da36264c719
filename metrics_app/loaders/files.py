"""Files of ratings and scores as an evaluation, without any study."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.importing import (
    CleanRow,
    Finding,
    Kind,
    RatingRow,
    Rules,
    ScoreRow,
    UnreadableFile,
    check,
    guess_mapping,
    read,
)
from annotation.importing.moments import moment
from metrics_app.loaders.columns import Order, Rated, Scored, judgements_of, repeats_of, scores_of
from metrics_app.loaders.comparison_files import read_comparisons
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.loaders.scales import HOW, DeclaredScales, as_rule
from metrics_app.loaders.sources import Source
from metrics_app.loaders.tidy import tidy_rows
from metrics_app.stats.scales import Scale

UNGROUPED = "judges"
NOT_VALID = "marked as not valid in the file"
DEFAULT_SEED = 1
EXPERT_NAMES = frozenset({"expert", "experts", "specialist", "specialists", "professional"})
CROWD_NAMES = frozenset(
    {"crowd", "crowdworker", "crowdworkers", "worker", "workers", "turker", "turkers", "mturk",
     "amt", "prolific", "crowd_workers"}
)  # fmt: skip
# What a truth looks like in a file, where a tidy export of a study is read back.
_FALSE = frozenset({"false", "0", "no"})
_MOST_SHOWN = 20


class UnusableFileError(ValueError):
    """A file cannot be taken as it is; the message has a line for each reason."""


@dataclass(frozen=True, slots=True)
class FileRequest:
    """Which files to read, and what they do not say themselves.

    ``expert`` and ``crowd`` name groups of the file; empty means: by their names, if these tell.
    ``human_systems`` names the systems whose outputs people wrote, ``model_groups`` the groups
    whose judges are language models. ``systems`` and ``groups`` come in the order given; others
    follow as the file has them. Ratings, comparisons or both.
    """

    ratings: Path | None
    scores: Path | None = None
    scales: DeclaredScales = field(default_factory=DeclaredScales)
    expert: str = ""
    crowd: str = ""
    human_systems: tuple[str, ...] = ()
    comparisons: Path | None = None
    systems: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    model_groups: tuple[str, ...] = ()


def source_of_files(request: FileRequest) -> Source:
    """Return the evaluation that the files hold, without storing anything.

    Raises
    ------
    UnusableFileError
        For anything wrong in a file: each reason names line, column, value and how to mend it.
        Also where a dimension has no declared scale, or a named group is not in the file.
    """
    rows = _ratings(request)
    kept, n_left_out = _valid(rows)
    comparisons, n_gone = _comparisons(request)
    n_left_out = dict(Counter(n_left_out) + Counter({NOT_VALID: n_gone}))
    named = request.ratings or request.comparisons
    if named is None or not (kept or comparisons):
        name = named.name if named else "No file is named"
        raise UnusableFileError(f"{name}: there is no valid rating in it.")
    study = named.name.split(".")[0]
    rated = [_rated(row) for row in kept]
    order = Order(list(request.scales.by_dimension), list(request.groups), list(request.systems))
    judgements = judgements_of(rated, order)
    people = [key for key in judgements.group.keys if key not in request.model_groups]
    sides = sides_of(people, expert=request.expert, crowd=request.crowd)
    scales = _scales(request.scales, kept)
    systems = judgements.system.keys
    scored = read_scores(request.scores, systems=systems) if request.scores else []
    scores, n_others = scores_of(scored, judgements)
    if n_others:
        n_left_out["scores of items that nobody rated"] = n_others
    for name in request.human_systems:
        if name not in systems:
            raise UnusableFileError(
                f"There is no system {name!r}; the systems are {', '.join(systems)}."
            )
    evaluation = Evaluation(
        study,
        judgements,
        scales,
        scores=scores,
        sides=sides,
        human_systems=request.human_systems,
        model_groups=request.model_groups,
        n_left_out=n_left_out,
        repeats=repeats_of(rated, _again(rows)),
        comparisons=comparisons,
    )
    return Source(evaluation, lambda: tidy_rows(rows, study), DEFAULT_SEED)


def _comparisons(request: FileRequest) -> tuple[tuple[Comparison, ...], int]:
    if request.comparisons is None:
        return (), 0
    try:
        return read_comparisons(request.comparisons, ungrouped=UNGROUPED)
    except (OSError, ValueError) as error:
        raise UnusableFileError(str(error)) from error


def _ratings(request: FileRequest) -> list[RatingRow]:
    if request.ratings is None:
        return []
    rows = _clean(request.ratings, "ratings", _rules(request.scales))
    return [row for row in rows if isinstance(row, RatingRow) and not row.text]


def _clean(path: Path, kind: Kind, rules: Rules) -> list[CleanRow]:
    return _clean_with_header(path, kind, rules)[0]


def _clean_with_header(
    path: Path, kind: Kind, rules: Rules
) -> tuple[list[CleanRow], Sequence[str]]:
    try:
        reading = read(path, kind=kind)
        checked = check(reading, guess_mapping(reading.header, kind, reading.sample()), rules)
        rows = list(checked.rows())
    except UnreadableFile as error:
        raise UnusableFileError(f"{path.name}: {error}") from error
    if not checked.report.can_load:
        raise UnusableFileError(_sentences(path, checked.report.findings))
    return rows, reading.header


def _sentences(path: Path, findings: Sequence[Finding]) -> str:
    blocking = (found for found in findings if found.severity != "warning")
    # A line with a column for every metric is as many rows, all wrong for the same reason.
    lines = list(dict.fromkeys(f"{path.name}: {found}" for found in blocking))
    n_more = len(lines) - _MOST_SHOWN
    more = [f"{path.name}: and {n_more:,} more of this kind."] if n_more > 0 else []
    return "\n".join(lines[:_MOST_SHOWN] + more)


def _rules(scales: DeclaredScales) -> Rules:
    return Rules(
        scale=None if scales.every is None else as_rule(scales.every),
        scales={name: as_rule(scale) for name, scale in scales.by_dimension.items()},
    )


def _valid(rows: list[RatingRow]) -> tuple[list[RatingRow], dict[str, int]]:
    """Leave out what a tidy export marks as not valid, older texts and repeats among it."""
    kept = [row for row in rows if row.valid.strip().lower() not in _FALSE]
    n_gone = len(rows) - len(kept)
    return kept, {NOT_VALID: n_gone} if n_gone else {}


def _rated(row: RatingRow) -> Rated:
    at = moment(row.submitted_at)
    return Rated(
        dimension=row.dimension,
        group=row.judge_group or UNGROUPED,
        judge=row.judge,
        item=row.item_id,
        system=row.system,
        batch=row.batch,
        fact=row.fact_id,
        value=math.nan if row.value is None else row.value,
        at=math.nan if at is None else at.timestamp(),
    )


def _again(rows: list[RatingRow]) -> list[Rated]:
    """Return what a tidy export marks as shown again to judges who count."""
    repeats = [row for row in rows if row.repeat_of and row.submitted_at and not row.excluded_by]
    return [_rated(row) for row in repeats if row.valid.strip().lower() in _FALSE]


def _scales(declared: DeclaredScales, rows: list[RatingRow]) -> dict[str, Scale]:
    scales: dict[str, Scale] = {}
    for dimension in dict.fromkeys(row.dimension for row in rows):
        scale = declared.of(dimension)
        if scale is None:
            own = {row.value for row in rows if row.dimension == dimension}
            values = sorted(value for value in own if value is not None)
            seen = ", ".join(f"{value:g}" for value in values[:12])
            raise UnusableFileError(
                f"The scale of {dimension} is not declared, and it is never guessed from the "
                f"values seen ({seen}{', ...' if len(values) > 12 else ''}). "
                f"Say it with --scale. {HOW}"
            )
        scales[dimension] = scale
    return scales


def read_scores(
    path: Path, *, systems: Collection[str], items: Collection[str] | None = None
) -> list[Scored]:
    """Return the scores of a file; a system, or item, beside the given ones is refused.

    Raises
    ------
    UnusableFileError
        With a line for each reason.
    """
    known = None if items is None else frozenset(items)
    rules = Rules(systems=frozenset(systems), items=known)
    rows, header = _clean_with_header(path, "scores", rules)
    # Where each metric has a column, the metrics come in the columns' order, gaps or not.
    place = {name: number for number, name in enumerate(header)}
    scores = [
        Scored(row.metric, row.item_id, row.system, row.score)
        for row in rows
        if isinstance(row, ScoreRow)
    ]
    return sorted(scores, key=lambda score: place.get(score.metric, -1))


def sides_of(groups: Sequence[str], *, expert: str = "", crowd: str = "") -> Sides | None:
    """Return who the experts and who the crowd are; None where the names do not tell.

    Raises
    ------
    UnusableFileError
        If a group named by the caller does not exist, or one group should be both.
    """
    for name in (expert, crowd):
        if name and name not in groups:
            raise UnusableFileError(
                f"There is no group {name!r}; the groups are {', '.join(groups)}."
            )
    if expert and expert == crowd:
        raise UnusableFileError(f"The group {expert!r} cannot be both the experts and the crowd.")
    first = expert or _only(groups, EXPERT_NAMES)
    second = crowd or _only(groups, CROWD_NAMES)
    if len(groups) == 2:  # who one is says who the other is
        first = first or next((g for g in groups if second and g != second), "")
        second = second or next((g for g in groups if first and g != first), "")
    return Sides(first, second) if first and second and first != second else None


def _only(groups: Sequence[str], names: frozenset[str]) -> str:
    found = [group for group in groups if group.strip().lower().replace(" ", "_") in names]
    return found[0] if len(found) == 1 else ""
