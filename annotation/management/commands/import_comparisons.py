"""``manage.py import_comparisons STUDY FILE``: choices made elsewhere into a study."""

from annotation.management.importing import ImportCommand


class Command(ImportCommand):
    """Load comparisons, or check them with --dry-run."""

    help = (
        "Load comparisons (item_id, system_a, system_b, judge, dimension, choice) into a study; "
        "sets have system_c to system_e too."
    )
    kind = "comparisons"
