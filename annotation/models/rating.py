"""What judges said, and every change of it."""

import uuid

from django.db import models
from django.db.models import Q

from annotation.enums import RatingSource
from annotation.models.assignment import Assignment
from annotation.models.material import Fact, UnitMember
from annotation.models.model_judge import ModelCall
from annotation.models.phase import Dimension
from annotation.models.study import Study


class Rating(models.Model):
    """One answer of one judge on one dimension of one unit, or of one of its facts."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="ratings")
    dimension = models.ForeignKey(Dimension, on_delete=models.PROTECT, related_name="ratings")
    fact = models.ForeignKey(
        Fact, null=True, blank=True, on_delete=models.PROTECT, related_name="ratings"
    )
    value = models.FloatField(null=True, blank=True)
    text = models.TextField(null=True, blank=True)  # noqa: DJ001 -- exactly one of three is set
    missing_reason = models.CharField(  # noqa: DJ001 -- exactly one of three is set
        max_length=200, null=True, blank=True
    )
    # The answer of a language model that this rating was made of. Without an index of its own:
    # people's ratings, which have none, shall not pay for it.
    model_call = models.ForeignKey(
        ModelCall,
        null=True,
        blank=True,
        on_delete=models.RESTRICT,
        related_name="ratings",
        db_index=False,
    )
    version = models.PositiveIntegerField(default=1)
    rated_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["model_call"],
                condition=Q(model_call__isnull=False),
                name="rating_of_model_call",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "dimension"],
                condition=Q(fact__isnull=True),
                name="one_rating_per_dimension",
            ),
            models.UniqueConstraint(
                fields=["assignment", "dimension", "fact"],
                condition=Q(fact__isnull=False),
                name="one_rating_per_fact",
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=False, text__isnull=True, missing_reason__isnull=True)
                | Q(value__isnull=True, text__isnull=False, missing_reason__isnull=True)
                | Q(value__isnull=True, text__isnull=True, missing_reason__isnull=False),
                name="rating_is_value_text_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dimension_id}={self.value}"


class Choice(models.Model):
    """The rank that one judge gave one member of a pair or set on one dimension; 1 is the best.

    It stands beside a rating whose text is the choice in the letters of the page, ``A>B``. Equal
    ranks are a tie of two, or members of a set that are neither best nor worst.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="choices")
    dimension = models.ForeignKey(Dimension, on_delete=models.PROTECT, related_name="choices")
    member = models.ForeignKey(UnitMember, on_delete=models.CASCADE, related_name="choices")
    rank = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "dimension", "member"], name="one_rank_per_member"
            ),
            models.CheckConstraint(condition=Q(rank__gte=1, rank__lte=3), name="rank_from_1_to_3"),
        ]

    def __str__(self) -> str:
        return f"rank {self.rank}"


class RatingEvent(models.Model):
    """One change of a rating. Append-only, except that withdrawal erases the person's."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="rating_events")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="events")
    dimension = models.ForeignKey(Dimension, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(
        Fact, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    client_uuid = models.UUIDField(default=uuid.uuid4, unique=True)
    source = models.CharField(max_length=10, choices=RatingSource)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    is_auto_next = models.BooleanField(default=False)
    active_ms = models.PositiveBigIntegerField(null=True, blank=True)
    client_at = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["study", "id"], name="rating_event_of_study")]

    def __str__(self) -> str:
        return f"{self.old} > {self.new}"
