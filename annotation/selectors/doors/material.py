"""The texts of a study as plain rows: what automatic metrics and model judges read."""

from dataclasses import dataclass

from annotation.enums import ReferenceRole
from annotation.models import Fact, Item, Reference, UnitMember


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item with all its texts.

    Attributes
    ----------
    source : tuple of str
        The texts that the outputs were made from.
    references, priors : tuple of str
        Human texts for the item, and what its reader has seen before, in their order.
    """

    key: str
    source: tuple[str, ...]
    references: tuple[str, ...]
    priors: tuple[str, ...]


def item_rows(study_id: int) -> list[ItemRow]:
    """Return the study's items in their order, in two queries."""
    texts: dict[tuple[int, str], list[str]] = {}
    references = Reference.objects.filter(item__study_id=study_id).order_by("item", "position")
    for item, role, text in references.values_list("item", "role", "text"):
        texts.setdefault((item, role), []).append(text)
    items = Item.objects.filter(study_id=study_id).order_by("position", "pk")
    return [
        ItemRow(
            key=key,
            source=tuple(str(part) for part in source),
            references=tuple(texts.get((pk, ReferenceRole.REFERENCE), ())),
            priors=tuple(texts.get((pk, ReferenceRole.PRIOR), ())),
        )
        for pk, key, source in items.values_list("pk", "key", "source")
    ]


@dataclass(frozen=True, slots=True)
class FactText:
    """One fact of an item as it is shown."""

    id: int
    text: str


def fact_texts(study_id: int) -> dict[str, tuple[FactText, ...]]:
    """Return the facts of every item that has some, in their order, by the item's key."""
    found: dict[str, list[FactText]] = {}
    facts = Fact.objects.filter(item__study_id=study_id).order_by("item", "position")
    for item, pk, text in facts.values_list("item__key", "pk", "text"):
        found.setdefault(item, []).append(FactText(pk, text))
    return {item: tuple(texts) for item, texts in found.items()}


def fact_kinds(study_id: int) -> dict[tuple[str, str], tuple[str, float]]:
    """Return predicate and weight of each fact, by the keys of its item and its own."""
    facts = Fact.objects.filter(item__study_id=study_id).order_by("item", "position")
    rows = facts.values_list("item__key", "key", "predicate", "weight")
    return {(item, key): (predicate, weight) for item, key, predicate, weight in rows}


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """A pair or set of outputs of one item, in the order in which its judges see them."""

    unit_id: int
    kind: str
    item: str
    texts: tuple[str, ...]


def compared_texts(study_id: int) -> list[ComparedTexts]:
    """Return the pairs and sets of current texts that a study compares, as they were made."""
    members = UnitMember.objects.filter(unit__study_id=study_id)
    texts: dict[tuple[int, str, str], list[str]] = {}
    outdated: set[int] = set()
    for unit, kind, item, text, is_current in members.order_by("unit", "position").values_list(
        "unit",
        "unit__kind",
        "unit__item__key",
        "output_version__text",
        "output_version__is_current",
    ):
        texts.setdefault((unit, kind, item), []).append(text)
        if not is_current:
            outdated.add(unit)
    return [
        ComparedTexts(*named, tuple(together))
        for named, together in texts.items()
        if named[0] not in outdated
    ]
