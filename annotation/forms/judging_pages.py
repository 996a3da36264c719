"""The judge's page as the templates and the script are given it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.functional import cached_property

from annotation.design.choices import LETTERS
from annotation.enums import Layout
from annotation.forms.judging import Question, questions_of
from annotation.models import Item, Judge, Phase
from annotation.selectors.judge_pages import Page, Sheet


@dataclass(frozen=True)
class ShownSheet:
    """One output with its questions."""

    number: int
    handle: UUID
    item: Item
    text: str
    questions: list[Question]
    # The outputs compared, as (letter, text); none where one is judged.
    members: list[tuple[str, str]]

    @property
    def n_answered(self) -> int:
        """How many of its questions have an answer."""
        return sum(question.rating is not None for question in self.questions)


class ShownPage:
    """A page with everything its template shows and its script needs; no system is in it."""

    def __init__(self, page: Page, *, judge: Judge, token: str) -> None:
        self.page = page
        self.judge = judge
        self.study = judge.study
        self.token = token

    @cached_property
    def sheets(self) -> list[ShownSheet]:
        """Return the outputs of the page."""
        return [self._shown(sheet) for sheet in self.page.sheets]

    @property
    def key(self) -> str:
        """What the script calls the page."""
        return f"{self.page.draw}.{self.page.number}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return page_url(self.token, draw=self.page.draw, number=self.page.number)

    @property
    def previous_url(self) -> str:
        """The address of the page before it; empty on the first."""
        if self.page.number > 1:
            return page_url(self.token, draw=self.page.draw, number=self.page.number - 1)
        return page_url(self.token, draw=self.page.draw - 1) if self.page.draw > 1 else ""

    @property
    def phase(self) -> Phase:
        """The phase asked on this page."""
        return self.page.part.phase

    @property
    def is_unread(self) -> bool:
        """Whether the judge has yet to read the instructions of its phase."""
        return self.phase.key not in self.judge.preferences.get("phases_read", [])

    @property
    def template(self) -> str:
        """The arrangement: two panes for one source, cards for several, rivals side by side."""
        if self.page.part.is_comparison:
            return "annotation/judge/_compare.html"
        if self.study.layout in {Layout.PAGE, Layout.BATCH}:
            return "annotation/judge/_cards.html"
        if self.page.part.asks_facts:
            return "annotation/judge/_facts.html"
        return "annotation/judge/_bench.html"

    def html(self) -> str:
        """Return the page's main part as HTML, in the judge's language."""
        language = self.judge.preferences.get("language") or translation.get_language()
        with translation.override(language):
            return render_to_string("annotation/judge/_main.html", {"shown": self})

    def as_json(self) -> dict[str, Any]:
        """Return the page as the API sends it."""
        return {
            "key": self.key,
            "url": self.url,
            "is_unread": self.is_unread,
            "html": "" if self.is_unread else self.html(),
        }

    def _shown(self, sheet: Sheet) -> ShownSheet:
        assignment = sheet.assignment
        version = assignment.unit.output_version
        return ShownSheet(
            number=assignment.position or 0,
            handle=assignment.handle,
            item=assignment.unit.item,
            text=version.text if version else "",
            questions=questions_of(self.page, sheet),
            members=[
                (letter, member.text)
                for letter, member in zip(LETTERS, sheet.members, strict=False)
            ],
        )


def page_url(token: str, *, draw: int, number: int = 1) -> str:
    """Return the address of a page of a judge's personal link."""
    if number == 1:
        return reverse("annotation:judge_page", args=[token, draw])
    return reverse("annotation:judge_page", args=[token, draw, number])
