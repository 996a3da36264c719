"""Taking a loaded file back, as long as nobody has judged what it brought."""

from collections.abc import Iterator
from datetime import datetime
from typing import TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotation.enums import Origin, StudyState, UnitKind, UploadKind, UploadState
from annotation.models import (
    Assignment,
    Choice,
    Item,
    JudgeGroup,
    Output,
    OutputVersion,
    Rating,
    Study,
    StudyEvent,
    System,
    Unit,
    UnitMember,
    Upload,
    Visit,
)
from annotation.services.loading import make_places_for

CHUNK = 5_000
T = TypeVar("T")
_HAS_RATING = Exists(
    Rating.objects.filter(assignment=OuterRef("assignment"), dimension=OuterRef("dimension"))
)


@transaction.atomic
def undo_upload(upload: Upload, *, at: datetime, user: User | None = None) -> None:
    """Make the study what it was before the file was loaded.

    Raises
    ------
    ValidationError
        If the file is not loaded, the study is frozen, or a judge was given one of its texts.
    """
    locked = Upload.objects.select_for_update().select_related("study").get(pk=upload.pk)
    if locked.state != UploadState.LOADED:
        raise ValidationError("Only a loaded file can be undone.")
    if locked.study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; nothing can be taken out.")
    undo = _undo_outputs if locked.kind == UploadKind.OUTPUTS else _undo_ratings
    undo(locked)
    locked.state = UploadState.UNDONE
    locked.save(update_fields=["state"])
    StudyEvent.objects.create(
        study=locked.study,
        kind=f"{locked.kind}_undone",
        actor=user,
        detail={"file": locked.name},
        at=at,
    )


def why_not_undone(upload: Upload) -> str:
    """Return why an upload cannot be undone, or an empty text."""
    if upload.state != UploadState.LOADED:
        return "The file is not loaded."
    if upload.kind != UploadKind.OUTPUTS:
        return ""
    if _is_given(upload):
        return "Outputs of it have been given to judges or rated; ratings are kept."
    if _is_replaced(upload):
        return "Texts of it have been replaced by a later file; undo that one first."
    return ""


def _is_given(upload: Upload) -> bool:
    """Whether a judge has one of the texts. A page asks it, so it stops at the first."""
    if not upload.study.judges.exists():
        return False
    taken = Assignment.objects.filter(judge__isnull=False)
    return (
        taken.filter(unit__output_version__upload=upload).exists()
        or taken.filter(unit__unit_members__output_version__upload=upload).exists()
    )


def _is_replaced(upload: Upload) -> bool:
    """Whether a later file brought other texts; a million are looked at only where one came."""
    later = upload.study.events.filter(kind="outputs_loaded", at__gt=upload.loaded_at)
    return later.exists() and OutputVersion.objects.filter(upload=upload, is_current=False).exists()


def _undo_outputs(upload: Upload) -> None:
    reason = why_not_undone(upload)
    if reason:
        raise ValidationError(f"This cannot be undone: {reason}")
    versions = list(
        OutputVersion.objects.filter(upload=upload).values_list("pk", "output_id", "number")
    )
    for some in _chunks(versions):
        ids = [pk for pk, _, _ in some]
        _compared(ids).delete()
        Unit.objects.filter(output_version__in=ids).delete()
        OutputVersion.objects.filter(pk__in=ids).delete()
        _bring_back(upload.study, {output: number - 1 for _, output, number in some if number > 1})
        new = [output for _, output, number in some if number == 1]
        Output.objects.filter(pk__in=new, versions__isnull=True).delete()
    Item.objects.filter(study=upload.study, outputs__isnull=True, units__isnull=True).delete()
    System.objects.filter(study=upload.study, outputs__isnull=True).delete()


def _compared(versions: "QuerySet[OutputVersion] | list[int]") -> "QuerySet[Unit]":
    """Return the pairs and sets of which one of the texts is a member."""
    members = UnitMember.objects.filter(output_version__in=versions)
    return Unit.objects.filter(pk__in=members.values("unit"))


def _bring_back(study: Study, numbers: dict[int, int]) -> None:
    """Make the texts that were replaced current again, with a unit each."""
    older = [
        version
        for version in OutputVersion.objects.filter(output__in=numbers).select_related("output")
        if version.number == numbers[version.output_id]
    ]
    OutputVersion.objects.filter(pk__in=[version.pk for version in older]).update(is_current=True)
    have = set(
        Unit.objects.filter(output_version__in=older).values_list("output_version", flat=True)
    )
    units = Unit.objects.bulk_create(
        Unit(
            study=study,
            item_id=version.output.item_id,
            system_id=version.output.system_id,
            output_version=version,
        )
        for version in older
        if version.pk not in have
    )
    make_places_for(study, [unit.pk for unit in units])


def _undo_ratings(upload: Upload) -> None:
    """Take out what bears the moment of the load, and judges and groups left without work."""
    if upload.loaded_at is None:
        return
    ratings = Rating.objects.filter(
        rated_at=upload.loaded_at,
        assignment__origin=Origin.IMPORTED,
        assignment__unit__study=upload.study,
    )
    works = list(ratings.values_list("assignment", flat=True).distinct())
    for some in _chunks(works):
        ratings.filter(assignment__in=some).delete()
        Choice.objects.filter(assignment__in=some).exclude(_HAS_RATING).delete()
        empty = Assignment.objects.filter(pk__in=some, ratings__isnull=True)
        Visit.objects.filter(assignment__in=empty).delete()
        empty.delete()
    if upload.study.opened_at is None:  # pairs and sets that the file brought
        brought = upload.study.units.exclude(kind=UnitKind.SINGLE).filter(assignments__isnull=True)
        brought.delete()
    came = upload.study.judges.filter(joined_at=upload.loaded_at).exclude(import_key="")
    came.filter(assignments__isnull=True).delete()
    JudgeGroup.objects.filter(
        study=upload.study, judges__isnull=True, assignments__isnull=True
    ).exclude(pk__in=_declared(upload)).delete()


def _declared(upload: Upload) -> list[int]:
    """Return the groups that were there before; they stay, though nobody is in them."""
    before = (upload.report or {}).get("groups_before")
    groups = upload.study.groups.values_list("pk", flat=True)
    return list(groups) if before is None else list(before)


def _chunks(rows: list[T]) -> Iterator[list[T]]:
    for first in range(0, len(rows), CHUNK):
        yield rows[first : first + CHUNK]
