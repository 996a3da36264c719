"""What is asked of a report beside what every report holds."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from metrics_app.reports.presets import PRESETS


class ReportForm(forms.Form):
    """The choices that a report is requested with; none is needed."""

    with_excluded = forms.BooleanField(required=False)
    takes_time = forms.BooleanField(required=False)
    preset = forms.ChoiceField(
        required=False,
        choices=[("", ""), *((key, one.title) for key, one in PRESETS.items())],
        error_messages={"invalid_choice": _("There is no preset %(value)s.")},
    )
    predictors = forms.MultipleChoiceField(
        required=False,
        error_messages={"invalid_choice": _("This study has no metric %(value)s.")},
    )

    def __init__(self, *args: Any, metrics: Sequence[str], **kwargs: Any) -> None:  # noqa: ANN401 -- Django's own
        super().__init__(*args, **kwargs)
        field = self.fields["predictors"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(key, key) for key in metrics]

    @property
    def first_error(self) -> str:
        """The first sentence of what is wrong."""
        return next((str(error) for errors in self.errors.values() for error in errors), "")
