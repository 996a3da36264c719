"""The Hugging Face folder, read by the library that people will read it with (UX 36)."""

import pytest

from annotation.exporting.json_lines import write_data_set
from tests.annotation.exporting.rows import CODEBOOK, ITEMS, RATINGS


@pytest.fixture
def folder(tmp_path):
    write_data_set(tmp_path / "data set", name="Demo: a study", bundles=ITEMS, codebook=CODEBOOK)
    return tmp_path / "data set"


@pytest.fixture
def load(folder, tmp_path):
    from datasets import load_dataset  # takes seconds to import

    def one_call(table):
        return load_dataset(str(folder), table, split="train", cache_dir=str(tmp_path / "cache"))

    return one_call


def test_ux_36_the_card_names_both_tables(folder):
    from datasets import get_dataset_config_names

    assert get_dataset_config_names(str(folder)) == ["ratings", "outputs"]


def test_ux_36_ratings_load_with_one_call_as_they_were(load):
    ratings = load("ratings")

    assert [(row["item_id"], row["system"], row["value"]) for row in ratings] == [
        (row.item_id, row.system, row.value) for row in RATINGS
    ]
    assert ratings[1]["text"] == '=SUM(1+1), "x"\nand more'


def test_ux_36_outputs_load_with_one_call_as_they_were(load):
    outputs = {(row["item_id"], row["system"]): row["output"] for row in load("outputs")}

    assert outputs == {
        (bundle.item.item_id, system): text
        for bundle in ITEMS
        for system, text in bundle.outputs.items()
    }
