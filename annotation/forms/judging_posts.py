"""A judge's page sent as one form, where no script runs."""

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from django.db import transaction

from annotation.enums import RatingSource
from annotation.forms.judging import Question, questions_of
from annotation.models import Assignment
from annotation.selectors.judge_pages import Page
from annotation.services.hand_in import hand_in
from annotation.services.ratings import Answer, Change, submit_rating, withdraw_rating


@transaction.atomic
def store_page(page: Page, *, data: Mapping[str, str], at: datetime) -> None:
    """Store every answer of a posted page that differs, and hand its outputs in on the last part.

    Raises
    ------
    ValidationError
        An answer is off its scale, or a required one is missing; nothing is stored.
    """
    for sheet in page.sheets:
        for question in questions_of(page, sheet):
            _store(sheet.assignment, question, question.read(data), at=at)
        if page.is_last_part:
            hand_in(sheet.assignment, at=at)


def _store(
    assignment: Assignment, question: Question, answer: Answer | None, *, at: datetime
) -> None:
    if answer == question.stored:
        return
    change = Change(client_uuid=uuid4(), source=RatingSource.CLICK, version=question.version)
    if answer is None:
        withdraw_rating(
            assignment, dimension=question.dimension, fact=question.fact, change=change, at=at
        )
    else:
        submit_rating(
            assignment,
            dimension=question.dimension,
            fact=question.fact,
            answer=answer,
            change=change,
            at=at,
        )
