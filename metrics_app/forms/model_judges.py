"""A language model as a judge, and one run of it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from metrics_app.loaders.judging import Asked
from metrics_app.metrics.judging.question import FIELDS, TEMPLATE, check_template
from metrics_app.services.model_judges import JudgeChoice, endpoint_names


class ModelJudgeForm(forms.Form):
    """How a language model is asked; it cannot be changed later."""

    endpoint = forms.ChoiceField(
        label=_("Endpoint"), help_text=_("Named by who runs this installation, with its key.")
    )
    model = forms.CharField(
        label=_("Model"), max_length=200, help_text=_("As the provider writes it, with its date.")
    )
    temperature = forms.FloatField(
        label=_("Temperature"), min_value=0, max_value=2, initial=0, widget=forms.TextInput
    )
    n_samples = forms.IntegerField(
        label=_("Samples per question"), min_value=1, max_value=50, initial=1
    )
    asks_logprobs = forms.BooleanField(
        label=_("Weight the points by their probabilities"),
        required=False,
        initial=True,
        help_text=_("Switch it off where the endpoint refuses log-probabilities."),
    )
    max_tokens = forms.IntegerField(
        label=_("Longest answer, in tokens"), min_value=1, max_value=4_000, initial=8
    )
    price_in = forms.FloatField(label=_("Price of a million tokens in"), min_value=0, initial=0)
    price_out = forms.FloatField(label=_("Price of a million tokens out"), min_value=0, initial=0)
    requests_per_minute = forms.IntegerField(
        label=_("Requests a minute, at most"),
        min_value=0,
        max_value=100_000,
        initial=0,
        help_text=_("0 is as fast as answers come."),
    )
    n_parallel = forms.IntegerField(
        label=_("Questions at once"), min_value=1, max_value=32, initial=4
    )
    template = forms.CharField(
        label=_("Prompt"),
        widget=forms.Textarea(attrs={"rows": 14, "class": "prompt"}),
        initial=TEMPLATE,
        max_length=20_000,
        help_text=_("Fields: {fields}").format(fields=", ".join(f"{{{name}}}" for name in FIELDS)),
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        endpoint = self.fields["endpoint"]
        if isinstance(endpoint, forms.ChoiceField):
            endpoint.choices = [(name, name) for name in endpoint_names()]

    def clean_template(self) -> str:
        """Refuse a prompt that cannot work."""
        # A browser sends line ends of its own; the prompt and its hash know one kind.
        template: str = self.cleaned_data["template"].replace("\r\n", "\n")
        try:
            check_template(template)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return template

    @property
    def choice(self) -> JudgeChoice:
        """Return what was chosen."""
        return JudgeChoice(
            **{each.name: self.cleaned_data[each.name] for each in fields(JudgeChoice)}
        )


class JudgingForm(forms.Form):
    """What a language model judges in one run, and what it may cost."""

    dimension = forms.MultipleChoiceField(label=_("Dimensions"), required=False)
    cap = forms.FloatField(
        label=_("Stop before it costs more than"),
        required=False,
        min_value=0,
        help_text=_("In the provider's currency; empty is no cap."),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, asked: list[Asked]) -> None:
        super().__init__(data)
        dimension = self.fields["dimension"]
        if isinstance(dimension, forms.MultipleChoiceField):
            dimension.choices = [(each.key, each.question.dimension) for each in asked]
