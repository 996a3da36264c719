"""Scales: what a rating may be."""

from django.db import models

from annotation.enums import Measurement, ScaleKind
from annotation.models.study import Study


class Scale(models.Model):
    """Declared points with a level of measurement, or a range with a step."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scales")
    key = models.SlugField(max_length=60)
    kind = models.CharField(max_length=6, choices=ScaleKind, default=ScaleKind.POINTS)
    measurement = models.CharField(max_length=8, choices=Measurement, default=Measurement.ORDINAL)
    minimum = models.FloatField(null=True, blank=True)
    maximum = models.FloatField(null=True, blank=True)
    step = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="scale_key_in_study"),
            models.CheckConstraint(
                condition=models.Q(kind=ScaleKind.POINTS)
                | models.Q(
                    minimum__lt=models.F("maximum"),
                    step__gt=0,
                    measurement__in=[Measurement.INTERVAL, Measurement.RATIO],
                ),
                name="range_has_bounds_and_step",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class ScalePoint(models.Model):
    """One point of a scale, or an anchor of a range: its value and its words."""

    scale = models.ForeignKey(Scale, on_delete=models.CASCADE, related_name="points")
    position = models.PositiveSmallIntegerField()
    value = models.FloatField()
    label = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["scale", "value"], name="one_point_per_value"),
            models.UniqueConstraint(fields=["scale", "position"], name="one_point_per_position"),
        ]

    def __str__(self) -> str:
        return f"{self.value:g} {self.label}".strip()
