"""Closed lists of values, one class a list."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class StudyState(TextChoices):
    """Where a study stands: draft > pilot > open <> paused > closed > frozen."""

    DRAFT = "draft", _("Draft")
    PILOT = "pilot", _("Pilot")
    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")
    FROZEN = "frozen", _("Frozen")


class Role(TextChoices):
    """What a member may do in a study."""

    OWNER = "owner", _("Owner")
    RESEARCHER = "researcher", _("Researcher")
    MONITOR = "monitor", _("Monitor")


class Layout(TextChoices):
    """What a judge draws, and sees, at a time."""

    ONE_OUTPUT = "one_output", _("One output")
    PAGE = "page", _("A page of outputs")
    ITEM = "item", _("All systems of an item")
    BATCH = "batch", _("A fixed batch of items")


class ScaleKind(TextChoices):
    """A scale of declared points, or a range."""

    POINTS = "points", _("Points")
    RANGE = "range", _("Range")


class Measurement(TextChoices):
    """Level of measurement of a scale."""

    NOMINAL = "nominal", _("Nominal")
    ORDINAL = "ordinal", _("Ordinal")
    INTERVAL = "interval", _("Interval")
    RATIO = "ratio", _("Ratio")


class DimensionKind(TextChoices):
    """How a dimension is answered."""

    POINTS = "points", _("Points of a scale")
    RANGE = "range", _("A number in a range")
    FACTS = "facts", _("A label for each fact")
    COMMENT = "comment", _("A free comment")
    PAIRWISE = "pairwise", _("The better of two")
    BEST_WORST = "best_worst", _("The best and the worst")


class UnitKind(TextChoices):
    """What is judged at once."""

    SINGLE = "single", _("One output")
    PAIR = "pair", _("A pair of outputs")
    SET = "set", _("A set of outputs")


# What a dimension of a kind is asked of, where it is not a single output.
COMPARED = {
    DimensionKind.PAIRWISE: UnitKind.PAIR,
    DimensionKind.BEST_WORST: UnitKind.SET,
}


class ExampleKind(TextChoices):
    """An example shows what is meant; a counter-example what is not."""

    EXAMPLE = "example", _("Example")
    COUNTER = "counter", _("Counter-example")


class SystemKind(TextChoices):
    """Who wrote the outputs of a system."""

    MACHINE = "machine", _("Machine")
    HUMAN = "human", _("Human")


class ReferenceRole(TextChoices):
    """A human text for an item, or what the reader has seen before."""

    REFERENCE = "reference", _("Reference")
    PRIOR = "prior", _("Prior reference")


class GroupKind(TextChoices):
    """What the judges of a group are."""

    EXPERT = "expert", _("Experts")
    CROWD = "crowd", _("Crowd")
    MODEL = "model", _("Language models")
    OTHER = "other", _("Others")


class JudgeKind(TextChoices):
    """A person, a language model, or several persons who answer together."""

    PERSON = "person", _("Person")
    MODEL = "model", _("Model")
    JOINT = "joint", _("Several together")


class Origin(TextChoices):
    """Collected here, or imported from elsewhere."""

    COLLECTED = "collected", _("Collected here")
    IMPORTED = "imported", _("Imported")


class RatingSource(TextChoices):
    """How an answer was given."""

    KEY = "key", _("Key")
    CLICK = "click", _("Click")
    TOUCH = "touch", _("Touch")
    UNDO = "undo", _("Undo")
    IMPORT = "import", _("Import")
    MODEL = "model", _("Model")
    SIMULATION = "simulation", _("Simulation")


class UploadKind(TextChoices):
    """What an uploaded file holds."""

    OUTPUTS = "outputs", _("Outputs")
    RATINGS = "ratings", _("Ratings")
    COMPARISONS = "comparisons", _("Comparisons")


class UploadState(TextChoices):
    """Where an upload stands."""

    RECEIVED = "received", _("Received")
    CHECKED = "checked", _("Checked")
    LOADED = "loaded", _("Loaded")
    REFUSED = "refused", _("Refused")
    UNDONE = "undone", _("Undone")
