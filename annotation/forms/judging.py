"""Questions of the judge's page: how each kind of dimension is shown and how its answer is read.

A new kind of dimension is one entry of KINDS and one template under ``judge/questions/``.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from annotation.enums import DimensionKind
from annotation.forms.judging_choices import BEST, WORST, Row, rows_of
from annotation.forms.question_html import question_html
from annotation.models import Dimension, Fact, Rating, ScalePoint
from annotation.selectors.judge_pages import Page, Sheet
from annotation.services.ratings import Answer

# The suffix of the field that says why there is no answer.
REASON = ".reason"
REASONS = {
    "not understandable": _("I do not understand the text"),
    "broken text": _("The text is broken or empty"),
    "lacks knowledge": _("I know too little about the subject"),
    "does not apply": _("The question does not apply"),
    "other": _("Another reason"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One point of a scale as a radio button: its value, its words, the key that chooses it."""

    value: str
    label: str
    key: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class End:
    """A value of a range that is written at its slider, with its words where it has some."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for giving no answer: what is stored, and its words."""

    code: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of dimension is shown and read."""

    template: str
    read: Callable[[str], Answer]
    # The suffixes of its fields; where there are several, their answers stand with > between.
    fields: tuple[str, ...] = ("",)


def _read_number(text: str) -> Answer:
    try:
        value = float(text)
    except ValueError:
        raise _not_a_number(text) from None
    if not math.isfinite(value):
        raise _not_a_number(text)
    return Answer(value=value)


def _not_a_number(text: str) -> ValidationError:
    return ValidationError(_("“%(text)s” is not a number."), params={"text": text[:40]})


def _read_text(text: str) -> Answer:
    return Answer(text=text)


_FOLDER = "annotation/judge/questions"
KINDS = {
    DimensionKind.POINTS: Kind(f"{_FOLDER}/_points.html", _read_number),
    DimensionKind.RANGE: Kind(f"{_FOLDER}/_range.html", _read_number),
    DimensionKind.FACTS: Kind(f"{_FOLDER}/_fact.html", _read_number),
    DimensionKind.COMMENT: Kind(f"{_FOLDER}/_comment.html", _read_text),
    DimensionKind.PAIRWISE: Kind(f"{_FOLDER}/_choice.html", _read_text),
    DimensionKind.BEST_WORST: Kind(f"{_FOLDER}/_choice.html", _read_text, (BEST, WORST)),
}


@dataclass(frozen=True, slots=True)
class Question:
    """One dimension asked of one output, of one of its facts, or of outputs compared."""

    name: str
    dimension: Dimension
    fact: Fact | None
    rating: Rating | None
    n_members: int = 0

    @property
    def kind(self) -> Kind:
        """How this question is shown and read."""
        return KINDS[DimensionKind(self.dimension.kind)]

    @property
    def version(self) -> int:
        """The version of the stored answer; 0 where there is none."""
        return self.rating.version if self.rating else 0

    @property
    def stored(self) -> Answer | None:
        """The stored answer; None where the question is blank."""
        if self.rating is None:
            return None
        return Answer(self.rating.value, self.rating.text, self.rating.missing_reason)

    @property
    def answer(self) -> str:
        """The stored number or text, as a form field holds it."""
        if self.rating is None:
            return ""
        return self.rating.text or plain(self.rating.value)

    @property
    def html(self) -> SafeString:
        """The question as HTML."""
        return question_html(self, self.kind.template)

    @property
    def card_html(self) -> SafeString:
        """The question as HTML on a card, where less is written out."""
        return question_html(self, self.kind.template, is_card=True)

    @property
    def reasons(self) -> list[Reason]:
        """The reasons to choose from; one of another origin is kept in its own words."""
        chosen = (self.rating and self.rating.missing_reason) or ""
        words = REASONS if chosen in {"", *REASONS} else {**REASONS, chosen: chosen}
        return [Reason(code, str(label), code == chosen) for code, label in words.items()]

    @property
    def ends(self) -> list[End]:
        """Minimum, anchors and maximum of a range, in order."""
        scale = self.dimension.scale
        if scale is None or scale.minimum is None or scale.maximum is None:
            return []
        labels = {scale.minimum: "", scale.maximum: ""}
        labels |= {point.value: point.label for point in scale.points.all()}
        return [End(plain(value), labels[value]) for value in sorted(labels)]

    @property
    def choices(self) -> list[Choice]:
        """The points of the scale."""
        scale = self.dimension.scale
        points = list(scale.points.all()) if scale else []
        keys = digit_keys(points)
        chosen = self.rating.value if self.rating else None
        return [
            Choice(plain(point.value), point.label, key, point.value == chosen)
            for point, key in zip(points, keys, strict=True)
        ]

    @property
    def rows(self) -> list[Row]:
        """The rows of a comparison: one for a pair, best and worst for a set."""
        return rows_of(self.dimension, n_members=self.n_members, chosen=self.answer)

    def read(self, data: Mapping[str, str]) -> Answer | None:
        """Return what a posted form answers; None where it leaves the question blank."""
        reason = data.get(self.name + REASON, "").strip()
        parts = [data.get(self.name + suffix, "").strip() for suffix in self.kind.fields]
        text = ">".join(part for part in parts if part)
        if text:
            return self.kind.read(text)
        return Answer(missing_reason=reason) if reason else None


def plain(value: float | None) -> str:
    """Return a number as a form field holds it: 3, not 3.0; 0.5 in any language."""
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else repr(value)


def digit_keys(points: list[ScalePoint]) -> list[str]:
    """Return the digit that chooses each point.

    It is the point's own value where the values are 1 to n, in either direction, else its place.
    """
    values = [point.value for point in points]
    if sorted(values) == list(range(1, len(values) + 1)):
        return [plain(value) if value <= 9 else "" for value in values]
    return [str(place) if place <= 9 else "" for place in range(1, len(points) + 1)]


def dimension_reference(dimension: Dimension, *, is_shared: bool) -> str:
    """Return how an address names a dimension: its key, after its phase where keys are shared."""
    return f"{dimension.phase.key}:{dimension.key}" if is_shared else dimension.key


def questions_of(page: Page, sheet: Sheet) -> list[Question]:
    """Return the questions that a page asks of one output, in order."""
    questions = []
    for dimension in page.part.dimensions:
        if dimension.kind not in KINDS:
            continue
        reference = dimension_reference(dimension, is_shared=dimension.key in page.shared_keys)
        name = f"{sheet.assignment.handle}/ratings/{reference}/"
        if dimension.kind == DimensionKind.FACTS:
            questions += [
                Question(
                    f"{name}{fact.position}/",
                    dimension,
                    fact,
                    sheet.ratings.get((dimension.pk, fact.pk)),
                )
                for fact in sheet.facts
            ]
        else:
            rating = sheet.ratings.get((dimension.pk, None))
            n_members = len(sheet.members)
            questions.append(Question(name, dimension, None, rating, n_members))
    return questions
