"""Facts in the report: coverage by rule, and experts against the crowd."""

from dataclasses import replace

import pytest
from scipy import stats

from metrics_app.reports.facts import fact_comparison_rows, fact_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of

ASKED = ReportOptions(seed=1)
PRESENCE = Scale.named(["Absent", "Present"])
ABSENT, PRESENT = 1, 2


def _answer(judge, item, fact, value):
    return (judge, item, "a", value, "presence", fact)


# Of the two facts of i1 one is seen by a single judge; i2 has one fact, which both see.
ANSWERS = [
    _answer("w1", "i1", "f1", PRESENT), _answer("w2", "i1", "f1", ABSENT),
    _answer("w1", "i1", "f2", ABSENT), _answer("w2", "i1", "f2", ABSENT),
    _answer("w1", "i2", "f1", PRESENT), _answer("w2", "i2", "f1", PRESENT),
]  # fmt: skip


def test_coverage_depends_on_how_judges_are_put_together():
    rows = list(fact_rows(evaluation_of(ANSWERS, scale=PRESENCE), ASKED))

    present = {
        row.rule: row.value for row in rows if (row.label, row.scope) == ("Present", "overall")
    }
    assert present == {"any": 0.75, "majority": 0.5, "all": 0.5, "mean": 0.625}
    absent = {row.rule: row.value for row in rows if (row.label, row.scope) == ("Absent", "system")}
    assert absent == {"any": 0.5, "majority": 0.25, "all": 0.25, "mean": 0.375}
    assert {(row.n_outputs, row.n_facts, row.n_ties) for row in rows} == {(2, 3, 1)}


def test_predicates_and_weights_come_with_the_facts():
    evaluation = replace(
        evaluation_of(ANSWERS, scale=PRESENCE),
        facts={("i1", "f1"): ("born in", 3.0), ("i2", "f1"): ("born in", 1.0)},
    )

    rows = list(fact_rows(evaluation, ASKED))

    wanted = [row for row in rows if (row.label, row.rule) == ("Present", "mean")]
    assert {(row.scope, row.name): row.value for row in wanted} == {
        ("overall", ""): (3 * 0.5 / 4 + 1) / 2,
        ("system", "a"): (3 * 0.5 / 4 + 1) / 2,
        ("predicate", "born in"): (3 * 0.5 + 1) / 4,
    }


def test_twenty_summaries_are_compared_by_f_with_1_and_38_degrees_of_freedom():
    seen = {"e1": lambda i, f: (i + f) % 3 > 0, "w1": lambda i, f: (i * f) % 4 > 0}
    answers = [
        _answer(judge, f"i{i}", f"f{f}", PRESENT if sees(i, f) else ABSENT)
        for judge, sees in seen.items()
        for i in range(20)
        for f in range(5)
    ]

    rows = list(fact_comparison_rows(evaluation_of(answers, scale=PRESENCE, sides=True), ASKED))

    anova, pearson = (row for row in rows if (row.label, row.rule) == ("Present", "mean"))
    series = [[100 * sum(sees(i, f) for f in range(5)) / 5 for i in range(20)] for sees in
              seen.values()]  # fmt: skip
    expected = stats.f_oneway(*series)
    assert anova.df == (1, 38)
    assert (anova.value, anova.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert anova.group_means == pytest.approx([sum(one) / 20 for one in series])
    assert pearson.value == pytest.approx(stats.pearsonr(*series).statistic)
    assert (pearson.n_outputs, pearson.n_left_out) == (20, 0)


def test_no_facts_no_rows_and_one_group_no_comparison():
    whole = evaluation_of([("w1", "i1", "a", 1), ("w2", "i1", "a", 2)], scale=PRESENCE)

    assert list(fact_rows(whole, ASKED)) == []
    assert list(fact_comparison_rows(evaluation_of(ANSWERS, scale=PRESENCE), ASKED)) == []
    alone = evaluation_of(ANSWERS, scale=PRESENCE, sides=True)
    assert list(fact_comparison_rows(alone, ASKED)) == []
