"""The toolkit mt-metrics-eval finds in our tree what the report says."""

import math
import zipfile

import pytest
from django.core.management import call_command

from annotation.models import Item, Judge, Rating, Reference, System
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.models import Metric
from metrics_app.reports.correlation import correlation_rows
from tests.annotation.exporting.test_mt_metrics_eval import EvalSet
from tests.factories import JudgeGroupFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = pytest.mark.django_db
HOW = (
    "the toolkit is on no package index (what bears its name there is something else): clone "
    "google-research/mt-metrics-eval and put its folder on PYTHONPATH"
)
GROUPS = {"all": "fluency", "expert": "fluency.expert", "crowd": "fluency.crowd"}
SYSTEMS = ("A b", "a.b", "refA", "語", "GOLD")


@pytest.fixture
def read_tree():
    """Return the toolkit's reader of a folder."""
    data = pytest.importorskip("mt_metrics_eval.data", reason=HOW)
    levels = ("sys", "domain", "doc", "seg")
    gold = dict.fromkeys(levels, "fluency")
    info = data.meta_info.MetaInfo("refA", gold, set(), set())
    return lambda folder: data.EvalSet(
        folder.name, "en-en", True, info, path=str(folder.parent), strict=True
    )


def scored_study():
    """Return a study with names that no file can bear, a human system, documents, and metrics."""
    study = rated_study(n_items=6, systems=SYSTEMS, dimensions=("fluency",))
    with_scores(study, "rouge-1", "bleu", "chrf_signature")
    Metric.objects.filter(key="chrf_signature").update(signature="perplexity|refs:none")
    System.objects.filter(study=study, key="GOLD").update(kind="human")
    for place, item in enumerate(Item.objects.filter(study=study).order_by("position")):
        item.document, item.domain = f"d{place // 2}", ("news", "chat")[place // 4]
        item.save()
        Reference.objects.create(item=item, role="reference", position=1, text=f"gold {place}")
    return study


def with_a_model(study):
    """Let one of the crowd be a language model, whose ratings are no human scores."""
    group = JudgeGroupFactory(study=study, key="llm", kind="model", name="LLM")
    judge = Judge.objects.filter(study=study, group__key="crowd").first()
    Judge.objects.filter(pk=judge.pk).update(group=group)


def exported(study, tmp_path):
    path = tmp_path / "tree.zip"
    call_command("export", study.slug, "--format", "mt-metrics-eval", "--out", path)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    return tmp_path / study.slug


def test_the_scores_of_metrics_go_with_those_of_people(tmp_path):
    study = scored_study()
    with_a_model(study)

    tree = EvalSet(exported(study, tmp_path), pair="en-en")

    names = {name for level, name in tree.scores if level == "seg"}
    assert names == {*GROUPS.values(), "rouge_1-refA", "bleu-refA", "chrf_signature-src"}
    assert tree.human == {"GOLD"}
    people = Rating.objects.exclude(assignment__judge__group__key="llm")
    item = Item.objects.filter(study=study).order_by("position").first()
    of_one = people.filter(
        assignment__unit__item=item, assignment__unit__system__key="語"
    ).values_list("value", flat=True)
    assert tree.scores["seg", "fluency"]["語"][0] == sum(of_one) / len(of_one)


def test_the_toolkit_itself_finds_the_correlations_of_the_report(read_tree, tmp_path):
    study = scored_study()
    with_a_model(study)
    # No judge answered here: the toolkit and the report leave the output out alike.
    item = Item.objects.filter(study=study).order_by("position").last()
    n_lost = Rating.objects.filter(
        assignment__unit__item=item, assignment__unit__system__key="a.b"
    ).update(value=None, missing_reason="unclear")
    assert n_lost
    tree = read_tree(exported(study, tmp_path))
    evaluation = source_of_study(study_named(study.slug)).evaluation
    full = {"rouge-1": "rouge_1-refA", "bleu": "bleu-refA", "chrf_signature": "chrf_signature-src"}

    assert tree.human_sys_names == {"GOLD"}
    compared = 0
    for metric, name in full.items():
        for row in correlation_rows(evaluation, metric):
            if row.group == "llm" or row.level == "system":
                continue  # over means: the toolkit's are of all outputs, ours of those rated
            theirs = _correlation(tree, name, row)
            assert math.isclose(row.value or 0, theirs, abs_tol=1e-12), row
            compared += 1
    assert compared == 3 * 3 * 2 * 3


def _correlation(tree, metric, row):
    """Return the toolkit's number for a row of the report, 0 where it has none."""
    level = "sys" if row.level == "system" else "seg"
    gold, scores = tree.Scores(level, GROUPS[row.group]), tree.Scores(level, metric)
    correlation = tree.Correlation(gold, scores)
    statistics = {
        "pearson": correlation.Pearson,
        "spearman": correlation.Spearman,
        "kendall_tau_b": correlation.Kendall,
    }
    return statistics[row.statistic]("item" if row.level == "summary" else "none")[0]


def test_the_toolkit_itself_finds_the_report_at_the_level_of_systems(read_tree, tmp_path):
    study = scored_study()
    tree = read_tree(exported(study, tmp_path))
    evaluation = source_of_study(study_named(study.slug)).evaluation

    rows = [row for row in correlation_rows(evaluation, "bleu") if row.level == "system"]
    for row in rows:
        assert math.isclose(row.value, _correlation(tree, "bleu-refA", row), abs_tol=1e-12), row
    assert len(rows) == 3 * 3
