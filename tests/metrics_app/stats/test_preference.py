"""Bradley-Terry, against a textbook's fit, a logistic regression and closed forms."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.stats.lines.preference import HANDLERS
from metrics_app.stats.preference import Wins, bradley_terry

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
# American League 1987, winners in rows: Agresti (2002), Categorical Data Analysis, table 10.10.
GAMES = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def test_baseball_has_the_strengths_of_the_textbook():
    found = bradley_terry(Wins.from_matrix(GAMES, systems=TEAMS))
    # R's BradleyTerry2 (Turner and Firth 2012) and Agresti, Baltimore set to 0.
    published = dict(zip(TEAMS, [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], strict=True))
    against = {team: found.strengths[team] - found.strengths["Baltimore"] for team in TEAMS}
    assert against == pytest.approx(published, abs=5e-5)

    c = found.covariance
    assert np.sqrt(c[4, 4] + c[6, 6] - 2 * c[4, 6]) == pytest.approx(0.3339, abs=5e-5)
    assert sum(found.strengths.values()) == pytest.approx(0, abs=1e-12)


def test_fit_and_test_are_those_of_a_logistic_regression():
    design, won, games = [], [], np.array(GAMES)
    for a in range(7):
        for b in range(a + 1, 7):
            row = np.zeros(7)
            row[a], row[b] = 1, -1
            design.append(row[:6])
            won.append([games[a, b], games[b, a]])
    fit = sm.GLM(np.array(won), np.array(design), family=sm.families.Binomial()).fit()
    found = bradley_terry(Wins.from_matrix(GAMES))

    ours = np.array(list(found.strengths.values()))
    assert ours[:6] - ours[6] == pytest.approx(fit.params, abs=1e-8)
    even = 2 * sum(
        n * np.log(2 * n / (games[a, b] + games[b, a]))
        for a in range(7)
        for b in range(7)
        if a != b and (n := games[a, b])
    )
    assert found.value == pytest.approx(even - fit.deviance)
    assert found.df == 6


def test_two_systems_have_the_log_odds():
    found = bradley_terry(Wins.from_comparisons([("a", "b")] * 30 + [("b", "a")] * 10))

    assert found.strengths == pytest.approx({"a": np.log(3) / 2, "b": -np.log(3) / 2})
    assert found.se["a"] == pytest.approx(np.sqrt(1 / 30 + 1 / 10) / 2)
    assert found.shares == {"a": 0.75, "b": 0.25}


def test_a_tie_is_half_a_win_for_either():
    tied = Wins.from_comparisons([("a", "b")], ties=[("a", "b"), ("b", "a")])
    assert tied.counts.tolist() == [[0, 2], [1, 0]]


def test_best_and_worst_beat_and_lose_once():
    wins = Wins.from_best_worst([(["a", "b", "c", "d"], "a", "d")])
    place = {system: row for row, system in enumerate(wins.systems)}

    assert wins.counts.sum() == 5
    assert wins.counts[place["a"], place["d"]] == 1
    assert wins.counts[place["b"], place["c"]] == wins.counts[place["c"], place["b"]] == 0


@pytest.mark.parametrize(
    ("comparisons", "reason"),
    [
        ([("a", "b"), ("a", "c"), ("b", "c"), ("c", "b")], "not_identified"),  # nobody beats a
        ([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], "not_identified"),  # two islands
        ([], "all_missing"),
    ],
)
def test_undefined(comparisons, reason):
    found = bradley_terry(Wins.from_comparisons(comparisons))
    assert found.undefined == reason
    assert all(np.isnan(strength) for strength in found.strengths.values())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Wins.from_comparisons([("a", "a")]), "two different systems"),
        (lambda: Wins.from_comparisons(["ab"]), "two different systems"),
        (lambda: Wins.from_matrix([[0, 1]]), "square"),
        (lambda: Wins.from_matrix([[1, 1], [1, 0]]), "zeros on the diagonal"),
        (lambda: Wins.from_matrix([[0, -1], [1, 0]]), "0 or more"),
        (lambda: Wins.from_matrix([[0, 1], [1, 0]], systems=["a"]), "1 names for 2"),
        (lambda: Wins.from_best_worst([(["a", "b"], "a", "c")]), "two of the options"),
    ],
)
def test_senseless_input_is_an_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=12, max_size=12))
def test_expected_wins_equal_the_wins_and_order_does_not_matter(cells):
    counts = np.zeros((4, 4))
    counts[~np.eye(4, dtype=bool)] = cells
    found = np.array(list(bradley_terry(Wins.from_matrix(counts)).strengths.values()))
    chance = 1 / (1 + np.exp(found - found[:, None]))
    expected = ((counts + counts.T) * chance).sum(axis=1) - np.diag(counts + counts.T) / 2
    assert expected == pytest.approx(counts.sum(axis=1))

    turned = bradley_terry(Wins.from_matrix(counts[::-1, ::-1])).strengths
    assert list(turned.values())[::-1] == pytest.approx(found.tolist())


def test_lines():
    pairs = [["a", "b"], ["b", "a"], ["a", "b"]]
    answer = HANDLERS["bradley_terry"]({}, {"comparisons": pairs})
    assert answer["value"]["a"] == pytest.approx(np.log(2) / 2)
    assert HANDLERS["bradley_terry"]({}, {"comparisons": [["a", "b"]]}) == {
        "undefined": "not_identified",
        "shares": {"a": 1, "b": 0},
    }
    choice = {"options": ["a", "b"], "best": "a", "worst": "b"}
    back = {"options": ["a", "b"], "best": "b", "worst": "a"}
    answer = HANDLERS["best_worst"]({}, {"choices": [choice, back]})
    assert answer["value"] == pytest.approx({"a": 0, "b": 0})
    assert answer["p"] == pytest.approx(1)
