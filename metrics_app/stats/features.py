"""What one unit adds to the sums that the coefficients of a table need, each block under a name.

- ``unit``: 1, 1 where it has two ratings or more, shares of categories, pairable ratings;
- ``agreed:W`` and ``coincident:W``: agreeing pairs over m (m - 1) and over m - 1, by weights W;
- ``disagreement:L``: disagreeing pairs over m - 1, by level of measurement L;
- ``coincidences``: Krippendorff's matrix; ``marginals``: who said what; ``pairs``: the tables of
  pairs of raters;
- ``oneway`` and ``twoway``: sums of squares; ``moments``: those of pairable values.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from metrics_app.stats.alpha import distances
from metrics_app.stats.mean_squares import oneway_features, twoway_features
from metrics_app.stats.pair_tables import MIN_SHARED, pair_cells
from metrics_app.stats.patterns import Patterns
from metrics_app.stats.resampling import Rows
from metrics_app.stats.scales import MEASUREMENTS, Floats, Ints
from metrics_app.stats.sums import Sums, agreement_per_unit, coincidences_per_unit
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import Units


@dataclass(frozen=True, eq=False)
class Blocks:
    """Sums of features under the names of their blocks; leading axes count resamples."""

    sums: Floats
    places: Mapping[str, slice]

    def __getitem__(self, name: str) -> Floats:
        """Return a block, shape (..., width)."""
        return np.asarray(self.sums[..., self.places[name]])

    def number(self, name: str) -> Floats:
        """Return a block of width 1, shape (...)."""
        return np.asarray(self[name][..., 0])

    @property
    def units(self) -> Sums:
        """The block ``unit`` as named sums."""
        block = self["unit"]
        q = (block.shape[-1] - 2) // 2
        return Sums(block[..., 0], block[..., 1], block[..., 2 : 2 + q], block[..., 2 + q :])


Maker = Callable[[Units], Floats]


def makers_of(table: RatingTable, weights: Mapping[str, Floats]) -> dict[str, Maker]:
    """Return, by name, what makes each block for this table."""
    found: dict[str, Maker] = {
        "oneway": lambda units: oneway_features(units.size, units.total, units.square),
        "twoway": _twoway,
        "moments": _moments,
    }
    if table.scale.is_range:
        return found
    q, points = table.scale.n_points, np.asarray(table.scale.values)
    found |= {
        "unit": _on_patterns(_unit),
        "coincidences": _on_patterns(_coincidences),
        "marginals": _on_patterns(lambda patterns: _indicators(patterns.cells, q)),
        "pairs": _on_patterns(lambda patterns: _pairs(patterns, q)),
    }
    for name, matrix in weights.items():
        found[f"agreed:{name}"] = _column(agreement_per_unit, matrix)
        found[f"coincident:{name}"] = _column(coincidences_per_unit, matrix)
    for level in MEASUREMENTS:
        if level != "ordinal":  # whose distances change from one resample to the next
            distance = distances(level, points, np.zeros(q))
            found[f"disagreement:{level}"] = _column(_disagreement, distance)
    return found


def feature_rows(
    units: Units, makers: Mapping[str, Maker], names: Iterable[str]
) -> tuple[Rows, dict[str, slice]]:
    """Return the rows of the named blocks and where each block lies."""
    places, columns, start = {}, [], 0
    for name in dict.fromkeys(names):
        block = makers[name](units)
        places[name] = slice(start, start + block.shape[1])
        start += block.shape[1]
        columns.append(block)
    matrix = np.concatenate(columns, axis=1) if columns else np.zeros((len(units.times), 0))
    return Rows(matrix, units.times), places


def _on_patterns(make: Callable[[Patterns], Floats]) -> Maker:
    def block(units: Units) -> Floats:
        if units.patterns is None:
            raise ValueError("a range has no categories")
        return make(units.patterns)

    return block


def _column(function: Callable[[Patterns, Floats], Floats], matrix: Floats) -> Maker:
    return _on_patterns(lambda patterns: function(patterns, matrix)[:, None])


def _unit(patterns: Patterns) -> Floats:
    is_paired = patterns.is_paired[:, None].astype(np.float64)
    shares = patterns.counts / patterns.sizes[:, None]
    return np.concatenate(
        [np.ones_like(is_paired), is_paired, shares, patterns.counts * is_paired], axis=1
    )


def _coincidences(patterns: Patterns) -> Floats:
    counts = patterns.counts
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs[:, diagonal, diagonal] -= counts
    scale = patterns.is_paired / np.maximum(patterns.sizes - 1, 1.0)
    return np.asarray((pairs * scale[:, None, None]).reshape(len(counts), -1))


def _disagreement(patterns: Patterns, distance: Floats) -> Floats:
    counts = patterns.counts
    pairs = (counts * (counts @ distance)).sum(axis=1)
    return np.asarray(pairs * patterns.is_paired / np.maximum(patterns.sizes - 1, 1.0))


def _indicators(cells: Ints | None, q: int) -> Floats:
    """Return 1 where a column has a code, shape (n_rows, n_columns * q); other codes give none."""
    if cells is None:
        raise ValueError("raters are not told apart here")
    flags = np.asarray(cells[:, :, None] == np.arange(q), dtype=np.float64)
    return np.asarray(flags.reshape(len(cells), -1))


def _pairs(patterns: Patterns, q: int) -> Floats:
    if patterns.cells is None:
        raise ValueError("raters are not told apart here")
    cells = pair_cells(patterns.cells, q)
    least = MIN_SHARED if patterns.cells.shape[1] > 2 else 1
    is_enough = patterns.times @ (cells < q * q) >= least
    return _indicators(cells[:, is_enough], q * q)


def _moments(units: Units) -> Floats:
    is_paired = units.size >= 2
    disagreement = 2 * (units.size * units.square - units.total**2) / np.maximum(units.size - 1, 1)
    block = np.stack([units.size, units.total, units.square, disagreement], axis=1)
    return np.asarray(block * is_paired[:, None])


def _twoway(units: Units) -> Floats:
    if units.cells is None:
        raise ValueError("raters are not told apart here")
    is_complete = np.asarray(~np.isnan(units.cells).any(axis=1, keepdims=True))
    block = twoway_features(np.where(is_complete, units.cells, 0.0))
    return np.asarray(block * is_complete)
