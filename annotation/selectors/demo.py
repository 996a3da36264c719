"""Reads of the demo study."""

from datetime import datetime

from annotation.models import Judge, Study
from annotation.selectors.judging import judge_standing


def demo_study() -> Study | None:
    """Return the demo study, or None where it is not loaded."""
    return Study.objects.filter(is_demo=True).order_by("pk").first()


def demo_judge(*, at: datetime) -> Judge | None:
    """Return the demo study's judge who is no simulation and has most left to do."""
    study = demo_study()
    if study is None:
        return None
    judges = study.judges.filter(is_simulated=False, withdrawn_at__isnull=True).order_by("pk")
    with_work = (j for j in judges if judge_standing(j, at=at).state == "working")
    return next(with_work, judges.first())
