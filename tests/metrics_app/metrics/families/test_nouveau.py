"""N is linear in R(AB) and R(BB); the coefficients are those of the paper's table 2."""

import pytest

from metrics_app.metrics.contract import Example
from metrics_app.metrics.families.nouveau import PUBLISHED, _predict
from metrics_app.metrics.registry import REGISTRY, compute

UPDATE = Example(
    "the rescued miners went home",
    references=("rescued miners went home today", "the miners are home"),
    priors=("miners are trapped", "the rescue of the miners began"),
)


def score(key, example=UPDATE, **params):
    return compute(REGISTRY[key].configure(**params), [example]).values[0]


@pytest.mark.parametrize(
    ("target", "bb", "ab", "expected"),
    [
        ("responsiveness", 0.087, 0.075, 2.344117),
        ("responsiveness", 0.089, 0.083, 2.342800),
        ("pyramid", 0.087, 0.075, 0.265326),
        ("pyramid", 0.089, 0.083, 0.263282),
    ],
)
def test_check_values_of_the_paper(target, bb, ab, expected):
    assert _predict(PUBLISHED["2", target], ab, bb) == pytest.approx(expected, abs=5e-7)


def test_parts_are_recall_averaged_over_references_by_jackknife():
    # Recall of unigrams, stemmed: 4/5 and 3/4 of the own; 1/3 and 3/6 ("the" once, rescu, miner).
    assert score("rouge1_bb") == pytest.approx((4 / 5 + 3 / 4) / 2)
    assert score("rouge1_ab") == pytest.approx((1 / 3 + 3 / 6) / 2)


def test_prediction_with_published_and_with_own_coefficients():
    ab, bb = score("rouge1_ab"), score("rouge1_bb")
    assert score("nouveau_rouge1") == pytest.approx(-0.0271 - 7.3550 * ab + 13.4227 * bb)
    assert score("nouveau_rouge1", coefficients=(1, 0, 2)) == pytest.approx(1 + 2 * bb)


def test_without_prior_references_there_is_none():
    assert score("nouveau_rouge2", Example("a", references=("a",))).reason == "no_prior"
