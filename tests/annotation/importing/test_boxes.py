import pytest

from annotation.importing.boxes import is_box, unboxed


@pytest.mark.parametrize(
    "head",
    [
        "| id | text |\n|----|:----:|\n| 1 | a |\n",
        "|id|text|\n|-|-|\n".replace("-", "---"),
        "+----+------+\n| id | text |\n+----+------+\n| 1  | a    |\n",
        " id | text \n----+------\n 1  | a\n",
        "Results\n\n| id | text |\n| --- | --- |\n",
    ],
)
def test_drawn_tables_are_known(head):
    assert is_box(head)


@pytest.mark.parametrize(
    "head",
    [
        "id|text\n1|a\n2|---\n",
        'id,system,output\ni1,A,"Title\n-----\n| a | b |"\n',
        "id,output\n1,a | b\n",
        "---\ntitle: x\n---\n",
    ],
)
def test_other_tables_are_not(head):
    assert not is_box(head)


def test_rules_counts_and_padding_go_and_texts_stay():
    records = [
        (1, [" id ", " text "]),
        (2, ["----", "+---"]),
        (3, [" 1 ", " a - b "]),
        (4, ["(1 row)"]),
    ]

    assert list(unboxed(iter(records))) == [(1, ["id", "text"]), (3, ["1", "a - b"])]
