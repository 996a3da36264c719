"""People and language models: agreement across, never pooled."""

import dataclasses

import numpy as np
import pytest

from metrics_app.reports.agreement import people_and_model_rows
from metrics_app.reports.page.page import report_page
from metrics_app.stats.pairwise import cohen_kappa
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import built

# Judges whose name begins with e are here the language models.
PEOPLE = grid(2, 12, 1, lambda judge, item, _: 1 + (item + judge * (item % 3 == 0)) % 5)
MODELS = [("e0", f"i{item}", "s0", 1 + (item + (item % 4 == 0)) % 5) for item in range(12)]


def mixed():
    """Return a study that two people and one language model judged."""
    return dataclasses.replace(evaluation_of(PEOPLE + MODELS), model_groups=("expert",))


def test_kappa_across_is_the_mean_over_pairs_of_a_person_and_a_model():
    rows = list(people_and_model_rows(mixed()))

    assert [row.options["weights"] for row in rows] == ["unweighted", "linear", "quadratic"]
    assert {(row.scope, row.group) for row in rows} == {("people_and_models", "expert")}
    table = mixed().rating_table("fluency")
    pairs = [cohen_kappa(table.select_raters([person, "e0"])).value for person in ("w0", "w1")]
    assert rows[0].value == pytest.approx(np.mean(pairs))
    equal = [
        sum(a[3] == b[3] for a, b in zip(PEOPLE[i : i + 12], MODELS, strict=True)) for i in (0, 12)
    ]
    assert rows[0].observed == pytest.approx(sum(equal) / 24)


def test_without_language_models_there_is_no_such_row():
    assert list(people_and_model_rows(evaluation_of(PEOPLE + MODELS))) == []


def test_few_shared_outputs_leave_it_undefined():
    few = evaluation_of([row for row in PEOPLE + MODELS if row[1] in ("i0", "i1")])

    rows = list(people_and_model_rows(dataclasses.replace(few, model_groups=("expert",))))

    assert {row.undefined for row in rows} == {"no_defined_pair"}


def test_the_page_holds_people_and_models_beside_each_other():
    (table,) = report_page(built(mixed()).as_json()).more_agreement

    assert [name for name, _ in table.rows] == [
        "Fluency, people with people",
        "Fluency, people with expert",
        "Fluency, expert with each other",
    ]
