"""Voting rules and models of judges, against worked cases, Crowd-Kit and planted truth."""

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import GLAD, MACE, DawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from metrics_app.stats.consensus import majority_vote, posterior_of, wawa, zero_based_skill
from metrics_app.stats.dawid_skene import dawid_skene
from metrics_app.stats.glad import _loss, glad
from metrics_app.stats.labels import LabelTable
from metrics_app.stats.lines.crowd import HANDLERS
from metrics_app.stats.mace import mace
from tests.metrics_app.stats.oracle_cases import assert_answers, cases


def seeded_mace(table):
    return mace(table, rng=np.random.default_rng(0))


MODELS = [dawid_skene, seeded_mace, glad, wawa, zero_based_skill]
RULES = [majority_vote, *MODELS]


@pytest.mark.parametrize("case", cases("majority_vote", "dawid_skene", "mace", "glad"))
def test_worked_case(case):
    assert_answers(HANDLERS[case["statistic"]](case["options"], case["data"]), case)


def test_anaesthetists_have_the_error_rates_of_the_case():
    (case,) = [c.values[0] for c in cases("dawid_skene") if c.id == "ds-anaesthesia"]
    found = dawid_skene(LabelTable.from_rows(case["data"]["labels"]))

    assert found.details["is_converged"]
    assert found.details["log_likelihood"] == pytest.approx(-190.7309966, abs=1e-6)
    for judge, rates in case["expected"]["error_rates"].items():
        assert found.details["error_rates"][judge] == pytest.approx(np.array(rates), abs=1e-3)


def planted(seed=5, n_units=120, skills=(0.95, 0.85, 0.75, 0.6, 1 / 3, 1 / 3)):
    """Six judges of known skill; three categories; who is wrong errs evenly."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n_units)
    rows = [
        (f"j{judge}", f"u{unit}", int(t if rng.random() < skill else rng.integers(3)))
        for unit, t in enumerate(truth)
        for judge, skill in enumerate(skills)
    ]
    return rows, {f"u{unit}": int(t) for unit, t in enumerate(truth)}


def accuracy(labels, truth):
    return np.mean([labels[unit] == label for unit, label in truth.items()])


@pytest.mark.parametrize("rule", MODELS)
def test_a_model_of_the_judges_beats_the_majority(rule):
    rows, truth = planted()
    table = LabelTable.from_rows(rows)

    found = rule(table)

    assert accuracy(found.labels, truth) > accuracy(majority_vote(table).labels, truth)
    assert list(found.skills)[:3] == ["j0", "j1", "j2"]
    skills = list(found.skills.values())
    assert min(skills[:3]) > max(skills[4:])


@pytest.mark.filterwarnings("ignore")  # Crowd-Kit's own, from newer libraries below it
@pytest.mark.parametrize(
    ("rule", "peer", "least"),
    [
        (dawid_skene, DawidSkene(n_iter=300, tol=1e-9), 0.99),
        (seeded_mace, MACE(n_restarts=3), 0.98),
        (glad, GLAD(n_iter=20), 0.98),
    ],
)
def test_labels_are_those_of_crowd_kit(rule, peer, least):
    rows, _ = planted(n_units=60)
    frame = pd.DataFrame(rows, columns=["worker", "task", "label"])

    theirs = peer.fit_predict(frame).to_dict()
    ours = rule(LabelTable.from_rows(rows)).labels

    assert np.mean([ours[unit] == label for unit, label in theirs.items()]) >= least


def test_wawa_by_hand():
    # The majority is x, x, y; a agrees 3 of 3, b 2 of 3, c 1 of 3; t4 has a (1) against b + c (1).
    rows = [
        *[("a", "t1", "x"), ("b", "t1", "x"), ("c", "t1", "y")],
        *[("a", "t2", "x"), ("b", "t2", "y"), ("c", "t2", "x")],
        *[("a", "t3", "y"), ("b", "t3", "y"), ("c", "t3", "x")],
    ]
    found = wawa(LabelTable.from_rows(rows))

    assert found.skills == pytest.approx({"a": 1, "b": 2 / 3, "c": 1 / 3})
    assert found.labels == {"t1": "x", "t2": "x", "t3": "y"}
    assert found.probabilities[0] == pytest.approx([5 / 6, 1 / 6])


def test_a_tie_is_reported_among_decided_units():
    rows = [("a", "t1", 1), ("b", "t1", 2), ("a", "t2", 1), ("b", "t2", 1)]
    found = majority_vote(LabelTable.from_rows(rows))

    assert found.labels == {"t1": None, "t2": 1}
    assert found.ties == ("t1",)
    assert found.undefined is None


@pytest.mark.parametrize("rule", MODELS)
def test_one_judge_does_not_identify_a_model(rule):
    found = rule(LabelTable.from_rows([("a", "t1", 1), ("a", "t2", 2)]))
    assert found.undefined == "not_identified"
    assert found.labels == {"t1": None, "t2": None}


@pytest.mark.parametrize("rule", MODELS)
def test_judges_who_share_no_unit_do_not_identify_a_model(rule):
    rows = [("a", "t1", 1), ("a", "t1", 1), ("b", "t2", 2)]
    assert rule(LabelTable.from_rows(rows)).undefined == "no_pairs"


@pytest.mark.parametrize("rule", RULES)
def test_no_label_is_all_missing(rule):
    assert rule(LabelTable.from_rows([("a", "t1", None)])).undefined == "all_missing"


@pytest.mark.parametrize("rule", RULES)
def test_full_agreement_on_one_category_is_that_category(rule):
    rows = [(judge, unit, "x") for judge in "ab" for unit in ("t1", "t2")]
    assert rule(LabelTable.from_rows(rows)).labels == {"t1": "x", "t2": "x"}


def test_mace_repeats_with_the_same_seed():
    table = LabelTable.from_rows(planted(n_units=20)[0])
    first, second = (mace(table, rng=np.random.default_rng(3)) for _ in range(2))
    assert first.probabilities.tolist() == second.probabilities.tolist()


@settings(max_examples=25, deadline=None)
@given(order=st.permutations(range(30)), names=st.permutations("abcde"))
@pytest.mark.parametrize("rule", [majority_vote, dawid_skene, wawa, zero_based_skill])
def test_order_of_rows_and_names_of_judges_do_not_matter(rule, order, names):
    rows, _ = planted(n_units=6, skills=(0.9, 0.8, 0.7, 0.6, 0.5))
    renamed = [(names[int(judge[1])], unit, label) for judge, unit, label in rows]
    before = rule(LabelTable.from_rows(rows, categories=range(3)))
    after = rule(LabelTable.from_rows([renamed[row] for row in order], categories=range(3)))

    assert after.labels == before.labels


def test_glad_is_where_the_slope_of_the_posterior_vanishes():
    table = LabelTable.from_rows(planted(n_units=15)[0])
    found = glad(table)
    at = np.concatenate(
        [list(found.skills.values()), np.log(list(found.details["easiness"].values()))]
    )
    step = 1e-5 * np.eye(len(at))
    slopes = [(_loss(table, at + h)[0] - _loss(table, at - h)[0]) / 2e-5 for h in step]

    assert found.details["is_converged"]
    assert slopes == pytest.approx(np.zeros(len(at)), abs=1e-2)
    away = at + 0.3
    numeric = [(_loss(table, away + h)[0] - _loss(table, away - h)[0]) / 2e-5 for h in step]
    assert _loss(table, away)[1] == pytest.approx(numeric, abs=1e-4)


def test_posteriors_are_shares_of_the_joint_probability():
    joint = np.array([[-1000.0, -1001, -np.inf], [0.5, 2, -3]])

    posterior, evidence = posterior_of(joint)

    assert evidence == pytest.approx(logsumexp(joint, axis=1))
    assert posterior == pytest.approx(np.exp(joint - evidence[:, None]))


def test_negative_smoothing_is_refused():
    table = LabelTable.from_rows([("a", "t", 1), ("b", "t", 2)])
    with pytest.raises(ValueError, match="smoothing must not be negative"):
        dawid_skene(table, smoothing=-1)
