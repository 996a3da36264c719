"""What a study knows, as the rules a file is held to."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from annotation.enums import COMPARED, DimensionKind, ScaleKind
from annotation.importing import Kind, Rules, ScaleRule
from annotation.models import Dimension, Scale, Study
from annotation.selectors.judging import asked_dimensions

# The fewest outputs that a kind of dimension compares.
_SIZES: dict[str, int] = {DimensionKind.PAIRWISE: 2, DimensionKind.BEST_WORST: 3}


def rules_for(study: Study, kind: Kind, *, options: Mapping[str, Any] | None = None) -> Rules:
    """Return the rules for a file of this kind: known items, systems, dimensions and scales.

    Parameters
    ----------
    study : Study
        Whose names and scales count.
    kind : {"outputs", "ratings", "scores", "comparisons"}
        What the file holds.
    options : mapping, optional
        What the administrator chose: ``good_rows_only``, ``empty_output``, and ``words``, the
        values of labels that stand in place of numbers.
    """
    chosen = options or {}
    rules = Rules(
        good_rows_only=bool(chosen.get("good_rows_only")),
        empty_output="skip" if chosen.get("empty_output") == "skip" else "keep",
    )
    if kind == "outputs":
        return rules
    rules = replace(
        rules,
        items=frozenset(study.items.values_list("key", flat=True).iterator()),
        systems=frozenset(study.systems.values_list("key", flat=True)),
    )
    if kind == "scores":
        return rules
    dimensions = list(asked_dimensions(study.pk))
    return replace(
        rules,
        dimensions=frozenset(dimension.key for dimension in dimensions),
        scales=_scales(dimensions, chosen.get("words") or {}),
        texts=tuple(d.key for d in dimensions if d.kind == DimensionKind.COMMENT),
        compared={d.key: _SIZES[d.kind] for d in dimensions if d.kind in COMPARED},
        ties=tuple(d.key for d in dimensions if d.allows_tie),
    )


def _scales(dimensions: list[Dimension], words: Mapping[str, float]) -> dict[str, ScaleRule]:
    folded = {word.strip().casefold(): float(value) for word, value in words.items()}
    return {
        dimension.key: _scale_rule(dimension.scale, folded)
        for dimension in dimensions
        if dimension.scale is not None
    }


def _scale_rule(scale: Scale, words: Mapping[str, float]) -> ScaleRule:
    points = list(scale.points.all())
    if scale.kind == ScaleKind.RANGE:
        return ScaleRule(
            minimum=scale.minimum, maximum=scale.maximum, step=scale.step or 0.0, words=words
        )
    labels = {point.label.casefold(): point.value for point in points if point.label}
    return ScaleRule(points=tuple(point.value for point in points), words={**labels, **words})
