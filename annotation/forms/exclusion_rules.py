"""The exclusion rules of a study: a threshold for each kind, or none."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.design.exclusion_rules import (
    DISAGREEING,
    FAST,
    KINDS,
    MAX_OUTPUTS,
    MIN_OUTPUTS,
    STRAIGHT,
    USUAL_OUTPUTS,
)

_FAST_HINT = _("Seconds. Active time is known only of what is judged here.")
_STRAIGHT_HINT = _(
    "Per cent. On each question the answer that the judge gave most often counts; of a question "
    "with two points, it is seldom below 50."
)
_DISAGREEING_HINT = _(
    "Pearson's correlation with the mean of the others in the group, from −1 to 1; the mean over "
    "the questions."
)

_OUTPUTS_LABELS = {
    FAST: _("Active time: from how many outputs on"),
    STRAIGHT: _("Same answer: from how many outputs on"),
    DISAGREEING: _("Agreement: from how many outputs on"),
}
_OUTPUTS_HINT = _("The rule above says nothing of judges who rated fewer.")


class RulesForm(forms.Form):
    """A threshold and a number of outputs for each kind; a threshold left empty is no rule."""

    fast = forms.FloatField(
        label=_("Median active time on an output below"),
        required=False,
        min_value=0,
        max_value=86_400,
        help_text=_FAST_HINT,
    )
    same_answer = forms.FloatField(
        label=_("Share of the same answer above"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=_STRAIGHT_HINT,
    )
    disagreeing = forms.FloatField(
        label=_("Agreement with the other judges below"),
        required=False,
        min_value=-1,
        max_value=1,
        help_text=_DISAGREEING_HINT,
    )
    reason = forms.CharField(label=_("Why the rules change now"), required=False, max_length=200)

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- Django's own
        super().__init__(*args, **kwargs)
        for kind, label in _OUTPUTS_LABELS.items():
            self.fields[f"{kind}_outputs"] = forms.IntegerField(
                label=label,
                required=False,
                min_value=MIN_OUTPUTS,
                max_value=MAX_OUTPUTS,
                initial=USUAL_OUTPUTS,
                help_text=_OUTPUTS_HINT,
            )
        self.order_fields([name for kind in KINDS for name in (kind, f"{kind}_outputs")])

    def declared(self) -> list[dict[str, Any]]:
        """Return the rules as plain values."""
        said = self.cleaned_data
        return [
            {
                "kind": kind,
                "threshold": said[kind],
                "n_outputs": said[f"{kind}_outputs"] or USUAL_OUTPUTS,
            }
            for kind in KINDS
            if said[kind] is not None
        ]


class UnderRuleForm(forms.Form):
    """Under which rule a judge is excluded, and whether their places are given to others."""

    kind = forms.ChoiceField(choices=[(kind, "") for kind in (FAST, STRAIGHT, DISAGREEING)])
    reopens_places = forms.BooleanField(required=False)
