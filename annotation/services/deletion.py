"""Deleting a draft, with all that was put into it."""

import logging
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet

from annotation.enums import Role
from annotation.models import Output, OutputVersion, Study
from annotation.selectors.access import role_in
from annotation.selectors.members import is_pending, members_of
from annotation.selectors.setup import why_not_deleted
from annotation.services.uploads import findings_path

logger = logging.getLogger(__name__)
AT_ONCE = 5_000


@transaction.atomic
def delete_study(study: Study, *, actor: User | None = None) -> None:
    """Delete a draft that holds no ratings: material, set-up, members, log and files.

    Accounts that were made for it and that nobody has taken up go as well.

    Raises
    ------
    ValidationError
        Where the study was opened or holds ratings, work on it is under way, or the actor is no
        owner (any more).
    Study.DoesNotExist
        Where it was deleted at this moment.
    """
    # Locked: whoever opens it at this moment waits, and then finds it gone.
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if actor is not None and role_in(actor, locked) != Role.OWNER:
        raise ValidationError("You are no longer an owner of this study.")
    if reason := why_not_deleted(locked):
        raise ValidationError(reason)
    transaction.on_commit(partial(_delete_files, _files_of(locked)))
    invited = [member.user for member in members_of(locked) if is_pending(member)]
    _delete_rows(locked)
    for user in invited:
        user.delete()
    logger.info("The draft %s was deleted by %s", study.slug, actor or "a command")


def _delete_rows(study: Study) -> None:
    """Delete from the leaves to the root, in pieces: of outputs there may be very many."""
    in_order: list[QuerySet[Any]] = [
        study.units.all(),
        OutputVersion.objects.filter(output__item__study=study),
        Output.objects.filter(item__study=study),
        study.items.all(),
        study.batches.all(),
        study.systems.all(),
        study.judges.all(),
        study.phases.all(),
        study.scales.all(),
    ]
    for rows in in_order:
        while some := list(rows.order_by().values_list("pk", flat=True)[:AT_ONCE]):
            rows.model.objects.filter(pk__in=some).delete()
    study.delete()


def _files_of(study: Study) -> list[Path]:
    """Return the files and folders that are the study's alone."""
    uploads = list(study.uploads.all())
    jobs = study.jobs.values_list("pk", flat=True)
    return [
        *(Path(upload.file.path) for upload in uploads),
        *(findings_path(upload) for upload in uploads),
        *(Path(settings.MEDIA_ROOT) / "exports" / str(job) for job in jobs),
    ]


def _delete_files(paths: list[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
