"""Uploaded files and what was found in them."""

from typing import cast

from django.conf import settings
from django.db import models

from annotation.enums import UploadKind, UploadState
from annotation.importing import Kind
from annotation.models.study import Study


class Upload(models.Model):
    """One uploaded file: how it is read, what the dry run found, what became of it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=11, choices=UploadKind)
    state = models.CharField(max_length=8, choices=UploadState, default=UploadState.RECEIVED)
    file = models.FileField(upload_to="uploads/%Y/%m/", max_length=300)
    name = models.CharField(max_length=255)
    n_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    report = models.JSONField(null=True)
    job = models.ForeignKey(
        "jobs.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField()
    loaded_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    @property
    def holds(self) -> Kind:
        """What the file holds, as those who read it say it."""
        return cast("Kind", self.kind)


class MappingTemplate(models.Model):
    """How a person had files with these columns read: the next such file is read the same way."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="mapping_templates")
    kind = models.CharField(max_length=11, choices=UploadKind)
    # SHA-256 of the column names in their order.
    header = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "kind", "header"], name="one_template_per_header"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} with header {self.header[:8]}"
