"""Judges and their groups."""

from django.db import models

from annotation.enums import GroupKind, JudgeKind
from annotation.models.study import Study


class JudgeGroup(models.Model):
    """Judges of one kind, with k, their number per unit."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="groups")
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=6, choices=GroupKind, default=GroupKind.OTHER)
    judges_per_unit = models.PositiveSmallIntegerField(default=3)
    # A file brought the group, so that k is what was observed: no places are made for it, until
    # the study is opened with it.
    is_observed = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="group_key_in_study"),
        ]

    def __str__(self) -> str:
        return self.name


class Judge(models.Model):
    """Who judges in one study, under a pseudonym."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="judges")
    group = models.ForeignKey(JudgeGroup, on_delete=models.PROTECT, related_name="judges")
    pseudonym = models.CharField(max_length=20)
    kind = models.CharField(max_length=6, choices=JudgeKind, default=JudgeKind.PERSON)
    # What the administrator calls this judge; it never leaves the administration.
    note = models.CharField(max_length=200, blank=True)
    is_simulated = models.BooleanField(default=False)
    # A keyed hash of the name in an imported file: the same name is the same judge again.
    import_key = models.CharField(max_length=64, blank=True)
    link_version = models.PositiveSmallIntegerField(default=1)
    preferences = models.JSONField(default=dict, blank=True)
    joined_at = models.DateTimeField()
    instructed_at = models.DateTimeField(null=True, blank=True)
    excluded_at = models.DateTimeField(null=True, blank=True)
    excluded_by = models.CharField(max_length=200, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "pseudonym"], name="pseudonym_in_study"),
        ]

    def __str__(self) -> str:
        return self.pseudonym
