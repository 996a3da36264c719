"""A study as what the writers of files are fed with."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from itertools import islice

from django.conf import settings
from django.db.models import Count, Q
from django.utils.module_loading import import_string

from annotation.enums import DimensionKind, GroupKind, Measurement, SystemKind
from annotation.exporting import (
    CodebookEntry,
    Comparison,
    ItemBundle,
    ItemRecord,
    JudgeRecord,
    Material,
    Member,
    TidyRating,
)
from annotation.models import Item, Judge, OutputVersion, StudyEvent
from annotation.selectors.doors.blinding import system_names
from annotation.selectors.doors.comparisons import (
    ComparisonRow,
    comparison_page,
    comparison_rows,
)
from annotation.selectors.doors.ratings import RatingRow, rating_rows, ratings_of, rows_of
from annotation.selectors.doors.studies import (
    DimensionRow,
    dimension_rows,
    group_rows,
    system_rows,
)

ITEMS_AT_ONCE = 200
LANGUAGES = 2  # of a pair
_SHARED = [entry.name for entry in fields(TidyRating) if entry.name not in {"batch", "repeat_of"}]

_SHARED_BY_COMPARISONS = [
    entry.name for entry in fields(Comparison) if entry.name in {*_SHARED} - {"text"}
]


def export_material(study_id: int, study_slug: str) -> Material:
    """Return what every format of a study's export is written from; nothing is read yet."""
    systems = system_rows(study_id)
    dimensions = [row for row in dimension_rows(study_id) if row.is_current]
    return Material(
        name=study_slug,
        systems=[row.key for row in systems],
        dimensions=[row.key for row in dimensions],
        measured=[row.key for row in dimensions if _has_order(row)],
        pair=_pair(study_id),
        n_references=_n_references(study_id),
        human=[row.key for row in systems if row.kind == SystemKind.HUMAN],
        people=[row.key for row in group_rows(study_id) if row.kind != GroupKind.MODEL],
        ratings=lambda: tidy_ratings(rating_rows(study_id, study_slug)),
        by_judge=lambda: _by_judge(study_id, study_slug),
        items=lambda: _bundles(study_id, study_slug),
        judges=lambda: _judges(study_id),
        codebook=lambda: _codebook(study_id),
        comparisons=lambda: tidy_comparisons(comparison_rows(study_id, study_slug)),
        scores=lambda: import_string(settings.CONCORD_EXPORTED_SCORES)(study_id),
    )


def _has_order(dimension: DimensionRow) -> bool:
    return dimension.scale is not None and dimension.scale.measurement != Measurement.NOMINAL


def tidy_ratings(rows: Iterable[RatingRow]) -> Iterator[TidyRating]:
    """Yield rows of the door as rows of the tidy table."""
    for row in rows:
        cells = {name: getattr(row, name) for name in _SHARED}
        cells["text"] = row.text or ""
        cells["missing_reason"] = row.missing_reason or ""
        yield TidyRating(
            batch="" if row.batch is None else str(row.batch),
            repeat_of=_repeat_of(row),
            **cells,
        )


def tidy_comparisons(rows: Iterable[ComparisonRow]) -> Iterator[Comparison]:
    """Yield answers of the door as what the writers of comparisons are fed with."""
    for row in rows:
        is_comment = row.kind == DimensionKind.COMMENT
        best, worst = ("", "") if is_comment else row.best_and_worst
        yield Comparison(
            batch="" if row.batch is None else str(row.batch),
            members=tuple(Member(m.system, m.output_version, m.rank) for m in row.members),
            choice="" if is_comment else row.choice,
            text=row.choice if is_comment else "",
            best=best,
            worst=worst,
            is_tie=row.is_tie,
            repeat_of=_repeat_of(row),
            **{name: getattr(row, name) for name in _SHARED_BY_COMPARISONS},
        )


def tidy_page(
    study_id: int, study_slug: str, *, after: int, limit: int
) -> tuple[list[TidyRating], int | None]:
    """Return ratings stored after a key, and the key after which the next page begins, if any."""
    ratings = ratings_of(study_id).filter(pk__gt=after).order_by("pk")[: limit + 1]
    rows = list(rows_of(ratings, study_id, study_slug))
    last = rows[limit - 1].id if len(rows) > limit else None
    return list(tidy_ratings(rows[:limit])), last


def tidy_comparison_page(
    study_id: int, study_slug: str, *, after: int, limit: int
) -> tuple[list[Comparison], int | None]:
    """Return choices stored after a key, and the key after which the next page begins, if any."""
    rows, last = comparison_page(study_id, study_slug, after=after, limit=limit)
    return list(tidy_comparisons(rows)), last


def exclusion_rows(study_id: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield what happened to judges and to the study: moment, kind, who or what, reason."""
    # Who works on the study is no part of its data: names of accounts are not given out.
    events = StudyEvent.objects.filter(study=study_id).exclude(kind__startswith="member_")
    logged = set(events.filter(kind="judge_excluded").values_list("detail__judge", flat=True))
    # Judges who came with a file were excluded elsewhere, of which no event tells.
    for judge in Judge.objects.filter(study=study_id, excluded_at__isnull=False).order_by("pk"):
        if judge.pseudonym not in logged:
            at = judge.excluded_at.isoformat() if judge.excluded_at else ""
            yield at, "judge_excluded", f"judge: {judge.pseudonym}", judge.excluded_by
    for event in events.order_by("pk"):
        told = ", ".join(f"{name}: {value}" for name, value in event.detail.items())
        yield event.at.isoformat(), event.kind, told, event.reason


def _repeat_of(row: RatingRow | ComparisonRow) -> str:
    if not row.is_repeat:
        return ""
    return "first" if row.repeat_of is None else str(row.repeat_of)


def _by_judge(study_id: int, study_slug: str) -> Iterator[TidyRating]:
    ratings = ratings_of(study_id).order_by(
        "assignment__judge__pseudonym",
        "assignment__unit__item__position",
        "assignment__unit__system__position",
        "assignment",
        "dimension__phase__position",
        "dimension__position",
        "pk",
    )
    return tidy_ratings(rows_of(ratings, study_id, study_slug))


def _bundles(study_id: int, study_slug: str) -> Iterator[ItemBundle]:
    items = (
        Item.objects.filter(study=study_id)
        .select_related("batch")
        .order_by("position", "pk")
        .iterator(chunk_size=ITEMS_AT_ONCE)
    )
    kinds = {system.key: system.kind for system in system_rows(study_id)}
    while chunk := list(islice(items, ITEMS_AT_ONCE)):
        for bundle in _some_bundles(chunk, study_id, study_slug):
            yield replace(bundle, kinds=kinds)


def _some_bundles(items: list[Item], study_id: int, study_slug: str) -> Iterator[ItemBundle]:
    records = _records(items)
    names = system_names(study_id)
    # Neutral names come in their own order, since that of the systems would tell whose they are.
    order = [row.key for row in system_rows(study_id)]
    outputs: dict[str, dict[str, str]] = {item.key: {} for item in items}
    versions: dict[str, dict[str, int]] = {item.key: {} for item in items}
    texts = OutputVersion.objects.filter(is_current=True, output__item__in=items)
    for key, system, text, number in texts.values_list(
        "output__item__key", "output__system__key", "text", "number"
    ):
        outputs[key][names[system]], versions[key][names[system]] = text, number
    ratings: dict[str, list[TidyRating]] = {item.key: [] for item in items}
    of_items = ratings_of(study_id).filter(assignment__unit__item__in=items).order_by("pk")
    for rating in tidy_ratings(rows_of(of_items, study_id, study_slug)):
        ratings[rating.item_id].append(rating)
    for item in items:
        key = item.key
        own = {system: outputs[key][system] for system in order if system in outputs[key]}
        yield ItemBundle(records[key], own, ratings[key], versions[key])


def _records(items: list[Item]) -> dict[str, ItemRecord]:
    loaded = Item.objects.filter(pk__in=[item.pk for item in items]).prefetch_related(
        "references", "facts", "batch"
    )
    return {
        item.key: ItemRecord(
            item_id=item.key,
            batch=str(item.batch.number) if item.batch else "",
            language=item.language,
            domain=item.domain,
            document=item.document,
            source=tuple(item.source),
            references=tuple(r.text for r in item.references.all() if r.role == "reference"),
            prior_references=tuple(r.text for r in item.references.all() if r.role == "prior"),
            facts=tuple(fact.text for fact in item.facts.all()),
        )
        for item in loaded
    }


def _judges(study_id: int) -> Iterator[JudgeRecord]:
    of_outputs = Q(assignments__ratings__isnull=False)
    judges = (
        Judge.objects.filter(study=study_id)
        .select_related("group")
        .annotate(n_ratings=Count("assignments__ratings", filter=of_outputs))
        .order_by("pk")
    )
    for judge in judges:
        is_out = judge.excluded_at is not None or judge.withdrawn_at is not None
        yield JudgeRecord(
            judge=judge.pseudonym,
            judge_group=judge.group.key,
            kind=judge.kind,
            n_ratings=judge.n_ratings,
            excluded_by=(judge.excluded_by or "withdrawn") if is_out else "",
        )


def _codebook(study_id: int) -> Iterator[CodebookEntry]:
    for row in dimension_rows(study_id):
        points = row.scale.points if row.scale else ()
        yield CodebookEntry(
            dimension=row.key,
            phase=row.phase,
            definition=row.definition,
            question=row.question,
            measurement=row.scale.measurement if row.scale else "",
            points=tuple((point.value, point.label) for point in points),
        )


def _pair(study_id: int) -> str:
    """Return the language pair of a tree: ``de-en`` where items say so, else one language twice."""
    languages = Item.objects.filter(study=study_id).exclude(language="").order_by("position")
    language = languages.values_list("language", flat=True).first() or "en"
    parts = language.lower().split("-")
    is_pair = len(parts) == LANGUAGES and all(len(part) in {2, 3} for part in parts)
    return "-".join(parts) if is_pair else f"{parts[0]}-{parts[0]}"


def _n_references(study_id: int) -> int:
    counted = Item.objects.filter(study=study_id).annotate(
        n=Count("references", filter=Q(references__role="reference"))
    )
    return counted.order_by("-n").values_list("n", flat=True).first() or 0
