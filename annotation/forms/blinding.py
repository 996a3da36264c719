"""What is hidden until a study is closed, and a look behind it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.selectors.doors.blinding import RESULTS_SEEN, SYSTEMS_SEEN


class BlindingForm(forms.Form):
    """The rule of a study."""

    hides_systems = forms.BooleanField(
        label=_("Hide the names of systems until the study is closed"), required=False
    )
    hides_results = forms.BooleanField(
        label=_("Hide ratings and results until the study is closed"), required=False
    )
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_("Only needed after the opening, to show what was hidden."),
    )


class LookForm(forms.Form):
    """A look behind the blinding."""

    kind = forms.ChoiceField(choices=[(SYSTEMS_SEEN, ""), (RESULTS_SEEN, "")])
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)
