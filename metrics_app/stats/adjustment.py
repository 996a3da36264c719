"""p-values adjusted for being many, by the family-wise error or the false-discovery rate."""

from collections.abc import Callable, Sequence

import numpy as np

from metrics_app.stats.samples import Floats


def adjust_p(p: Sequence[float | None] | Floats, *, method: str = "holm") -> list[float | None]:
    """Return the adjusted p-values in the order given.

    Parameters
    ----------
    p : sequence of float
        None or NaN stands for a test that was not made: it stays None and is not counted.
    method : {"holm", "BH", "bonferroni", "hochberg", "BY"}
        Holm (1979), Hochberg (1988) and Bonferroni hold the family-wise error; Benjamini and
        Hochberg (1995) and, under any dependence, Benjamini and Yekutieli (2001) the
        false-discovery rate. Case does not matter; ``fdr`` and ``fdr_bh`` are BH.

    Returns
    -------
    list of float or None
        A smaller p never has the larger adjusted one; none is above 1.

    Raises
    ------
    ValueError
        For an unknown method or a p outside 0 to 1.
    """
    rule = _RULES.get(method.lower())
    if rule is None:
        raise ValueError(f"method must be holm, BH, bonferroni, hochberg or BY, not {method!r}")
    values = np.array([np.nan if one is None else one for one in p], dtype=np.float64)
    made = ~np.isnan(values)
    wrong = np.flatnonzero(made & ~((values >= 0) & (values <= 1)))
    if wrong.size:
        raise ValueError(f"p-value {wrong[0] + 1} is {values[wrong[0]]}: it must lie from 0 to 1")
    known = values[made]
    order = np.argsort(known, kind="stable")
    values[made] = np.minimum(rule(known[order]), 1)[np.argsort(order, kind="stable")]
    return [float(value) if there else None for value, there in zip(values, made, strict=True)]


def _holm(ascending: Floats) -> Floats:
    left = np.arange(ascending.size, 0, -1)
    return np.maximum.accumulate(ascending * left)


def _benjamini_hochberg(ascending: Floats) -> Floats:
    n = ascending.size
    scaled = ascending * (n / np.arange(1, n + 1))
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _hochberg(ascending: Floats) -> Floats:
    scaled = ascending * np.arange(ascending.size, 0, -1)
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _benjamini_yekutieli(ascending: Floats) -> Floats:
    return np.asarray(_benjamini_hochberg(ascending) * (1 / np.arange(1, ascending.size + 1)).sum())


def _bonferroni(ascending: Floats) -> Floats:
    return ascending * ascending.size


_RULES: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "hochberg": _hochberg,
    "by": _benjamini_yekutieli,
    "bh": _benjamini_hochberg,
    "fdr": _benjamini_hochberg,
    "fdr_bh": _benjamini_hochberg,
    "benjamini-hochberg": _benjamini_hochberg,
    "bonferroni": _bonferroni,
}
