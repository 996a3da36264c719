"""Which metrics to run, and files of scores made elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from metrics_app.metrics.choices import name_of, read_choice, read_choices
from metrics_app.metrics.contract import Metric
from metrics_app.metrics.registry import REGISTRY
from metrics_app.models import Direction
from metrics_app.services.metric_setup import model_names
from metrics_app.services.trained_metrics import VARIANTS, Training

FAMILIES = {
    "rouge": _("ROUGE"),
    "translation": _("BLEU, chrF and TER"),
    "meteor": _("METEOR"),
    "surface": _("Length, copying and repetition"),
    "nouveau": _("Nouveau-ROUGE"),
    "embedding": _("Embeddings"),
    "likelihood": _("Likelihoods"),
}


class MetricsForm(forms.Form):
    """Metrics by name: ticked ones, and others written with their parameters."""

    metric = forms.MultipleChoiceField(
        required=False, choices=[(key, metric.label) for key, metric in REGISTRY.items()]
    )
    more = forms.CharField(
        label=_("With other parameters"),
        required=False,
        max_length=2_000,
        help_text=_("For example rouge1_r, bleu(max_n=2,smoothing=floor), bertscore(model=bert)."),
    )

    def clean_more(self) -> list[Metric]:
        """Return the metrics that are written out."""
        text: str = self.cleaned_data["more"]
        try:
            return read_choices(text) if text.strip() else []
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> None:
        """Refuse an empty choice."""
        if not self.errors and not (self.cleaned_data["metric"] or self.cleaned_data["more"]):
            raise ValidationError(_("Choose at least one metric."))

    @property
    def chosen(self) -> list[Metric]:
        """Return every chosen metric once."""
        ticked = map(read_choice, self.cleaned_data["metric"])
        every: Iterable[Metric] = [*ticked, *self.cleaned_data["more"]]
        return list({name_of(metric): metric for metric in every}.values())


class TrainingForm(forms.Form):
    """A metric that learns from the study's own ratings."""

    method = forms.ChoiceField(
        label=_("What is trained"),
        choices=[
            ("estimator", _("A quality estimator without references")),
            *((f"nouveau{variant}", f"Nouveau-ROUGE-{variant}") for variant in VARIANTS),
        ],
    )
    dimension = forms.ChoiceField(label=_("Dimension"))
    model = forms.ChoiceField(
        label=_("Embeddings"),
        required=False,
        help_text=_("For the estimator: without them it looks at lengths, copying and repetition."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, dimensions: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(data)
        choices = {"dimension": dimensions, "model": [("", _("none")), *_models()]}
        for name, offered in choices.items():
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = list(offered)

    @property
    def training(self) -> Training:
        """Return what was chosen."""
        chosen = self.cleaned_data
        if chosen["method"] == "estimator":
            return Training("estimator", chosen["dimension"], model=chosen["model"])
        variant = chosen["method"].removeprefix("nouveau")
        return Training("nouveau", chosen["dimension"], variant=variant)


def _models() -> list[tuple[str, str]]:
    return [(name, name) for name in model_names()]


class ScoresForm(forms.Form):
    """A file of scores, and which values of its metrics are the better ones."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV, TSV, JSON, JSON lines or XLSX with item_id, system, metric, score, or one column "
            "a metric; an mt-metrics-eval tree as .zip."
        ),
    )
    direction = forms.ChoiceField(
        label=_("Better values"), choices=Direction.choices, initial=Direction.HIGHER
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        """Refuse a file that is larger than this installation takes."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        limit = settings.CONCORD_MAX_UPLOAD_BYTES
        if file.size is not None and file.size > limit:
            raise ValidationError(
                _("The file has %(size)s bytes; %(limit)s are allowed here."),
                params={"size": file.size, "limit": limit},
            )
        return file
