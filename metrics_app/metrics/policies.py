"""Several references, one score: the policies that the field uses, each under its name."""

from collections.abc import Callable, Sequence
from statistics import fmean

from metrics_app.metrics.contract import Policy, Score, Undefined


def combine(scores: Sequence[Score], policy: Policy, *, ranks: Sequence[float] = ()) -> Score:
    """Return one score from the scores against each reference.

    Parameters
    ----------
    scores : sequence of float or Undefined
        One per reference. References without a defined score are left out.
    policy : {"mean", "best", "jackknife"}
        ``mean`` of all; the ``best`` one; ``jackknife``: each reference is left out in turn, the
        best of the others is taken, and these are averaged (Lin 2004, section 2.1; one reference
        alone gives its own score).
    ranks : sequence of float
        What "best" looks at, higher is better; the scores themselves where it is not given.
        rouge-score looks at F also where recall is asked for.

    Returns
    -------
    float or Undefined
        Undefined, with the reason of the first, where no reference has a defined score.
    """
    order = ranks or [0.0 if isinstance(score, Undefined) else score for score in scores]
    defined = [
        (rank, score)
        for rank, score in zip(order, scores, strict=True)
        if not isinstance(score, Undefined)
    ]
    if not defined:
        return scores[0] if scores else Undefined("no_reference")
    if policy == "mean":
        return fmean(score for _, score in defined)
    if policy == "jackknife" and len(defined) > 1:
        return _leave_one_out(defined)
    return max(defined, key=_rank)[1]


def _rank(pair: tuple[float, float]) -> float:
    return pair[0]


def _leave_one_out(defined: list[tuple[float, float]]) -> float:
    # The best of the others is the best of all, save where the best itself is left out.
    best = max(range(len(defined)), key=lambda index: defined[index][0])
    others = max((pair for index, pair in enumerate(defined) if index != best), key=_rank)
    return ((len(defined) - 1) * defined[best][1] + others[1]) / len(defined)


def over_references(
    references: Sequence[str], policy: Policy, pair: Callable[[str], Score], *, lower: bool = False
) -> Score:
    """Return the combined score of ``pair`` over references; ``lower`` where less is better."""
    scores = [pair(reference) for reference in references]
    if not lower:
        return combine(scores, policy)
    turned = combine([s if isinstance(s, Undefined) else -s for s in scores], policy)
    return turned if isinstance(turned, Undefined) else -turned
