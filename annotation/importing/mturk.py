"""Results of Mechanical Turk, Turkle and Toloka: the ways one answer is spread over columns.

Radio buttons come as a column for each of them (``Answer.fluency.1`` ... with true in one), crowd
elements as a JSON list in ``Answer.taskAnswers``. Each becomes one column ``Answer.fluency``.
Work that was rejected is marked as not valid.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from annotation.importing.dialect import fold
from annotation.importing.findings import Finding
from annotation.importing.picking import as_text
from annotation.importing.reading import RawRow, Reading
from annotation.importing.tools import one_hot

BUTTON = re.compile(r"(?P<question>Answer\..+)\.(?P<label>[^.]+)")
TASK_ANSWERS = "answer_task_answers"
TRUTH = frozenset(("true", "false", ""))
N_LOOKED_AT = 50
Buttons = dict[str, dict[int, str]]  # question to column and label of each button


def adapt_mturk(reading: Reading) -> Reading:
    """Return the reading with one column for each question."""
    rows = [row for row in islice(reading.rows(), N_LOOKED_AT) if isinstance(row, RawRow)]
    buttons = _buttons(reading.header, rows)
    packed = next((at for at, name in enumerate(reading.header) if fold(name) == TASK_ANSWERS), -1)
    asked = dict.fromkeys(
        name for row in rows if packed >= 0 for name in _unpacked(row.cells[packed])
    )
    status = next(
        (at for at, name in enumerate(reading.header) if fold(name) == "assignment_status"), -1
    )
    spent = {at for columns in buttons.values() for at in columns} | {packed}
    kept = [at for at in range(len(reading.header)) if at not in spent]
    header = [reading.header[at] for at in kept] + [*buttons, *asked]
    header += ["valid"] if status >= 0 else []

    def adapted() -> Iterator[RawRow | Finding]:
        for row in reading.rows():
            if isinstance(row, Finding):
                yield row
                continue
            cells = [row.cells[at] for at in kept]
            cells += [_pressed(row, columns) for columns in buttons.values()]
            if asked:
                answers = _unpacked(row.cells[packed])
                cells += [answers.get(name, "") for name in asked]
            if status >= 0:
                is_rejected = as_text(row.cells[status]).strip().lower() == "rejected"
                cells.append("false" if is_rejected else "")
            yield RawRow(row.line, cells, row.place)

    return replace(reading, header=tuple(header), shape="mturk", rows=adapted)


def _buttons(header: tuple[str, ...], rows: list[RawRow]) -> Buttons:
    """Return the columns of radio buttons: nothing but true and false stands in them."""
    found: Buttons = {}
    for at, name in enumerate(header):
        match = BUTTON.fullmatch(name)
        words = {as_text(row.cells[at]).strip().lower() for row in rows}
        if match and words <= TRUTH and words != {""}:
            found.setdefault(match["question"], {})[at] = match["label"]
    return {question: columns for question, columns in found.items() if len(columns) > 1}


def _pressed(row: RawRow, columns: dict[int, str]) -> str:
    """Return the answer of the button that was pressed."""
    for at, label in columns.items():
        if as_text(row.cells[at]).strip().lower() == "true":
            return one_hot(label, "true")
    return ""


def _unpacked(cell: object) -> dict[str, str]:
    """Return the answers of a list such as ``[{"fluency": {"1": false, "2": true}}]``."""
    try:
        parsed = json.loads(as_text(cell), parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return {}
    first = parsed[0] if isinstance(parsed, list) and parsed else parsed
    if not isinstance(first, dict):
        return {}
    return {f"Answer.{name}": _answer(value) for name, value in first.items()}


def _answer(value: object) -> str:
    if not isinstance(value, dict):
        return as_text(value)
    pressed = [label for label, is_on in value.items() if is_on is True]
    if pressed:
        return one_hot(pressed[0], "true")
    return as_text(value.get("label", ""))
