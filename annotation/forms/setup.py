"""Forms of a study's set-up: its phases, dimensions, examples, groups and layout.

The types know ModelForm with its model as an argument; at run time it takes none.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.enums import DimensionKind, Measurement
from annotation.forms.scale_points import read_points
from annotation.models import Dimension, Example, JudgeGroup, Phase, Study
from annotation.models.phase import NEEDS_SCALE
from annotation.services.protocol import NewScale

_MARKDOWN = _("Markdown: *emphasis*, lists, headings.")
_SUGGESTIONS = _("How to go about it, in Markdown; judges read it below what is asked.")
_KEY = _("It stands in exports and commands. Left empty, it is made from the name.")


def _tall(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class _KeyedForm(forms.ModelForm):  # type: ignore[type-arg]
    """A part with a short name, which may be left to be made from its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- Django's signature
        super().__init__(*args, **kwargs)
        self.fields["key"].required = False

    def clean_key(self) -> str:
        """Refuse a short name that another part of the kind has."""
        key: str = self.cleaned_data["key"]
        if key and self.siblings().filter(key=key).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("The short name %(key)s is taken."), params={"key": key})
        return key

    def siblings(self) -> QuerySet[Any]:
        """Return the parts among which the short name is one."""
        raise NotImplementedError


class PhaseForm(_KeyedForm):
    """A phase: its title, its instructions, and suggestions how to go about it."""

    class Meta:
        model = Phase
        fields = ["title", "key", "instructions", "suggestions"]
        labels = {
            "title": _("Title"),
            "key": _("Short name"),
            "instructions": _("Instructions"),
            "suggestions": _("Suggestions"),
        }
        help_texts = {"key": _KEY, "instructions": _MARKDOWN, "suggestions": _SUGGESTIONS}
        widgets = {"instructions": _tall(12), "suggestions": _tall(6)}

    def siblings(self) -> QuerySet[Any]:
        """Return the phases among which its short name is one."""
        return Phase.objects.filter(study=self.instance.study)


class ExampleForm(forms.ModelForm):  # type: ignore[type-arg]
    """An example or a counter-example, and why it is one."""

    class Meta:
        model = Example
        fields = ["kind", "source", "text", "explanation"]
        labels = {
            "kind": _("Kind"),
            "source": _("Source"),
            "text": _("Output"),
            "explanation": _("Why"),
        }
        help_texts = {"source": _("May be left empty."), "explanation": _MARKDOWN}
        widgets = {"source": _tall(4), "text": _tall(4), "explanation": _tall(3)}


class GroupForm(_KeyedForm):
    """A group of judges with its k."""

    judges_per_unit = forms.IntegerField(
        label=_("Judges per output"),
        min_value=1,
        max_value=100,
        initial=3,
        help_text=_("So many judge each output; of comparisons, each pair or set."),
    )

    class Meta:
        model = JudgeGroup
        fields = ["name", "key", "kind", "judges_per_unit"]
        labels = {"name": _("Name"), "key": _("Short name"), "kind": _("Kind")}
        help_texts = {"key": _KEY}

    def siblings(self) -> QuerySet[Any]:
        """Return the groups among which its short name is one."""
        return JudgeGroup.objects.filter(study=self.instance.study)


class LayoutForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a study is shown to its judges, and how its places are dealt."""

    page_size = forms.IntegerField(
        label=_("Outputs on a page"),
        min_value=1,
        max_value=100,
        help_text=_("Of pages, and of fixed batches: there, items in a batch."),
    )
    repeat_percent = forms.IntegerField(
        label=_("Outputs shown again, of a hundred"),
        min_value=0,
        max_value=50,
        help_text=_("To the same judge, later and unannounced: agreement with oneself."),
    )
    lease_minutes = forms.IntegerField(
        label=_("Minutes that a place is held"),
        min_value=1,
        max_value=525_600,
        help_text=_("After this an output that was not finished goes to another judge."),
    )

    pairs_per_item = forms.IntegerField(
        label=_("Pairs of each item"),
        required=False,
        min_value=1,
        max_value=1_000,
        help_text=_("Where pairs are compared. Left empty: all of them."),
    )
    sets_per_item = forms.IntegerField(
        label=_("Sets of each item"),
        min_value=1,
        max_value=1_000,
        help_text=_("Where the best and the worst are chosen."),
    )
    set_size = forms.IntegerField(
        label=_("Outputs in a set"), min_value=3, max_value=5, help_text=_("From 3 to 5.")
    )

    class Meta:
        model = Study
        fields = [
            "title", "description", "source_title", "output_title", "layout", "page_size",
            "one_dimension_per_pass", "shuffles_dimensions", "source_once_per_judge",
            "repeat_percent", "lease_minutes", "pairs_per_item", "sets_per_item", "set_size",
        ]  # fmt: skip
        labels = {
            "title": _("Title"),
            "description": _("Description"),
            "source_title": _("What the source is called"),
            "output_title": _("What the output is called"),
            "layout": _("What is shown at a time"),
            "one_dimension_per_pass": _("One dimension after the other, over all outputs shown"),
            "shuffles_dimensions": _("Each judge has the dimensions in another order"),
            "source_once_per_judge": _("Each judge sees a source once, of one system only"),
        }
        help_texts = {
            "title": _("Judges see it: it should tell nothing of the systems."),
            "description": _("For members of the study; judges do not see it."),
        }
        widgets = {"description": _tall(3)}


class DimensionForm(_KeyedForm):
    """A dimension: what is asked, how it is answered, and on which scale."""

    points = forms.CharField(
        label=_("Points"),
        required=False,
        widget=_tall(6),
        help_text=_(
            "A line for each, in the order shown: a number and its words, for example 1 Poor. "
            "Of a range: words for its ends, if wanted."
        ),
    )
    minimum = forms.FloatField(label=_("From"), required=False)
    maximum = forms.FloatField(label=_("To"), required=False)
    step = forms.FloatField(label=_("In steps of"), required=False)
    measurement = forms.ChoiceField(
        label=_("Level of measurement"),
        choices=Measurement.choices,
        required=False,
        help_text=_("Which statistics fit the scale: agreement is computed for this level."),
    )

    class Meta:
        model = Dimension
        fields = [
            "name", "key", "question", "definition", "kind",
            "is_required", "allows_no_answer", "allows_tie",
        ]  # fmt: skip
        labels = {
            "name": _("Name"),
            "key": _("Short name"),
            "question": _("Question"),
            "definition": _("Definition"),
            "kind": _("How it is answered"),
            "is_required": _("An answer is required"),
            "allows_no_answer": _("“Can’t judge” is an answer, with a reason"),
            "allows_tie": _("“No difference” is an answer"),
        }
        help_texts = {"key": _KEY, "question": _("As the judges read it.")}
        widgets = {"question": _tall(2), "definition": _tall(3)}

    def __init__(self, data: QueryDict | None = None, *, instance: Dimension) -> None:
        super().__init__(data, instance=instance, initial=_scale_values(instance))

    def siblings(self) -> QuerySet[Any]:
        """Return the dimensions among which its short name is one."""
        return Dimension.objects.filter(phase=self.instance.phase, is_current=True)

    def clean(self) -> dict[str, Any]:
        """Refuse a scale that does not fit the kind, and say at which field."""
        said = super().clean() or {}
        kind = said.get("kind")
        if kind == DimensionKind.RANGE:
            self._clean_range(said)
        elif kind in NEEDS_SCALE and not self.errors and len(said["points"]) < 2:
            self.add_error("points", _("A scale needs at least two points, a line for each."))
        if said.get("allows_tie") and kind != DimensionKind.PAIRWISE:
            self.add_error("allows_tie", _("Only where the better of two is asked for."))
        return said

    def _clean_range(self, said: dict[str, Any]) -> None:
        minimum, maximum, step = (said.get(name) for name in ("minimum", "maximum", "step"))
        for name in ("minimum", "maximum", "step"):
            if said.get(name) is None and name not in self.errors:
                self.add_error(name, _("A range needs this number."))
        if minimum is not None and maximum is not None and minimum >= maximum:
            self.add_error("maximum", _("It ends where it begins, or before."))
        if step is not None and step <= 0:
            self.add_error("step", _("A step is greater than nothing."))
        if said.get("measurement") not in {Measurement.INTERVAL, Measurement.RATIO}:
            self.add_error("measurement", _("A range is an interval or a ratio scale."))

    def clean_points(self) -> list[tuple[float, str]]:
        """Return the points as numbers and words."""
        return read_points(self.cleaned_data["points"])

    def scale(self) -> NewScale | None:
        """Return the scale that was described; None where the kind needs none."""
        said = self.cleaned_data
        if said["kind"] not in NEEDS_SCALE:
            return None
        is_range = said["kind"] == DimensionKind.RANGE
        return NewScale(
            key="",
            points=said["points"],
            limits=(said["minimum"], said["maximum"], said["step"]) if is_range else None,
            measurement=Measurement(said["measurement"] or Measurement.ORDINAL),
        )


def _scale_values(dimension: Dimension) -> dict[str, Any]:
    """Return what the fields of a scale show: of the stored one, or of a new 1-5."""
    scale = dimension.scale
    if scale is None:
        return {"points": "1\n2\n3\n4\n5", "measurement": Measurement.ORDINAL}
    lines = [f"{point.value:.15g} {point.label}".strip() for point in scale.points.all()]
    return {
        "points": "\n".join(lines),
        "minimum": scale.minimum,
        "maximum": scale.maximum,
        "step": scale.step,
        "measurement": scale.measurement,
    }
