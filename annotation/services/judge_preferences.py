"""What a judge sets for themselves, and which instructions they have read."""

from collections.abc import Mapping
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.models import Judge, Phase

# Each preference and what it may be; the first is what holds until the judge says otherwise.
PREFERENCES: dict[str, tuple[object, ...]] = {
    "auto_next": (False, True),
    "shortcuts": ("on", "alt", "off"),
    "theme": ("auto", "light", "dark", "sepia"),
    "text_size": ("normal", "large", "larger"),
    "divider": tuple(range(30, 61)),
    "language": ("", "en", "de", "fr", "es", "pt", "zh-hans", "ja", "ar"),
}


@transaction.atomic
def set_preferences(judge: Judge, changes: Mapping[str, object]) -> dict[str, object]:
    """Store the given preferences and return all of them.

    Raises
    ------
    ValidationError
        A name or value is none of those declared; nothing is stored.
    """
    for name, value in changes.items():
        allowed = PREFERENCES.get(name)
        if allowed is None:
            raise ValidationError(_("There is no preference “%(name)s”."), params={"name": name})
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            raise ValidationError(
                _("“%(value)s” is not allowed for %(name)s."),
                params={"value": value, "name": name},
            )
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    locked.preferences = {**locked.preferences, **changes}
    locked.save(update_fields=["preferences"])
    judge.preferences = locked.preferences
    return dict(locked.preferences)


@transaction.atomic
def mark_read(judge: Judge, phase: Phase, *, at: datetime) -> None:
    """Remember that the judge has read the instructions of a phase."""
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    read = locked.preferences.get("phases_read", [])
    if phase.key not in read:
        locked.preferences = {**locked.preferences, "phases_read": [*read, phase.key]}
    locked.instructed_at = locked.instructed_at or at
    locked.save(update_fields=["preferences", "instructed_at"])
    judge.preferences, judge.instructed_at = locked.preferences, locked.instructed_at
