from annotation.importing import RawRow, read

WRAPPED = '"item_id;system;output"\n"i1;A;""x; y"""\n"i1;B;z ""w"""\ni2;A;bare\n'


def rows_of(tmp_path, content):
    (tmp_path / "wrapped.csv").write_text(content, encoding="utf-8")
    reading = read(tmp_path / "wrapped.csv", kind="outputs")
    return reading, [list(row.cells) for row in reading if isinstance(row, RawRow)]


def test_lines_that_stand_in_quotes_are_cut_within_them(tmp_path):
    reading, rows = rows_of(tmp_path, WRAPPED.replace("i2;A;bare\n", ""))

    assert reading.header == ("item_id", "system", "output")
    assert rows == [["i1", "A", "x; y"], ["i1", "B", 'z "w"']]
    assert [found.kind for found in reading.findings] == ["odd_quotes"]


def test_a_column_of_texts_in_quotes_stays_one_column(tmp_path):
    reading, rows = rows_of(tmp_path, '"output"\n"one, two"\n"three, four"\n')

    assert reading.header == ("output",)
    assert rows == [["one, two"], ["three, four"]]
