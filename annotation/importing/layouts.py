"""Tables whose rows mean something else than they seem to: they are turned into plain rows."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, ITEM_NAMES, SYSTEM_NAMES
from annotation.importing.findings import Finding
from annotation.importing.judged_lists import adapt_lists, adapt_records
from annotation.importing.mturk import adapt_mturk
from annotation.importing.picking import as_text
from annotation.importing.rank_tables import adapt_ranks
from annotation.importing.reading import RawRow, Reading
from annotation.importing.rows import Kind
from annotation.importing.side_by_side import adapt_side_by_side
from annotation.importing.survey_rows import without_survey_rows
from annotation.importing.tools import one_hot

# Weights of errors in MQM: Freitag et al. (2021), "Experts, errors, and context", table 3.
MAJOR, MINOR, PUNCTUATION, NON_TRANSLATION = 5.0, 1.0, 0.1, 25.0
# Columns such as `ASSIGNMENT:status`; as in Mechanical Turk, work may have been rejected.
TOLOKA = {"assignment_worker_id", "assignment_status"}
LONG = ("item_id", "system", "judge", "dimension", "value", "source", "output")


def adapt(reading: Reading, kind: Kind) -> Reading:
    """Return the reading as plain rows, where it has a layout that is known."""
    reading = without_survey_rows(reading)
    if kind == "comparisons":
        return adapt_ranks(reading)
    if kind == "outputs":
        return adapt_side_by_side(reading)
    if kind != "ratings":
        return reading
    adapted = _adapt_ratings(reading)
    return adapted if adapted.rows is reading.rows else replace(adapted, is_plain=False)


def _adapt_ratings(reading: Reading) -> Reading:
    names = {fold(name): index for index, name in enumerate(reading.header)}
    if {"category", "severity"} <= names.keys() and not {"score", "value"} & names.keys():
        return replace(reading, header=LONG, shape="mqm", rows=lambda: _mqm(reading, names))
    if {"hitid", "worker_id"} <= names.keys() or names.keys() >= TOLOKA:
        return adapt_mturk(reading)
    questions = _one_hot_columns(reading.header)
    if "instance_id" in names and questions:
        system = _first(names, SYSTEM_NAMES)
        rows: Callable[[], Iterator[RawRow | Finding]] = lambda: _potato(  # noqa: E731  # read anew each time
            reading, names, questions
        )
        header = LONG[:5] if system is not None else ("item_id", *LONG[2:5])
        return replace(reading, header=header, shape="potato", rows=rows)
    return adapt_lists(adapt_records(reading))


def _first(names: dict[str, int], wanted: tuple[str, ...]) -> int | None:
    return next((names[name] for name in wanted if name in names), None)


def _cell(row: RawRow, index: int | None) -> str:
    return "" if index is None else as_text(row.cells[index])


def _mqm(reading: Reading, names: dict[str, int]) -> Iterator[RawRow | Finding]:
    """Sum the weighted errors that one judge marked in one output; the sum is the rating."""
    judge = _first(names, FIELDS["ratings"]["judge"])
    texts = [_first(names, ("source", "src")), _first(names, ("target", "output", "hypothesis"))]
    item, system = _first(names, ITEM_NAMES), _first(names, SYSTEM_NAMES)
    first: dict[tuple[str, str, str], RawRow] = {}
    sums: dict[tuple[str, str, str], float] = {}
    for row in reading.rows():
        if isinstance(row, Finding):
            yield row
            continue
        key = (_cell(row, item), _cell(row, system), _cell(row, judge))
        first.setdefault(key, row)
        weight = mqm_weight(_cell(row, names["category"]), _cell(row, names["severity"]))
        sums[key] = sums.get(key, 0.0) + weight
    for key, row in first.items():
        seen = [_cell(row, index) for index in texts]
        yield RawRow(row.line, [*key, "mqm", f"{sums[key]:.10g}", *seen], row.place)


def mqm_weight(category: str, severity: str) -> float:
    """Return the weight of one error in MQM; 0 where nothing is wrong."""
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("non-translation"):
        return NON_TRANSLATION
    if severity == "major":
        return MAJOR
    if severity == "minor":
        return PUNCTUATION if category == "fluency/punctuation" else MINOR
    return 0.0


def _one_hot_columns(header: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """Return, for columns such as ``fluency.3`` or ``fluency:::3``, question and label."""
    found = {}
    for index, name in enumerate(header):
        for sign in (":::", "."):
            question, _, label = name.partition(sign)
            if question and label:
                found[index] = (question, label)
                break
    return found


def _potato(
    reading: Reading, names: dict[str, int], questions: dict[int, tuple[str, str]]
) -> Iterator[RawRow | Finding]:
    judge, system = _first(names, FIELDS["ratings"]["judge"]), _first(names, SYSTEM_NAMES)
    for row in reading.rows():
        if isinstance(row, Finding):
            yield row
            continue
        who = [_cell(row, names["instance_id"]), _cell(row, judge)]
        if system is not None:
            who.insert(1, _cell(row, system))
        for index, (question, label) in questions.items():
            cell = _cell(row, index).strip()
            if cell and cell.lower() not in {"0", "false", "none", "nan"}:
                yield RawRow(row.line, [*who, question, one_hot(label, cell)], row.place)
