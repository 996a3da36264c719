"""From the text of a cell to a number, a list of texts, or the plain word that it is neither."""

import ast
import json
import math
import re

MISSING = frozenset(
    {
        "",
        "-",
        "--",
        "na",
        "n/a",
        "n.a.",
        "nan",
        "null",
        "none",
        "#n/a",
        "<na>",
        "missing",
        "?",
        ".",
        "–",
        "—",
    }
)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
COMMA_NUMBER = re.compile(r"[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?", re.ASCII)


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no value."""
    return text.strip().lower() in MISSING


def is_number(text: str) -> bool:
    """Whether a cell holds a number, with a decimal point or a decimal comma."""
    stripped = text.strip()
    return bool(NUMBER.fullmatch(stripped) or COMMA_NUMBER.fullmatch(stripped))


def number(text: str, *, decimal_comma: bool = False) -> float | None:
    """Return the exact double of a plain decimal number, or None if the text is none.

    Signs of other scripts, underscores, infinities, dates and fractions are no numbers here,
    even where ``float`` would take them.
    """
    stripped = text.strip()
    if not NUMBER.fullmatch(stripped):
        if not (decimal_comma and COMMA_NUMBER.fullmatch(stripped)):
            return None
        stripped = stripped.replace(",", ".")
    value = float(stripped)
    return value if math.isfinite(value) else None


def unwrapped(cell: str) -> str:
    """Return the answer inside a cell such as ``[{"rating": 4}]``, as Label Studio writes it."""
    if not cell.startswith(("{", "[{")):
        return cell
    try:
        parsed = json.loads(cell, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return cell
    first = parsed[0] if isinstance(parsed, list) else parsed
    for key in ("rating", "number", "choices"):
        if isinstance(first, dict) and key in first:
            inner = first[key]
            return ", ".join(map(str, inner)) if isinstance(inner, list) and inner else str(inner)
    return cell


def plain_answer(cell: object) -> str:
    """Return a cell as text; of a list that holds one answer, as Label Studio writes it, that."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], dict):
        return (
            unwrapped(json.dumps(cell)) if {"rating", "number", "choices"} & cell[0].keys() else ""
        )
    return ""


def texts(cell: object) -> tuple[str, ...]:
    """Return the texts of a cell: one, or the entries of a list in JSON or Python notation."""
    if cell is None or cell == "":
        return ()
    if isinstance(cell, str):
        parsed = _parsed_list(cell) if cell.startswith("[") else None
        return (cell,) if parsed is None else texts(parsed)
    if isinstance(cell, list):
        return tuple(entry if isinstance(entry, str) else _flat(entry) for entry in cell)
    return (_flat(cell),)


def _parsed_list(cell: str) -> list[object] | None:
    """Return the list that a cell writes out, if all its entries are texts or numbers."""
    stripped = cell.strip()
    if not stripped.endswith("]") or len(stripped) > 1_000_000:
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            parsed = parse(stripped)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(parsed, list) and all(isinstance(e, str | int | float) for e in parsed):
            return parsed
    return None


def _flat(entry: object) -> str:
    """Return an entry of a list as text: the one text that it holds, or all of it as JSON."""
    if isinstance(entry, dict | list) and len(entry) == 1:
        (only,) = entry.values() if isinstance(entry, dict) else entry
        if isinstance(only, str):
            return only
    return entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
