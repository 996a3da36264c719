"""Choices: a comparison's answer as the rank of each of its members."""

from annotation.design.choices import read_choice
from annotation.models import Choice, Rating


def store_ranks(rating: Rating) -> None:
    """Store the ranks that a checked choice gives; none where the judge gave no answer."""
    assignment, dimension = rating.assignment, rating.dimension
    Choice.objects.filter(assignment=assignment, dimension=dimension).delete()
    if rating.text is None:
        return
    members = list(assignment.unit.unit_members.all())
    ranks = read_choice(rating.text, n_members=len(members)).ranks(len(members))
    Choice.objects.bulk_create(
        Choice(assignment=assignment, dimension=dimension, member=member, rank=rank)
        for member, rank in zip(members, ranks, strict=True)
    )
