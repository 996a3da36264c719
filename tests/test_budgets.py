"""The budgets of the house: no file, function, template or script grows past its size."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ["annotation", "metrics_app", "jobs", "config"]


def _files(folders, pattern):
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob(pattern)
        if "migrations" not in path.parts and "generated" not in path.parts
    )


def _too_long(paths, budget):
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return [f"{path.relative_to(ROOT)}: {n} lines" for path, n in lengths.items() if n > budget]


@pytest.mark.parametrize(
    ("folders", "pattern", "budget"),
    [
        (APPS, "*.py", 300),
        (["templates"], "*.html", 150),
        (["static/js"], "*.js", 250),
    ],
)
def test_no_file_is_longer_than_its_budget(folders, pattern, budget):
    assert _too_long(_files(folders, pattern), budget) == []


def test_no_function_is_longer_than_forty_lines():
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {n} lines"
        for path in _files(APPS, "*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and (n := _body_lines(node)) > 40
    ]
    assert long == []


def _body_lines(node):
    # The docstring is a manual, not logic: it does not count.
    first = node.body[0]
    has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    doc = first.end_lineno - first.lineno + 1 if has_doc else 0
    return node.end_lineno - node.lineno + 1 - doc
