"""Studies, their members, and what happened to them."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from annotation.design.exclusion_rules import read_rules
from annotation.enums import Layout, Role, StudyState


def check_exclusion_rules(declared: object) -> None:
    """Raise ValidationError where exclusion rules are not as `read_rules` takes them."""
    try:
        read_rules(declared)
    except ValueError as refusal:
        raise ValidationError(str(refusal)) from None


class Study(models.Model):
    """One human evaluation: its material, dimensions, judges and rules."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=8, choices=StudyState, default=StudyState.DRAFT)
    seed = models.BigIntegerField()
    layout = models.CharField(max_length=12, choices=Layout, default=Layout.ONE_OUTPUT)
    page_size = models.PositiveSmallIntegerField(default=1)
    one_dimension_per_pass = models.BooleanField(default=False)
    shuffles_dimensions = models.BooleanField(default=False)
    source_once_per_judge = models.BooleanField(default=False)
    # How many of a hundred outputs are shown to the same judge again, later, unannounced.
    repeat_percent = models.PositiveSmallIntegerField(default=0)
    # Until the study is closed: what researchers do not see. Owners may look, with a reason.
    hides_systems = models.BooleanField(default=False)
    hides_results = models.BooleanField(default=False)
    # Which judges are to be excluded, as `annotation.design.exclusion_rules` reads it; declared
    # before the first rating, and changed later with a reason only.
    exclusion_rules = models.JSONField(default=list, blank=True, validators=[check_exclusion_rules])
    lease_minutes = models.PositiveIntegerField(default=60)
    # Comparisons of an item: how many pairs (all where unset), how many sets, and how large.
    pairs_per_item = models.PositiveSmallIntegerField(null=True, blank=True)
    sets_per_item = models.PositiveSmallIntegerField(default=1)
    set_size = models.PositiveSmallIntegerField(default=4)
    source_title = models.CharField(max_length=60, default="Source")
    output_title = models.CharField(max_length=60, default="Output")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(condition=models.Q(page_size__gte=1), name="page_holds_output"),
            models.CheckConstraint(
                condition=models.Q(lease_minutes__gte=1), name="lease_lasts_a_minute"
            ),
            models.CheckConstraint(
                condition=models.Q(repeat_percent__lte=50), name="at_most_half_are_repeats"
            ),
            models.CheckConstraint(
                condition=models.Q(pairs_per_item__isnull=True) | models.Q(pairs_per_item__gte=1),
                name="at_least_one_pair",
            ),
            models.CheckConstraint(
                condition=models.Q(sets_per_item__gte=1, set_size__gte=3, set_size__lte=5),
                name="sets_of_three_to_five",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class StudyMember(models.Model):
    """What one user may do in one study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role)
    # Set where the account was made for this membership, and is taken up by a link.
    invited_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="one_role_per_member"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class StudyEvent(models.Model):
    """One thing that happened to a study: who did what, when and why. Append-only."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    reason = models.TextField(blank=True)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["study", "id"], name="event_of_study")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"
