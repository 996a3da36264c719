"""Counts beside rows, each by a query of its own: joined, one count would multiply the other."""

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Model], link: str) -> Coalesce:
    """Return the number of the rows whose foreign key ``link`` is the outer row; 0 where none is.

    A page that shows fifty of a million rows counts for those fifty only.
    """
    own = rows.filter(**{link: OuterRef("pk")}).order_by().values(link)
    return Coalesce(Subquery(own.annotate(n=Count("pk")).values("n")), 0)
