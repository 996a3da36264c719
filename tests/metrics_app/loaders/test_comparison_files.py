import pytest

from metrics_app.loaders.comparison_files import read_comparisons

HEADER = "dimension,item_id,judge,system_a,system_b,system_c,choice,valid,text\n"


def read(tmp_path, *rows, header=HEADER):
    path = tmp_path / "choices.csv"
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return read_comparisons(path, ungrouped="judges")


def test_pairs_sets_ties_and_no_answer_are_read_and_what_does_not_count_is_counted(tmp_path):
    found, n_not_valid = read(
        tmp_path,
        "better,i1,J1,x,y,,A>B,true,",
        "better,i1,J2,x,y,,A=B,,",
        "better,i2,J1,x,y,,,true,",
        "best,i1,J1,x,y,z,C>A,true,",
        "better,i3,J1,x,y,,B>A,false,",
        "why,i1,J1,x,y,,,true,because",
    )

    assert [(row.systems, row.choice, row.group) for row in found] == [
        (("x", "y"), "A>B", "judges"),
        (("x", "y"), "A=B", "judges"),
        (("x", "y"), "", "judges"),
        (("x", "y", "z"), "C>A", "judges"),
    ]
    assert [row.best for row in found if row.choice] == ["x", "x", "z"]
    assert n_not_valid == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("better,i1,J1,x,y,,A>C,,", "line 2: Only A to B are shown"),
        ("better,i1,J1,x,y,,A,,", "line 2: A choice is written A>B"),
        ("better,i1,J1,x,x,,A>B,,", "line 2: two to five different systems"),
        ("better,i1,J1,x,,,A>B,,", "line 2: two to five different systems"),
        ("better,i1,,x,y,,A>B,,", "line 2: judge is empty"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_line(tmp_path, row, told):
    with pytest.raises(ValueError, match=told):
        read(tmp_path, row)


def test_a_missing_column_and_a_choice_given_twice_are_refused(tmp_path):
    with pytest.raises(ValueError, match="the columns judge, choice are missing"):
        read(tmp_path, header="dimension,item_id,system_a,system_b\n")
    with pytest.raises(ValueError, match="J1 compares x, y of i1 twice on better"):
        read(tmp_path, *["better,i1,J1,x,y,,A>B,,"] * 2)
