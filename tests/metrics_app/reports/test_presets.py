"""Tables as published studies print them: chosen rows, nothing computed anew."""

from datetime import UTC, datetime

import numpy as np
import pytest

from metrics_app.loaders.columns import Rated, judgements_of
from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.presets import PRESETS, preset_tables
from metrics_app.reports.tables import LISTS
from metrics_app.reports.writers.plain import write_preset
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import FIVE, evaluation_of, grid, tac

FEW = ReportOptions(seed=1, n_resamples=20)
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def _tables(evaluation, key):
    report = build_report(evaluation, FEW, generated_at=NOON)
    return report, {table.name: table for table in preset_tables(report, PRESETS[key])}


def test_opinsummeval_prints_kappa_of_cells_that_count_one_where_undefined():
    values = {("r1", 0): 4, ("r2", 0): 4, ("r1", 1): 2, ("r2", 1): 3}
    rows = [
        Rated("fluency", "trained", judge, f"i{item}", system, str(item % 2), "", float(value))
        for (judge, item), value in values.items()
        for system in ("a", "b")
    ]
    evaluation = Evaluation("small", judgements_of(rows), {"fluency": FIVE})

    _, tables = _tables(evaluation, "opinsummeval")

    assert list(tables) == ["means", "agreement"]  # there is no metric
    (row,) = tables["agreement"].rows
    cells = dict(zip(tables["agreement"].header, row, strict=True))
    assert (cells["scope"], cells["statistic"]) == ("batch_system_mean", "cohen_kappa")
    # Of four cells two are all equal and count 1; in the others chance leaves kappa 0.
    assert (cells["value"], cells["n_undefined"], cells["options.rule"]) == (0.5, 2, "one")


def test_triples2gru_prints_facts_and_f_over_outputs():
    answers = [
        (judge, f"i{item}", "a", 1 + (item + fact * offset) % 2, "presence", f"f{fact}")
        for judge, offset in (("e1", 1), ("w1", 2))
        for item in range(4)
        for fact in range(3)
    ]
    evaluation = evaluation_of(answers, scale=Scale.named(["Absent", "Present"]), sides=True)

    report, tables = _tables(evaluation, "triples2gru")

    assert list(tables) == ["coverage", "groups_on_facts", "means"]
    assert len(tables["groups_on_facts"].rows) == 4  # two labels, F and r
    assert len(tables["coverage"].rows) == sum(row.rule == "mean" for row in report.facts)


@pytest.mark.parametrize("key", PRESETS)
def test_every_preset_chooses_from_lists_of_the_report(key):
    assert {table.rows_of for table in PRESETS[key].tables} <= set(LISTS)


def test_aeslc_prints_means_agreement_and_metrics_over_all_outputs(tmp_path):
    ratings = [
        (judge, item, system, value, dimension)
        for judge, item, system, value in grid(3, 6, 3, lambda j, i, s: 1 + (j + i + s) % 4)
        for dimension in ("overall", "informativeness", "fluency")
    ]
    scores = [
        (metric, f"i{item}", f"s{system}", (factor * item + system) % 7)
        for metric, factor in (("rouge1", 3), ("meteor", 5))
        for item in range(6)
        for system in range(3)
    ]
    evaluation = evaluation_of(ratings, scale=Scale.points(range(1, 5)), scores=scores)

    report, tables = _tables(evaluation, "aeslc")
    paths = write_preset(report, PRESETS["aeslc"], tmp_path)

    assert list(tables) == ["means", "agreement", "metrics", "systems"]
    assert [path.stem for path in paths] == list(tables)
    rows = [dict(zip(tables["metrics"].header, row, strict=True)) for row in tables["metrics"].rows]
    assert {row["level"] for row in rows} == {"global"}
    assert len(rows) == 2 * 3 * 2  # metrics, dimensions, coefficients
    matrix = evaluation.metric_scores("meteor"), evaluation.human_scores("overall")
    expected = np.corrcoef(matrix[0].ravel(), matrix[1].ravel())[0, 1]
    wanted = {"metric": "meteor", "dimension": "overall", "statistic": "pearson"}
    (found,) = (row for row in rows if wanted.items() <= row.items())
    assert found["value"] == pytest.approx(expected)


def test_nouveau_rouge_prints_fit_held_out_correlation_and_gap(tmp_path):
    report, tables = _tables(tac(), "nouveau-rouge")
    paths = write_preset(report, PRESETS["nouveau-rouge"], tmp_path)

    assert [path.stem for path in paths] == list(tables)
    sizes = {name: len(table.rows) for name, table in tables.items()}
    assert sizes == {
        "system_level": 2,
        "coefficients": 3,
        "half_split": 3,
        "bootstrap": 3,
        "metric_gap": 2,
        "published_coefficients": 2,
    }
