"""Which two reports are to be compared."""

from collections.abc import Sequence
from typing import Any

from django import forms

from metrics_app.models import Analysis


class RunsForm(forms.Form):
    """Two different reports of one study."""

    first = forms.ChoiceField(label="Report")
    second = forms.ChoiceField(label="against")

    def __init__(self, *args: Any, analyses: Sequence[Analysis], **kwargs: Any) -> None:  # noqa: ANN401 -- Django's own
        """Offer the reports that are there, the older one first."""
        super().__init__(*args, **kwargs)
        choices = [(str(one.pk), _label(one)) for one in analyses]
        for name, place in (("first", 1), ("second", 0)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = choices
            field.widget.attrs["class"] = "input"
            field.initial = choices[place][0] if len(choices) > place else ""

    def clean(self) -> dict[str, Any]:
        """Refuse a report against itself."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("first") and cleaned.get("first") == cleaned.get("second"):
            raise forms.ValidationError("Choose two different reports.")
        return cleaned


def _label(analysis: Analysis) -> str:
    words = f"{analysis.created_at:%Y-%m-%d %H:%M}, data {analysis.data_hash[:8]}"
    return f"{words}, {analysis.name.lower()}" if analysis.name else words
