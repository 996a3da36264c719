"""Coverage of facts, worked by hand, and the comparison of two groups' percentages."""

import krippendorff
import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.fact_table import FactLabel, FactTable
from metrics_app.stats.facts import compare_groups, coverage, judge_coverage, pyramid_score
from metrics_app.stats.lines.facts import HANDLERS

YES, NO = "Present", "Absent"

# Output (i1, A): f1 yes yes yes, f2 yes yes no, f3 yes no -, f4 no no no.
# Output (i1, B): f1 no - -, f2 yes - -. f1 and f2 are about a person, f3 and f4 about a place.
ANSWERS = {
    ("i1", "A"): {"f1": (YES, YES, YES), "f2": (YES, YES, NO), "f3": (YES, NO, None)}
    | {"f4": (NO, NO, NO)},
    ("i1", "B"): {"f1": (NO, None, None), "f2": (YES, None, None)},
}
PREDICATE = {"f1": "person", "f2": "person", "f3": "place", "f4": "place"}


def rows(**changes):
    return [
        FactLabel(item, system, fact, f"j{judge}", label, predicate=PREDICATE[fact], **changes)
        for (item, system), facts in ANSWERS.items()
        for fact, labels in facts.items()
        for judge, label in enumerate(labels)
    ]


def build(labels, positive=YES):
    return FactTable.from_labels(labels, positive=positive, declared=[YES, NO])


@pytest.mark.parametrize(
    ("rule", "a", "b"),
    [
        ("any", 3 / 4, 1 / 2),
        ("majority", 2 / 4, 1 / 2),
        ("all", 1 / 4, 1 / 2),
        ("mean", (1 + 2 / 3 + 1 / 2 + 0) / 4, 1 / 2),
    ],
)
def test_each_rule_by_hand(rule, a, b):
    found = coverage(build(rows()), rule=rule)

    assert found.outputs == pytest.approx({("i1", "A"): a, ("i1", "B"): b})
    assert found.systems["A"].value == pytest.approx(a)
    assert found.overall.value == pytest.approx((a + b) / 2)
    assert (found.n_ties, found.n_facts, found.n_unanswered) == (1, 6, 0)


def test_predicates_pool_the_facts_of_all_outputs():
    found = coverage(build(rows()), rule="any")
    assert found.predicates == pytest.approx({"person": 3 / 4, "place": 1 / 2})


def test_each_judge_has_an_own_mean_over_outputs():
    assert judge_coverage(build(rows())) == pytest.approx(
        {"j0": (3 / 4 + 1 / 2) / 2, "j1": 2 / 4, "j2": 1 / 3}
    )


def test_the_other_label_is_the_complement():
    absent = coverage(build(rows(), positive=NO), rule="mean").outputs
    assert absent["i1", "A"] == pytest.approx(1 - (1 + 2 / 3 + 1 / 2) / 4)


def test_facts_weigh_as_they_say():
    labels = [FactLabel("i", "A", f, "j", y, weight=w) for f, y, w in [(1, YES, 3), (2, NO, 1)]]
    assert coverage(build(labels)).outputs == {("i", "A"): 0.75}


def test_interval_is_students_over_outputs():
    labels = [
        FactLabel(item, "A", fact, "j", YES if fact < n else NO)
        for item, n in enumerate([1, 2, 4, 4])
        for fact in range(4)
    ]
    shares = [0.25, 0.5, 1, 1]
    expected = stats.ttest_1samp(shares, 0).confidence_interval()

    found = coverage(build(labels)).systems["A"]

    assert found.ci == pytest.approx((expected.low, expected.high))
    assert found.se == pytest.approx(stats.sem(shares))
    assert found.n_units == 4


def test_nothing_answered_is_undefined():
    found = coverage(build([FactLabel("i", "A", "f", "j", None)]))
    assert found.overall.undefined == "all_missing"
    assert found.outputs == {}


def percentages(n_outputs=20, n_facts=10):
    """Return the rows of a joint expert and three workers on 20 summaries; seed fixed."""
    rng = np.random.default_rng(8)
    return [
        FactLabel(item, "BART", fact, judge, YES if rng.random() < share else NO, group=group)
        for item in range(n_outputs)
        for judge, group, share in [("e", "expert", 0.5)]
        + [(f"w{n}", "crowd", 0.6 + item / 100) for n in range(3)]
        for fact in range(n_facts)
    ]


def test_two_groups_are_compared_on_the_means_of_twenty_summaries():
    labels = percentages()
    share = {
        group: [
            100 * np.mean([r.label == YES for r in labels if r.item == i and r.group == group])
            for i in range(20)
        ]
        for group in ("expert", "crowd")
    }
    anova = stats.f_oneway(share["expert"], share["crowd"])

    found = compare_groups(build(labels), "expert", "crowd")

    assert found.anova.df == (1, 38)
    assert found.anova.value == pytest.approx(anova.statistic)
    assert found.anova.p == pytest.approx(anova.pvalue)
    assert found.pearson.value == pytest.approx(
        stats.pearsonr(share["expert"], share["crowd"]).statistic
    )
    assert found.series["crowd"] == pytest.approx(share["crowd"])


def test_agreement_on_facts_is_nominal_alpha_over_facts_of_outputs():
    cells = [
        [np.nan if label is None else float(label == YES) for label in labels]
        for facts in ANSWERS.values()
        for labels in facts.values()
    ]
    expected = krippendorff.alpha(np.array(cells).T, level_of_measurement="nominal")

    table = build(rows())

    assert krippendorff_alpha(table.as_ratings()).value == pytest.approx(expected)
    assert table.as_ratings().system.tolist().count("A") == 4
    assert [(fact.system, fact.fact) for fact in table.disagreements()] == [
        ("A", "f2"),
        ("A", "f3"),
    ]


def test_a_joint_judge_alone_has_no_agreement():
    found = krippendorff_alpha(build(rows()).of_judge("j0").as_ratings())
    assert found.undefined == "too_few_raters"


def test_outputs_of_one_group_only_are_left_out_and_counted():
    labels = [r for r in percentages(4) if not (r.item == 2 and r.group == "expert")]
    found = compare_groups(build(labels), "expert", "crowd")
    assert [item for item, _ in found.outputs] == [0, 1, 3]
    assert found.n_left_out == 1


def test_experts_who_answered_together_become_one_joint_judge():
    labels = [FactLabel("i", "A", f, j, YES, group="expert") for f in (1, 2) for j in ("e1", "e2")]
    joint = build(labels).joined(["e1", "e2"], name="e1+e2")

    assert joint.judges == ("e1+e2",)
    assert joint.group == ("expert",)
    assert joint.counts()[1].tolist() == [1, 1]


def test_experts_who_differ_did_not_answer_together():
    labels = [FactLabel("i", "A", "f", "e1", YES), FactLabel("i", "A", "f", "e2", NO)]
    with pytest.raises(ValueError, match="judges e1, e2 did not answer alike"):
        build(labels).joined(["e1", "e2"], name="e")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([FactLabel(1, 1, 1, "j", YES)] * 2, "judge 'j', item 1, system 1, fact 1: answered twice"),
        ([FactLabel(1, 1, 1, "j", "Maybe")], "'Maybe' is none of Present, Absent"),
        ([FactLabel(1, 1, 1, "j", YES, weight=-1)], "weight -1 must be 0 or more"),
        (
            [FactLabel(1, 1, 1, "j", YES, weight=1), FactLabel(1, 1, 1, "k", YES, weight=2)],
            "two weights or two predicates",
        ),
        (
            [FactLabel(1, 1, 1, "j", YES, group="a"), FactLabel(1, 1, 2, "j", YES, group="b")],
            "judge 'j' is in two groups",
        ),
    ],
)
def test_senseless_rows_are_named(labels, message):
    with pytest.raises(ValueError, match=message):
        build(labels)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: coverage(build(rows()), rule="most"), "rule must be any, majority, all or mean"),
        (lambda: build(rows(), positive="Yes"), "'Yes' is none of the labels"),
        (lambda: build(rows()).of_group("x"), "no judge is in the group 'x'"),
    ],
)
def test_senseless_wishes_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_pyramid_score_by_hand():
    # Weights 4 3 2 1; facts of weight 4 and 1 are expressed: 5 of at best 4 + 3.
    assert pyramid_score([4, 3, 2, 1], [1, 0, 0, 1]) == pytest.approx(5 / 7)
    assert pyramid_score([4, 3, 2, 1], [1, 0, 0, 1], n_expected=3) == pytest.approx(5 / 9)
    assert np.isnan(pyramid_score([4, 3], [0, 0]))
    with pytest.raises(ValueError, match="2 weights for 1 facts"):
        pyramid_score([1, 2], [1])


def test_the_line_interface_takes_objects():
    labels = [
        {"judge": r.judge, "item": r.item, "system": r.system, "fact": r.fact, "label": r.label}
        for r in rows()
    ]
    answer = HANDLERS["fact_coverage"]({"rule": "any"}, {"labels": labels})

    assert answer["value"] == pytest.approx(0.625)
    assert answer["outputs"] == {"i1|A": 0.75, "i1|B": 0.5}


def test_the_line_interface_compares_groups():
    parts = ("judge", "item", "system", "fact", "label", "group")
    labels = [{part: getattr(row, part) for part in parts} for row in percentages()]
    answer = HANDLERS["fact_comparison"]({"groups": ["expert", "crowd"]}, {"labels": labels})
    assert answer["df"] == (1, 38)
    assert answer["n_outputs"] == 20
