"""Every comparison of experts and crowd that the published set states, at 1e-9."""

import pytest

from metrics_app.stats.anova import oneway_anova
from metrics_app.stats.rank_tests import kruskal_wallis, mann_whitney
from metrics_app.stats.t_tests import t_test
from metrics_app.stats.two_samples import TwoSamples
from metrics_app.stats.twoway import twoway_anova
from tests.metrics_app.stats import study_scores

DIMENSIONS = ["coherence", "consistency", "fluency", "relevance"]


@pytest.fixture
def cells(study_data):
    """Return a function from a dimension to {group: {(item, system): scores}}."""
    path = study_data("dialsummeval/ratings.csv.gz")

    def find(dimension):
        found = study_scores.ratings(path)
        return {group: found[group, dimension] for group in ("expert", "crowd")}

    return find


@pytest.fixture
def expected(study_data):
    listed = study_scores.checks(study_data("dialsummeval/expected.json"))
    return {check["id"]: check for check in listed}


def singles(scores):
    return [score for cell in scores.values() for score in cell]


def by_rater(scores):
    return dict(enumerate(zip(*scores.values(), strict=True)))


def small(scores):
    items = {f"sam{number:03d}" for number in range(1, 21)}
    return {k: v for k, v in scores.items() if k[1] == "BART" and k[0] in items}


def in_order(scores, other):
    return [sum(scores[key]) / len(scores[key]) for key in other]


def by_system(scores):
    systems = {}
    for (_, system), cell in scores.items():
        systems.setdefault(system, []).append(sum(cell) / len(cell))
    return systems


def summary_means(scores):
    return list(study_scores.means(scores).values())


UNITS = {
    "anova.ratings": lambda c: {g: singles(c[g]) for g in c},
    "anova.summary_means": lambda c: {g: summary_means(c[g]) for g in c},
    "anova.experts_only": lambda c: by_rater(c["expert"]),
    "anova.systems_expert_means": lambda c: by_system(c["expert"]),
    "mini20.anova.ratings": lambda c: {g: singles(small(c[g])) for g in c},
    "mini20.anova.summary_means": lambda c: {g: summary_means(small(c[g])) for g in c},
}


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("name", UNITS)
def test_oneway_anova(cells, expected, name, dimension):
    check = expected[f"{name}.{dimension}"]

    result = oneway_anova(UNITS[name](cells(dimension)))

    assert result.value == pytest.approx(check["value"], abs=1e-9, rel=1e-9)
    assert result.df == (check["df1"], check["df2"])
    assert result.p == pytest.approx(check["p_value"], abs=1e-9)
    assert result.effects["eta_squared"] == pytest.approx(check["eta_squared"], abs=1e-9)
    assert result.details["ss_between"] == pytest.approx(check["ss_between"], abs=1e-9)
    assert result.details["ss_within"] == pytest.approx(check["ss_within"], abs=1e-9)
    assert result.group_means == pytest.approx(check["group_means"], abs=1e-9)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_welch_t_kruskal_wallis_and_mann_whitney_of_ratings(cells, expected, dimension):
    expert, crowd = (singles(part) for part in cells(dimension).values())

    welch = t_test(TwoSamples.of(expert, crowd))
    rank = kruskal_wallis({"expert": expert, "crowd": crowd})
    u = mann_whitney(expert, crowd)

    found = {"welch_t": welch, "kruskal": rank, "mannwhitney": u}
    for name, result in found.items():
        check = expected[f"{name}.ratings.{dimension}"]
        assert result.value == pytest.approx(check["value"], abs=1e-9, rel=1e-10)
        assert result.p == pytest.approx(check["p_value"], abs=1e-9)
    assert welch.df[0] == pytest.approx(expected[f"welch_t.ratings.{dimension}"]["df"], abs=1e-8)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_paired_t_of_summary_means(cells, expected, dimension):
    groups = cells(dimension)
    check = expected[f"paired_t.summary_means.{dimension}"]
    pairs = [in_order(groups[name], groups["expert"]) for name in ("expert", "crowd")]

    result = t_test(TwoSamples.of(*pairs, are_paired=True))

    assert result.value == pytest.approx(check["value"], abs=1e-9)
    assert result.df == (check["df"],)
    assert result.p == pytest.approx(check["p_value"], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", ["II", "III"])
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_twoway_anova_of_summary_means(cells, expected, dimension, kind):
    rows = [
        (group, system, sum(cell) / len(cell))
        for group, scores in cells(dimension).items()
        for (_, system), cell in scores.items()
    ]

    found = twoway_anova(rows, sums_of_squares=kind)

    for effect in ("group", "system", "interaction"):
        check = expected[f"anova2.{effect}.{dimension}"]
        assert found[effect].value == pytest.approx(check["value"], abs=1e-9, rel=1e-11)
        assert found[effect].df == (check["df1"], check["df2"])
        assert found[effect].p == pytest.approx(check["p_value"], abs=1e-9)
    assert "balanced" in found["group"].method
