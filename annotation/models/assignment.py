"""Assignments: one judge's work on one unit, and the places they hold."""

import uuid

from django.db import models
from django.db.models import F, Q

from annotation.enums import Origin
from annotation.models.judge import Judge, JudgeGroup
from annotation.models.material import Unit
from annotation.models.phase import Phase


class Assignment(models.Model):
    """One judge's work on one unit. With a slot it is one of the k places of its group.

    A free place has a slot and no judge. A lease that has run out loses its slot when the place
    is next wanted; the row and its ratings stay with their judge as late work.
    """

    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="assignments")
    group = models.ForeignKey(JudgeGroup, on_delete=models.CASCADE, related_name="assignments")
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    judge = models.ForeignKey(
        Judge, null=True, blank=True, on_delete=models.CASCADE, related_name="assignments"
    )
    # What the browser calls it: random, so that it tells nothing of item, system or order.
    handle = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Seeded at opening: free places are handed out in this order within a slot.
    order_key = models.PositiveIntegerField(default=0)
    draw = models.PositiveIntegerField(null=True, blank=True)
    position = models.PositiveIntegerField(null=True, blank=True)
    leased_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    is_late = models.BooleanField(default=False)
    repeat_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="repeats"
    )
    origin = models.CharField(max_length=9, choices=Origin, default=Origin.COLLECTED)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["unit", "group", "slot"],
                condition=Q(slot__isnull=False),
                name="one_assignment_per_place",
            ),
            models.UniqueConstraint(
                fields=["unit", "judge"],
                condition=Q(judge__isnull=False, repeat_of__isnull=True),
                name="one_judge_once_per_unit",
            ),
            models.UniqueConstraint(
                fields=["judge", "position"],
                condition=Q(position__isnull=False),
                name="one_assignment_per_position",
            ),
            models.CheckConstraint(
                condition=Q(judge__isnull=False)
                | Q(
                    slot__isnull=False,
                    lease_until__isnull=True,
                    submitted_at__isnull=True,
                    repeat_of__isnull=True,
                ),
                name="without_judge_it_is_a_free_place",
            ),
            models.CheckConstraint(
                condition=Q(origin=Origin.COLLECTED) | Q(slot__isnull=True),
                name="imported_work_holds_no_place",
            ),
            models.CheckConstraint(
                condition=Q(repeat_of__isnull=True) | Q(slot__isnull=True),
                name="repeat_holds_no_place",
            ),
        ]
        indexes = [
            models.Index(
                F("group"),
                F("slot"),
                F("order_key"),
                condition=Q(judge__isnull=True),
                name="free_places",
            ),
            models.Index(
                F("group"),
                F("lease_until"),
                condition=Q(judge__isnull=False, slot__isnull=False, submitted_at__isnull=True),
                name="running_leases",
            ),
            # What a judge holds, found at every draw among the thousands that they have done.
            models.Index(
                F("judge"),
                F("position"),
                condition=Q(position__isnull=False, submitted_at__isnull=True),
                name="open_work",
            ),
        ]

    def __str__(self) -> str:
        return str(self.handle)


class Visit(models.Model):
    """One stay of a judge on an assignment in one phase or pass: order and times."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="visits")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="visits")
    pass_number = models.PositiveSmallIntegerField(default=1)
    position = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    wall_ms = models.PositiveBigIntegerField(default=0)
    visible_ms = models.PositiveBigIntegerField(default=0)
    active_ms = models.PositiveBigIntegerField(default=0)
    first_action_ms = models.PositiveBigIntegerField(null=True, blank=True)
    n_hidden = models.PositiveIntegerField(default=0)
    n_pastes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "phase", "pass_number"], name="one_visit_per_pass"
            ),
        ]

    def __str__(self) -> str:
        return f"visit {self.position}"
