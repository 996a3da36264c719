"""``manage.py import_ratings STUDY FILE``: ratings made elsewhere into a study."""

from annotation.management.importing import ImportCommand


class Command(ImportCommand):
    """Load ratings, or check them with --dry-run."""

    help = "Load ratings (item_id, system, judge, dimension, value) into a study."
    kind = "ratings"
