"""The exclusion rules of a study, what became of them, and who is excluded."""

from dataclasses import dataclass

from annotation.design.exclusion_rules import read_rules
from annotation.models import Judge, Study, StudyEvent

RULES_CHANGED = "exclusion_rules_changed"


@dataclass(frozen=True, slots=True)
class ExclusionRulesRow:
    """Rules in words, later changes of them, and judges who are excluded now.

    Attributes
    ----------
    rules : tuple of str
        The rules that hold now.
    changes : tuple of (moment, before, now, reason)
        Moments are ISO 8601.
    excluded : tuple of (judge, moment, reason)
        The reason is the sentence of a rule where one was applied; it then begins with ``Rule:``.
    """

    rules: tuple[str, ...]
    changes: tuple[tuple[str, str, str, str], ...]
    excluded: tuple[tuple[str, str, str], ...]


def exclusion_rules_of(study_id: int) -> ExclusionRulesRow:
    """Return the exclusion rules of a study."""
    study = Study.objects.only("exclusion_rules").get(pk=study_id)
    changes = StudyEvent.objects.filter(study=study_id, kind=RULES_CHANGED).order_by("pk")
    excluded = Judge.objects.filter(study=study_id, excluded_at__isnull=False).order_by("pk")
    return ExclusionRulesRow(
        rules=tuple(map(str, read_rules(study.exclusion_rules))),
        changes=tuple(
            (change.at.isoformat(), change.detail["before"], change.detail["now"], change.reason)
            for change in changes
        ),
        excluded=tuple(
            (judge.pseudonym, judge.excluded_at.isoformat(), judge.excluded_by)
            for judge in excluded
            if judge.excluded_at is not None
        ),
    )
