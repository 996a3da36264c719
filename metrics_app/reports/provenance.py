"""Where the numbers of a report come from: the data by their hash, the code by its version."""

import hashlib
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.loaders.names import Names, order_of

_ROOT = Path(__file__).resolve().parent.parent.parent
_COMPUTING = ("metrics_app/stats", "metrics_app/reports", "metrics_app/loaders")


@cache
def code_version() -> str:
    """Return the version, and a short hash of the source that computes.

    The hash tells a changed working copy from the release whose version it bears.
    """
    with (_ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    digest = hashlib.sha256()
    for folder in _COMPUTING:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return f"{version}+{digest.hexdigest()[:12]}"


def data_hash(evaluation: Evaluation) -> str:
    """Return the SHA-256 of ratings, repeats, scores, declared scales and comparisons.

    The order of rows does not matter: the same ratings from a file and from a study have the same
    hash.
    """
    judgements, scores = evaluation.judgements, evaluation.scores
    digest = hashlib.sha256()
    parts: list[list[Names]] = [
        [
            judgements.dimension,
            judgements.group,
            judgements.judge,
            judgements.item,
            judgements.system,
            judgements.batch,
            judgements.fact,
        ],
        [scores.metric, scores.item, scores.system],
    ]
    for names, values in zip(parts, (judgements.value, scores.value), strict=True):
        _update(digest, names, values)
    for dimension in sorted(evaluation.scales):
        digest.update(f"{dimension}\x1f{evaluation.scales[dimension]!r}\x1e".encode())
    for repeat in sorted(evaluation.repeats):
        digest.update(f"{repeat!r}\x1e".encode())
    for told in sorted(
        "\x1f".join((row.dimension, row.group, row.judge, row.item, *row.systems, row.choice))
        + ("" if row.again is None else f"\x1fagain {row.again}")
        for row in evaluation.comparisons
    ):
        digest.update(f"{told}\x1e".encode())
    return digest.hexdigest()


def _update(
    digest: "hashlib._Hash", columns: Iterable[Names], values: npt.NDArray[np.float64]
) -> None:
    sorted_columns = [column.used().by_name() for column in columns]
    order = order_of(sorted_columns, values)
    for column in sorted_columns:
        digest.update("\x1f".join(column.keys).encode() + b"\x1e")
        digest.update(column.codes[order].astype("<i8").tobytes())
    digest.update(values[order].astype("<f8").tobytes())
