"""While a file is checked it is told how much of it has been read, where that is known."""

import gzip

import openpyxl
import pytest

from annotation.services.loading import Source, check_file
from tests.factories import StudyFactory

pytestmark = pytest.mark.django_db
N_ROWS = 50_000
LINES = ["item_id,system,output", *(f'i{n},A,"Text {n}, quoted."' for n in range(N_ROWS))]
TABLE = "\n".join(LINES).encode()


def told(path, outcome="accept"):
    said = []
    run = check_file(
        StudyFactory(), Source(path, "outputs"), tell=lambda *share: said.append(share)
    )
    assert run.report.outcome == outcome
    return said


@pytest.mark.parametrize(
    ("name", "content"), [("t.csv", TABLE), ("t.csv.gz", gzip.compress(TABLE))]
)
def test_the_bytes_read_grow_to_those_of_the_file(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)

    said = told(path)

    assert {total for _, total in said} == {len(content) // 1000}
    shares = [done / total for done, total in said]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1 or name.endswith("gz")


def test_of_a_file_with_a_fault_at_its_end_they_never_go_back(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TABLE.replace(b"Text 49999,", b"<b>Text</b>,"))

    said = told(path, "accept_with_warnings")

    assert said == sorted(said)
    assert said[0][0] < said[-1][0]


def test_a_check_can_be_stopped_while_columns_are_looked_at(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TABLE)
    said = []

    def tell(*share):
        said.append(share)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        check_file(StudyFactory(), Source(path, "outputs"), tell=tell)

    assert 0 < said[0][0] < len(TABLE) // 1000


def test_of_a_workbook_the_rows_are_told(tmp_path):
    book = openpyxl.Workbook()
    for line in LINES[:4_100]:
        book.active.append(line.split(",", 2))
    book.save(tmp_path / "t.xlsx")

    said = told(tmp_path / "t.xlsx")

    assert {total for _, total in said} == {0}
    assert said == sorted(said)
