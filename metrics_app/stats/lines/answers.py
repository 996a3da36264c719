"""One request in, one answer out: finds the handler and keeps every failure inside its line."""

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from metrics_app.stats import lines
from metrics_app.stats.lines import Handler
from metrics_app.stats.results import as_plain

# What wrongly shaped data raise inside a handler; a fault of one line must not end the others.
_FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError)


@cache
def handlers() -> dict[str, Handler]:
    """Return every statistic's handler by its name; loaded when the first request comes."""
    found: dict[str, Handler] = {}
    for module in pkgutil.iter_modules(lines.__path__, f"{lines.__name__}."):
        found.update(getattr(importlib.import_module(module.name), "HANDLERS", {}))
    return found


def answer_lines(
    requests: Iterable[bytes | str], table: Mapping[str, Handler] | None = None
) -> Iterator[str]:
    """Yield one line of JSON for each line that is not blank.

    Parameters
    ----------
    requests : iterable of bytes or str
        Each holds one request; a line that is no JSON is answered with its line number.
    table : mapping, optional
        Other handlers than those of the statistics, by name.
    """
    for number, line in enumerate(requests, start=1):
        if line.strip():
            yield json.dumps(_answer_line(line, number, table), allow_nan=False)


def answer(
    request: Mapping[str, Any], table: Mapping[str, Handler] | None = None
) -> dict[str, Any]:
    """Return the answer to one request ``{id, statistic, options, data}``.

    Returns
    -------
    dict
        ``id`` and what exists of ``value``, ``se``, ``ci`` and ``p``; or ``undefined`` with a
        reason code; or ``error`` with a sentence; or ``unsupported``. ``ignored`` lists the options
        that the statistic does not read.
    """
    name = request.get("statistic")
    reply: dict[str, Any] = {"id": request.get("id")}
    if not isinstance(name, str):
        return reply | {"error": "the request names no statistic"}
    handler = (handlers() if table is None else table).get(name)
    if handler is None:
        return reply | {"unsupported": True}
    options, data = request.get("options") or {}, request.get("data")
    if not isinstance(data, dict) or not isinstance(options, dict):
        return reply | {"error": "options and data must be objects, such as {'ratings': [...]}"}
    asked = _Options(options)
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            found = as_plain(handler(asked, data))
    except _FAULTS as fault:
        return reply | {"error": _as_sentence(fault)}
    if not found.get("undefined"):
        found = {**found, "ignored": [name for name in options if name not in asked.read] or None}
    return reply | {key: part for key, part in found.items() if part is not None}


class _Options(dict[str, Any]):
    """Options that know which of them were read, so that none is passed over in silence."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 -- JSON
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 -- JSON
        self.read.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.read.update(self.keys())
        return super().__iter__()


def _answer_line(
    line: bytes | str, number: int, table: Mapping[str, Handler] | None
) -> dict[str, Any]:
    try:
        request = json.loads(line, parse_constant=_read_constant)
    except ValueError as fault:
        return {"id": None, "line": number, "error": f"line {number} is no JSON: {fault}"}
    except RecursionError:
        return {"id": None, "line": number, "error": f"line {number} is nested too deeply"}
    if not isinstance(request, dict):
        return {"id": None, "line": number, "error": f"line {number} is no JSON object"}
    return answer(request, table)


def _read_constant(text: str) -> None:
    # Python's own writer puts NaN where R puts null: both are a missing value.
    if text != "NaN":
        raise ValueError(f"{text} is no number that can be computed with")


def _as_sentence(fault: Exception) -> str:
    if isinstance(fault, KeyError):
        return f"{fault.args[0]!r} is missing" if fault.args else "a part is missing"
    if isinstance(fault, FloatingPointError):
        return f"the numbers are too large or too small to compute with: {fault}"
    if isinstance(fault, (ValueError, ArithmeticError)):
        return str(fault)
    return f"the data do not have the right shape: {fault}"


def write_answers(
    requests: Iterable[bytes | str], table: Mapping[str, Handler] | None = None
) -> None:
    """Print the answers as they come, so that a caller may wait for each."""
    for line in answer_lines(requests, table):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
