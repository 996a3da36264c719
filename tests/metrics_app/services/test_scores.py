"""Scores of metrics into a study: all of a file, or nothing."""

from zipfile import ZipFile

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from annotation.models import Item
from metrics_app.loaders.studies import study_named
from metrics_app.models import Metric, Score
from metrics_app.services.scores import import_scores
from tests.metrics_app.factories import rated_study
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def load(tmp_path):
    def load(study, rows, *options):
        path = tmp_path / "scores.csv"
        path.write_text("item_id,system,metric,score\n" + "".join(f"{row}\n" for row in rows))
        call_command("import_scores", study.slug, path, *options)

    return load


def test_scores_are_stored_for_the_current_texts(load):
    study = rated_study(n_items=1)
    item = Item.objects.get()

    load(study, [f"{item.key},Alpha,bleu,0.30000000000000004", f"{item.key},Beta,bleu,0.1"])

    stored = Score.objects.values_list(
        "metric__key", "output_version__output__system__key", "value"
    )
    assert sorted(stored) == [("bleu", "Alpha", 0.30000000000000004), ("bleu", "Beta", 0.1)]


def test_a_bad_row_of_many_columns_is_said_once(tmp_path):
    study = rated_study(n_items=1)
    path = tmp_path / "scores.csv"
    path.write_text("item_id,system,bleu,chrf,ter\nnowhere,Alpha,1,2,3\nnowhere,Beta,1,2,3\n")

    with pytest.raises(ValidationError) as caught:
        import_scores(study_named(study.slug), path)

    rows = [message.split(", column")[0] for message in caught.value.messages]
    assert rows == ["scores.csv: line 2", "scores.csv: line 3"]


def test_metrics_keep_the_order_of_their_columns(tmp_path):
    study = rated_study(n_items=1)
    path, key = tmp_path / "scores.csv", Item.objects.get().key
    path.write_text(f"item_id,system,zeta,alpha,mid\n{key},Alpha,,1,2\n{key},Beta,3,,1\n")

    import_scores(study_named(study.slug), path)

    order = Metric.objects.order_by("position").values_list("key", flat=True)
    assert list(order) == ["zeta", "alpha", "mid"]


def test_scores_loaded_again_are_replaced(load, capsys):
    study = rated_study(n_items=1)
    item = Item.objects.get()
    load(study, [f"{item.key},Alpha,bleu,0.3"])

    load(study, [f"{item.key},Alpha,bleu,0.4", f"{item.key},Alpha,chrf,50"])

    assert list(Score.objects.order_by("value").values_list("value", flat=True)) == [0.4, 50]
    assert list(Metric.objects.values_list("key", "position")) == [("bleu", 0), ("chrf", 1)]
    assert "2 scores of 2 metrics loaded, 1 of them" in capsys.readouterr().out


@pytest.mark.parametrize(
    "row", ["{item},Gamma,bleu,0.3", "nowhere,Alpha,bleu,0.3", "{item},Alpha,bleu,x"]
)
def test_a_bad_row_keeps_the_whole_file_out(load, row):
    study = rated_study(n_items=1)
    item = Item.objects.get().key

    with pytest.raises(CommandError, match="line 3") as caught:
        load(study, [f"{item},Alpha,bleu,0.3", row.format(item=item)])

    assert caught.value.returncode == 2
    assert not Metric.objects.exists()


def test_a_dry_run_writes_nothing(load, capsys):
    study = rated_study(n_items=1)

    load(study, [f"{Item.objects.get().key},Alpha,bleu,0.3"], "--dry-run")

    assert not Metric.objects.exists()
    assert "1 scores of 1 metrics would be loaded" in capsys.readouterr().out


def test_an_mt_metrics_eval_tree_in_a_zip_brings_its_metric_scores(tmp_path):
    study = study_with_texts()
    tree = {
        "system-outputs/en-de/A.txt": "one\ntwo\n",
        "system-outputs/en-de/B.txt": "one\ntwo\n",
        "sources/en-de.txt": "eins\nzwei\n",
        "documents/en-de.docs": "mail i0\nmail i1\n",
        "metric-scores/en-de/bleurt-src.seg.score": "A 0.5\nA None\nB 0.25\nB -1\n",
    }
    with ZipFile(tmp_path / "tree.zip", "w") as packed:
        for name, text in tree.items():
            packed.writestr(name, text)

    loaded = import_scores(study_named(study.slug), tmp_path / "tree.zip", direction="higher")

    assert (loaded.n_scores, loaded.n_metrics) == (3, 1)
    metric = Metric.objects.get(study=study)
    assert (metric.key, metric.direction) == ("bleurt-src", "higher")
    rows = Score.objects.values_list("output_version__output__item__key", "value")
    assert sorted(rows) == [("i0", 0.25), ("i0", 0.5), ("i1", -1.0)]


def test_scores_of_a_name_that_is_computed_here_get_a_name_of_their_own(tmp_path):
    study = study_with_texts()
    Metric.objects.create(study=study, key="chrf", position=0, signature="chrf|computed")
    file = tmp_path / "scores.csv"
    file.write_text("item_id,system,metric,score\ni0,A,chrf,0.5\n", encoding="utf-8")

    import_scores(study_named(study.slug), file)
    import_scores(study_named(study.slug), file)

    assert list(Metric.objects.values_list("key", "position")) == [
        ("chrf", 0),
        ("chrf (uploaded)", 1),
    ]
    assert Score.objects.get().metric.key == "chrf (uploaded)"
