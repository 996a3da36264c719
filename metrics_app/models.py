"""What is stored of metrics and analyses."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Direction(models.TextChoices):
    """Which end of a metric is the good one."""

    HIGHER = "higher", "Higher is better"
    LOWER = "lower", "Lower is better"
    UNKNOWN = "unknown", "Not said"


class Metric(models.Model):
    """An automatic metric of one study: computed here, or uploaded with its scores."""

    study = models.ForeignKey("annotation.Study", on_delete=models.CASCADE, related_name="metrics")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    direction = models.CharField(max_length=7, choices=Direction, default=Direction.UNKNOWN)
    # Key of the one dimension that the metric is made for; empty where it is made for none.
    targets = models.CharField(max_length=60, blank=True)
    # Variant, parameters and library of a metric computed here; empty for uploaded scores.
    signature = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="metric_key_in_study"),
        ]

    def __str__(self) -> str:
        return self.key


class Score(models.Model):
    """What a metric says of one output version: a number, or why there is none."""

    metric = models.ForeignKey(Metric, on_delete=models.CASCADE, related_name="scores")
    output_version = models.ForeignKey(
        "annotation.OutputVersion", on_delete=models.CASCADE, related_name="scores"
    )
    value = models.FloatField(null=True, blank=True)
    undefined = models.CharField(max_length=100, blank=True)
    # What was raised, or what is missing, where the reason alone does not say it.
    detail = models.CharField(max_length=300, blank=True)
    # Of the signature and all texts that went in: equal hash, equal score. Empty where uploaded.
    content_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["content_hash"], condition=~Q(content_hash=""), name="score_by_content"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["metric", "output_version"], name="one_score_per_metric_and_version"
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=False, undefined="")
                | (Q(value__isnull=True) & ~Q(undefined="")),
                name="score_is_value_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric_id}: {self.undefined if self.value is None else self.value}"


class Analysis(models.Model):
    """One run of the statistics of a study, with all that is needed to repeat it.

    ``result`` is the report as JSON, null until the job is done. The watermark says how far the
    study had come when the ratings were read: what came later makes the analysis stale.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.CASCADE, related_name="analyses")
    job = models.OneToOneField("jobs.Job", on_delete=models.RESTRICT, related_name="analysis")
    name = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    rating_watermark = models.PositiveBigIntegerField(null=True, blank=True)
    event_watermark = models.PositiveBigIntegerField(null=True, blank=True)
    data_hash = models.CharField(max_length=64, blank=True)
    code_version = models.CharField(max_length=80, blank=True)
    result = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(result__isnull=True)
                | Q(
                    Q(rating_watermark__isnull=False, event_watermark__isnull=False)
                    & ~Q(data_hash="")
                    & ~Q(code_version="")
                ),
                name="result_says_where_it_comes_from",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"analysis {self.pk}"


class AnalysisFile(models.Model):
    """One file of an analysis: a drawn chart, or a large table."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=200)
    content = models.BinaryField()
    size = models.PositiveIntegerField()
    checksum = models.CharField(max_length=64)

    class Meta:
        ordering = ["path"]
        constraints = [
            models.UniqueConstraint(fields=["analysis", "path"], name="one_file_per_path"),
        ]

    def __str__(self) -> str:
        return self.path
