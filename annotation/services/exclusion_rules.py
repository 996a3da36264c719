"""Exclusion rules of a study: declared, changed with a reason, and applied by hand."""

from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.design.exclusion_rules import plain_rules, read_rules, told_rules
from annotation.enums import StudyState
from annotation.models import Judge, Study, StudyEvent
from annotation.selectors.exclusion_rules import judged_judges, rules_are_fixed
from annotation.services.judges import exclude_judge


@transaction.atomic
def set_exclusion_rules(
    study: Study, declared: object, *, at: datetime, actor: User | None = None, reason: str = ""
) -> Study:
    """Set the rules of a study; once it is opened or rated only with a reason, which is reported.

    Raises
    ------
    ValidationError
        Where a rule is none, the study is frozen, or is opened or rated and no reason is given.
    """
    try:
        rules = read_rules(declared)
    except ValueError as refusal:
        raise ValidationError(str(refusal)) from None
    locked = Study.objects.select_for_update().get(pk=study.pk)
    before = read_rules(locked.exclusion_rules)
    if rules == before:
        return locked
    if locked.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen: its rules stay as they are.")
    is_fixed = rules_are_fixed(locked)
    if is_fixed and not reason.strip():
        raise ValidationError(
            "The rules were fixed before the first rating. Say why they change; it stays in the "
            "report."
        )
    locked.exclusion_rules = plain_rules(rules)
    locked.save(update_fields=["exclusion_rules"])
    StudyEvent.objects.create(
        study=locked,
        kind="exclusion_rules_changed" if is_fixed else "exclusion_rules_set",
        actor=actor,
        reason=reason.strip(),
        detail={"before": told_rules(before), "now": told_rules(rules)},
        at=at,
    )
    return locked


@transaction.atomic
def exclude_under_rule(
    judge: Judge, kind: str, *, at: datetime, actor: User | None = None
) -> Judge:
    """Exclude a judge whom the rule of a kind catches now; the reason is the rule's sentence.

    Raises
    ------
    ValidationError
        Where no such rule catches the judge (any more), or they are excluded already.
    """
    study = Study.objects.get(pk=judge.study_id)
    caught = [
        verdict
        for one in judged_judges(study)
        if one.judge == judge
        for verdict in one.verdicts
        if verdict.rule.kind == kind and verdict.is_caught
    ]
    if not caught:
        raise ValidationError(f"No rule of this kind catches {judge.pseudonym} now.")
    return exclude_judge(judge, reason=caught[0].reason, at=at, actor=actor)
