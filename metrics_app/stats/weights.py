"""Agreement weights: how much two different answers agree, 1 on the diagonal."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from metrics_app.stats.scales import Floats, Scale

# A name of the literature, or the matrix itself.
Weights = str | Floats


def _identity(distance: Floats, _values: Floats) -> Floats:
    return (distance > 0).astype(np.float64)


def _linear(distance: Floats, _values: Floats) -> Floats:
    return distance


def _quadratic(distance: Floats, _values: Floats) -> Floats:
    return np.asarray(distance**2)


def _radical(distance: Floats, _values: Floats) -> Floats:
    return np.sqrt(distance)


def _ordinal(_distance: Floats, values: Floats) -> Floats:
    # Positions count here, not values: C(|k - l| + 1, 2) pairs lie between two points.
    steps = np.abs(np.subtract.outer(np.arange(values.size), np.arange(values.size)))
    return np.asarray(steps * (steps + 1) / 2.0)


def _ratio(_distance: Floats, values: Floats) -> Floats:
    total = np.add.outer(values, values)
    # Two zeros are equal, so their distance is 0 and not 0/0.
    quotient = np.divide(
        np.subtract.outer(values, values), total, out=np.zeros_like(total), where=total != 0
    )
    return np.asarray(quotient**2)


def _circular(distance: Floats, values: Floats) -> Floats:
    return np.asarray(np.sin(np.pi * distance / (np.ptp(values) + 1)) ** 2)


def _bipolar(distance: Floats, values: Floats) -> Floats:
    total = np.add.outer(values, values)
    room = (total - 2 * values.min()) * (2 * values.max() - total)
    out = np.zeros_like(room)
    return np.asarray(np.divide(distance**2, room, out=out, where=distance > 0))


_DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "unweighted": _identity,
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
    "radical": _radical,
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
_ALIASES = {"identity": "unweighted"}


def weight_matrix(weights: Weights, scale: Scale, *, may_be_skew: bool = False) -> Floats:
    """Return the agreement weights of each pair of points of a scale.

    Parameters
    ----------
    weights : str or array of float, shape (q, q)
        A name of the literature (``unweighted``, also called ``identity``; ``linear``,
        ``quadratic``, ``ordinal``, ``radical``, ``ratio``, ``circular``, ``bipolar``), or a
        symmetric matrix with 1 on its diagonal and nothing above.
    scale : Scale
        Points; their values count, save for ``ordinal``, which counts positions.
    may_be_skew : bool
        Admit a matrix that is not symmetric: it matters which rater gave which answer.

    Returns
    -------
    array of float, shape (q, q)

    Raises
    ------
    ValueError
        For an unknown name or a matrix that is no matrix of weights.

    Notes
    -----
    Source: Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, chapter 3. Each is
    1 - d / max(d).
    """
    values = np.asarray(scale.values)
    if not isinstance(weights, str):
        matrix = _checked_matrix(np.asarray(weights, dtype=np.float64), values.size)
        if not may_be_skew and not np.allclose(matrix, matrix.T):
            raise ValueError("weights must be symmetric")
        return matrix
    name = _ALIASES.get(weights, weights)
    if name not in _DISTANCES:
        raise ValueError(f"weights must be one of {', '.join(_DISTANCES)}, not {weights!r}")
    distance = _DISTANCES[name](np.abs(np.subtract.outer(values, values)), values)
    largest = distance.max(initial=0.0)
    return 1.0 - distance / largest if largest > 0 else np.ones_like(distance)


def weights_from_disagreement(disagreement: npt.ArrayLike) -> Floats:
    """Return agreement weights 1 - d / max(d) of a matrix of disagreement (Cohen 1968)."""
    distance = np.asarray(disagreement, dtype=np.float64)
    if not np.isfinite(distance).all() or distance.min(initial=0.0) < 0:
        raise ValueError("disagreement weights must be finite and not negative")
    largest = distance.max(initial=0.0)
    if largest == 0:
        raise ValueError("disagreement weights must not all be 0")
    return np.asarray(1.0 - distance / largest)


def words_of_weights(weights: Weights) -> str:
    """Return the words for weights in a method: ``unweighted``, ``linear weights``."""
    if is_identity(weights):
        return "unweighted"
    return f"{weights} weights" if isinstance(weights, str) else "custom weights"


def is_identity(weights: Weights) -> bool:
    """Return whether only equal answers agree."""
    if isinstance(weights, str):
        return _ALIASES.get(weights, weights) == "unweighted"
    return bool(np.array_equal(weights, np.eye(len(weights))))


def band_weights(n_points: int, width: int) -> Floats:
    """Return weights 1 for points at most ``width`` positions apart, 0 for others."""
    position = np.arange(n_points)
    return (np.abs(np.subtract.outer(position, position)) <= width).astype(np.float64)


def _checked_matrix(matrix: Floats, n_points: int) -> Floats:
    if matrix.shape != (n_points, n_points):
        raise ValueError(
            f"weights of a scale of {n_points} points must be {n_points} x {n_points}, "
            f"not {' x '.join(map(str, matrix.shape))}"
        )
    if not np.isfinite(matrix).all():
        raise ValueError("weights must be finite")
    if not np.allclose(np.diag(matrix), 1.0) or matrix.max() > 1.0:
        raise ValueError("weights must be 1 on the diagonal and nowhere more")
    return matrix
