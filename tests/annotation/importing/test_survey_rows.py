import openpyxl
import pytest

from annotation.importing import RawRow, read

HEADER = ["StartDate", "ResponseId", "item_id", "system", "judge", "fluency"]
LABELS = ["Start Date", "Response ID", "Which text?", "Whose?", "You?", "How fluent is it?"]
ANSWER = ["2024-01-01", "R_1", "i1", "bart", "r1", "4"]


def rows_of(tmp_path, *rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "answers.xlsx")
    reading = read(tmp_path / "answers.xlsx", kind="ratings")
    return reading, [list(row.cells) for row in reading if isinstance(row, RawRow)]


def test_one_row_of_question_texts_is_left_out_and_said(tmp_path):
    reading, rows = rows_of(tmp_path, HEADER, LABELS, ANSWER)

    assert rows == [ANSWER]
    assert [found.kind for found in reading.findings] == ["lines_below_header"]
    assert reading.findings[0].line == 2


@pytest.mark.parametrize("first", [ANSWER, ["2024-01-01", "Response ID", "i1", "a", "r1", "4"]])
def test_answers_are_never_taken_for_question_texts(tmp_path, first):
    reading, rows = rows_of(tmp_path, HEADER, first, ANSWER)

    assert rows == [first, ANSWER]
    assert reading.findings == ()
