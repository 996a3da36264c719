"""Material: items with their texts, systems with their outputs, and the units that are judged."""

from django.db import models

from annotation.enums import ReferenceRole, SystemKind, UnitKind
from annotation.models.study import Study


class Batch(models.Model):
    """A fixed part of the items, shared by all judges."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="batch_number_in_study"),
        ]

    def __str__(self) -> str:
        return f"batch {self.number}"


class Item(models.Model):
    """One source, given as a list of texts."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    batch = models.ForeignKey(
        Batch, null=True, blank=True, on_delete=models.PROTECT, related_name="items"
    )
    source = models.JSONField(default=list)
    language = models.CharField(max_length=20, blank=True)
    domain = models.CharField(max_length=100, blank=True)
    # The name of the document that the source was taken from.
    document = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="item_key_in_study"),
        ]

    def __str__(self) -> str:
        return self.key


class Reference(models.Model):
    """A human text for an item, or what its reader has seen before."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="references")
    role = models.CharField(max_length=9, choices=ReferenceRole, default=ReferenceRole.REFERENCE)
    position = models.PositiveSmallIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "role", "position"], name="reference_position"),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class Fact(models.Model):
    """One statement of an item that a judge labels."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="facts")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=100)
    text = models.TextField()
    subject = models.TextField(blank=True)
    predicate = models.CharField(max_length=200, blank=True)
    object = models.TextField(blank=True)
    weight = models.FloatField(default=1.0)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "position"], name="fact_position"),
            models.UniqueConstraint(fields=["item", "key"], name="fact_key_in_item"),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class System(models.Model):
    """A generator of outputs."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="systems")
    key = models.CharField(max_length=200)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=SystemKind, default=SystemKind.MACHINE)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="system_key_in_study"),
        ]

    def __str__(self) -> str:
        return self.key


class Output(models.Model):
    """What one system wrote for one item."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="outputs")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="outputs")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "system"], name="one_output_per_item_system"),
        ]

    def __str__(self) -> str:
        return f"output {self.pk}"


class OutputVersion(models.Model):
    """One text of an output; a changed text is a new version, ratings stay with theirs."""

    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    checksum = models.CharField(max_length=64)
    is_current = models.BooleanField(default=True)
    # The file that brought the text; an upload can be undone until its texts are judged.
    upload = models.ForeignKey(
        "annotation.Upload", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["output", "number"], name="version_number_of_output"),
            models.UniqueConstraint(
                fields=["output"],
                condition=models.Q(is_current=True),
                name="one_current_version_per_output",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"


class Unit(models.Model):
    """What is judged at once: one output version, or a pair or set of them."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="units")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="units")
    kind = models.CharField(max_length=6, choices=UnitKind, default=UnitKind.SINGLE)
    output_version = models.OneToOneField(
        OutputVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="unit"
    )
    # The system of a single unit: the next place is chosen by it, on one index.
    system = models.ForeignKey(
        System, null=True, blank=True, on_delete=models.CASCADE, related_name="units"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind=UnitKind.SINGLE, output_version__isnull=False, system__isnull=False
                )
                | (
                    models.Q(output_version__isnull=True, system__isnull=True)
                    & ~models.Q(kind=UnitKind.SINGLE)
                ),
                name="single_unit_has_its_output",
            ),
        ]

    def __str__(self) -> str:
        return f"unit {self.pk}"


class UnitMember(models.Model):
    """One output version of a pair or set."""

    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="unit_members")
    position = models.PositiveSmallIntegerField()
    output_version = models.ForeignKey(OutputVersion, on_delete=models.PROTECT)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["unit", "position"], name="member_position_in_unit"),
            models.UniqueConstraint(fields=["unit", "output_version"], name="member_once_in_unit"),
        ]

    def __str__(self) -> str:
        return f"member {self.position}"
