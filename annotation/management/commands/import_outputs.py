"""``manage.py import_outputs STUDY FILE``: outputs from a file into a study."""

from annotation.management.importing import ImportCommand


class Command(ImportCommand):
    """Load outputs, or check them with --dry-run."""

    help = "Load outputs (CSV, TSV, JSON, JSON lines, also .gz) into a study."
    kind = "outputs"
