"""Phases and the dimensions judged in them."""

from django.db import models

from annotation.enums import DimensionKind, ExampleKind
from annotation.models.scale import Scale
from annotation.models.study import Study

NEEDS_SCALE = [DimensionKind.POINTS, DimensionKind.RANGE, DimensionKind.FACTS]


class Phase(models.Model):
    """A stretch of a study with its own instructions, suggestions and dimensions."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="phases")
    key = models.SlugField(max_length=60)
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True)
    # How to go about it, in Markdown like the instructions; shown below what is asked.
    suggestions = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="phase_key_in_study"),
            models.UniqueConstraint(fields=["study", "position"], name="phase_position_in_study"),
        ]

    def __str__(self) -> str:
        return self.title


class Dimension(models.Model):
    """One quality judged: its definition, its verbatim question and its scale."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="dimensions")
    key = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=DimensionKind, default=DimensionKind.POINTS)
    name = models.CharField(max_length=100)
    definition = models.TextField(blank=True)
    question = models.TextField(blank=True)
    scale = models.ForeignKey(
        Scale, null=True, blank=True, on_delete=models.PROTECT, related_name="dimensions"
    )
    is_required = models.BooleanField(default=True)
    allows_no_answer = models.BooleanField(default=False)
    # Whether two outputs may be called equally good.
    allows_tie = models.BooleanField(default=False)

    class Meta:
        ordering = ["phase__position", "position", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "key", "version"], name="dimension_version_in_phase"
            ),
            models.UniqueConstraint(
                fields=["phase", "key"],
                condition=models.Q(is_current=True),
                name="one_current_dimension_version",
            ),
            models.CheckConstraint(
                condition=models.Q(scale__isnull=False, kind__in=NEEDS_SCALE)
                | (models.Q(scale__isnull=True) & ~models.Q(kind__in=NEEDS_SCALE)),
                name="scale_where_the_kind_needs_one",
            ),
            models.CheckConstraint(
                condition=models.Q(allows_tie=False) | models.Q(kind=DimensionKind.PAIRWISE),
                name="only_two_outputs_tie",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Example(models.Model):
    """An example or counter-example shown with the instructions of a phase."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="examples")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=ExampleKind, default=ExampleKind.EXAMPLE)
    source = models.TextField(blank=True)
    text = models.TextField()
    explanation = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["phase", "position"], name="example_position"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.text[:40]}"
