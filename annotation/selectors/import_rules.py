"""What a study knows, as the rules a file is held to."""

from annotation.enums import DimensionKind, ScaleKind
from annotation.importing import Kind, Rules, ScaleRule
from annotation.models import Dimension, Scale, Study
from annotation.selectors.judging import asked_dimensions


def rules_for(study: Study, kind: Kind, *, good_rows_only: bool = False) -> Rules:
    """Return the rules for a file of this kind: known items, systems, dimensions and scales."""
    if kind == "outputs":
        return Rules(good_rows_only=good_rows_only)
    items = frozenset(study.items.values_list("key", flat=True))
    systems = frozenset(study.systems.values_list("key", flat=True))
    if kind == "scores":
        return Rules(items=items, systems=systems, good_rows_only=good_rows_only)
    dimensions = list(asked_dimensions(study.pk))
    return Rules(
        items=items,
        systems=systems,
        dimensions=frozenset(dimension.key for dimension in dimensions),
        scales=_scales(dimensions),
        texts=frozenset(d.key for d in dimensions if d.kind == DimensionKind.COMMENT),
        good_rows_only=good_rows_only,
    )


def _scales(dimensions: list[Dimension]) -> dict[str, ScaleRule]:
    return {
        dimension.key: _scale_rule(dimension.scale)
        for dimension in dimensions
        if dimension.scale is not None
    }


def _scale_rule(scale: Scale) -> ScaleRule:
    points = list(scale.points.all())
    if scale.kind == ScaleKind.RANGE:
        return ScaleRule(minimum=scale.minimum, maximum=scale.maximum, step=scale.step or 0.0)
    return ScaleRule(
        points=tuple(point.value for point in points),
        words={point.label.casefold(): point.value for point in points if point.label},
    )
