"""Tables whose cells hold a list of answers, one of each judge: turned into a row a judge."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, REPEATED, names_of
from annotation.importing.findings import Finding, finding
from annotation.importing.json_shapes import opened
from annotation.importing.reading import RawRow, Reading
from annotation.importing.values import is_missing, is_number, texts
from annotation.importing.wide import NUMBERS

JUDGES = frozenset(FIELDS["ratings"]["judge"])
SIGNS = str.maketrans(";|/", ",,,")
Record = dict[str, object]
Lists = dict[int, list[list[str]]]  # by column, the lists of its filled cells


def adapt_records(reading: Reading) -> Reading:
    """Return the reading with a row for each answer, where a cell holds records of them.

    A record is one of a judge; where it names a system, it belongs to the row of that system.
    """
    rows = [row.cells for row in reading.sample()]
    columns = zip(*rows, strict=True)
    held = [[record for cell in cells for record in _judged(cell)] for cells in columns]
    at = next((at for at, records in enumerate(held) if records), None)
    if at is None:
        return reading
    inner = list(dict.fromkeys(name for record in held[at] for name in record))
    outer = [name for name in reading.header if name not in {reading.header[at], *inner}]
    header = (*outer, *inner)
    return replace(
        reading, header=header, shape="judged_records", is_plain=False,
        rows=lambda: _answered(reading, at, header),
    )  # fmt: skip


def _judged(cell: object) -> list[Record]:
    """Return the records in a cell, if all of them name a judge."""
    records = (
        [opened(one) for one in cell if isinstance(one, dict)] if isinstance(cell, list) else []
    )
    return records if all(not JUDGES.isdisjoint(map(fold, one)) for one in records) else []


def _answered(reading: Reading, at: int, header: Sequence[str]) -> Iterator[RawRow | Finding]:
    for row in reading.rows():
        if isinstance(row, Finding):
            yield row
            continue
        about = dict(zip(reading.header, row.cells, strict=True))
        for record in _judged(row.cells[at]):
            if record.get("system", about.get("system")) == about.get("system"):
                told = {**about, **record}
                yield RawRow(row.line, [told.get(name) for name in header], row.place)


def adapt_lists(reading: Reading) -> Reading:
    """Return the reading with a row for each judge, where lists hold a number of each."""
    rows = [row.cells for row in reading.sample()]
    folded = [fold(name) for name in reading.header]
    lists = _lists(reading.header, rows)
    answers = [at for at, cells in lists.items() if _are_numbers(cells)]
    named = [at for at, name in enumerate(folded) if {name, name.removesuffix("s")} & JUDGES]
    names = [at for at in named if at in lists and at not in answers]
    others = [at for at in lists if at not in {*answers, *names}]
    lengths = {len(its) for at in answers for its in lists[at]}
    is_of_others = any(lengths == {len(its) for its in lists[at]} for at in others)
    if not answers or is_of_others or len(named) != len(names):
        return reading
    header = [name for at, name in enumerate(reading.header) if at not in names]
    return replace(
        reading,
        header=(*header, "judge"),
        shape="judged_lists",
        rows=lambda: _rows(reading, answers, names),
        findings=(*reading.findings, _asked([reading.header[at] for at in answers], names)),
        is_plain=False,
    )


def _lists(header: Sequence[str], rows: list[Sequence[object]]) -> Lists:
    """Return the columns that hold lists in all their cells, but those of several texts."""
    several = {name for field in REPEATED for name in names_of(field, "outputs")}
    found: Lists = {}
    for at, name in enumerate(header):
        cells = [row[at] for row in rows if row[at] not in ("", None)]
        lists = [its for cell in cells if (its := entries_of(cell)) is not None]
        if lists and len(lists) == len(cells) and fold(name) not in several:
            found[at] = lists
    return found


def entries_of(cell: object) -> list[str] | None:
    """Return the entries of a list, in JSON or written as ``[3, 4]`` or ``3;4``, or None."""
    if isinstance(cell, str) and NUMBERS.fullmatch(cell.strip()):
        return cell.translate(SIGNS).replace(",", " ").split()
    if isinstance(cell, list) and any(isinstance(entry, dict | list) for entry in cell):
        return None
    if isinstance(cell, list):
        return ["" if entry is None else str(entry) for entry in cell]
    if isinstance(cell, str) and cell.strip().startswith("[") and cell.strip().endswith("]"):
        its = [*texts(cell.strip())]
        return its if its != [cell.strip()] else None
    return None


def _are_numbers(lists: list[list[str]]) -> bool:
    """Whether lists hold numbers, or signs for a missing one, and more than one at once."""
    told = [entry for its in lists for entry in its if not is_missing(entry)]
    return bool(told) and all(map(is_number, told)) and any(len(its) > 1 for its in lists)


def _asked(columns: list[str], names: list[int]) -> Finding:
    by = "the list of judges beside it" if names else "its place: judge-1, judge-2 and so on"
    reason = f"Cells hold lists. Each entry was taken for the answer of one judge, named by {by}."
    mend = "Confirm it, or give each judge a row or a column."
    return finding("list_in_cell", reason, column=", ".join(columns), mend=mend)


def _rows(reading: Reading, answers: list[int], names: list[int]) -> Iterator[RawRow | Finding]:
    for row in reading.rows():
        if isinstance(row, Finding):
            yield row
            continue
        lists = {at: entries_of(row.cells[at]) or [] for at in (*answers, *names)}
        for place in range(max(map(len, lists.values()), default=0)):
            said = {at: its[place] if place < len(its) else "" for at, its in lists.items()}
            judge = said[names[0]] if names else f"judge-{place + 1}"
            cells = [said.get(at, cell) for at, cell in enumerate(row.cells) if at not in names]
            yield RawRow(row.line, [*cells, judge], row.place)
