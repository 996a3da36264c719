"""A question as HTML. Blank ones differ between outputs in their name only: rendered once."""

from dataclasses import replace
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from annotation.models import Dimension

if TYPE_CHECKING:
    from annotation.forms.judging import Question

# Stands where the name will: characters of private use, which no dimension's text needs.
_NAME = "\ue000name\ue001"
_MOST_KNOWN = 2_000
_Key = tuple[int, str | None, bool, int]
# With each the very dimension it was made of: one that was read anew is rendered anew.
_blank: dict[_Key, tuple[Dimension, str]] = {}


def question_html(question: "Question", template: str, *, is_card: bool = False) -> SafeString:
    """Return the HTML of a question in the language that is active."""
    if question.rating is not None or question.fact is not None:
        return _rendered(question, template, is_card=is_card)
    dimension = question.dimension
    key = (dimension.pk, get_language(), is_card, question.n_members)
    known = _blank.get(key)
    if known is None or known[0] is not dimension:
        if len(_blank) >= _MOST_KNOWN:
            _blank.clear()
        html = _rendered(replace(question, name=_NAME), template, is_card=is_card)
        known = _blank[key] = dimension, html
    return mark_safe(known[1].replace(_NAME, escape(question.name)))  # noqa: S308 -- a template made it


def _rendered(question: "Question", template: str, *, is_card: bool) -> SafeString:
    return render_to_string(template, {"question": question, "is_card": is_card})
