"""The record of a language model as a judge in plain values, as papers should report it."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from annotation.selectors import doors
from annotation.selectors.doors import ModelJudgeRow, PositionRecord, SetPositionRecord
from metrics_app.metrics.judging.answers import text_of

POSITIONS = (
    "consistent",
    "first place both times",
    "second place both times",
    "a tie in one order only",
)
SET_POSITIONS = (
    "same best and worst",
    "same best only",
    "same worst only",
    "neither the same",
    "best in the first place",
    "best in the last place",
    "worst in the first place",
    "worst in the last place",
)
_OF_THE_DATABASE = ("judge_id",)


def record_of(study_id: int, judge: ModelJudgeRow) -> dict[str, Any]:
    """Return how a model was asked, when, what came of it, and whether the order decided.

    Counts are over its present ratings; moments are in ISO 8601. ``positions`` has a row for
    each dimension of pairs: of those answered in both orders, how many are of each kind.
    ``set_positions`` is the same of sets; its places are counted over the answers, two of a set.
    """
    found = doors.model_records(study_id).get(judge.judge_id, doors.ModelRecord())
    asked = {name: value for name, value in asdict(judge).items() if name not in _OF_THE_DATABASE}
    plain = {**asked, **asdict(found)}
    return {
        **{name: _plain(value) for name, value in plain.items()},
        "positions": [
            {"dimension": row.dimension, "pairs": row.n_pairs, **_counts(row)}
            for row in doors.position_records(judge.judge_id)
        ],
        "set_positions": [
            {"dimension": row.dimension, "sets": row.n_sets, **_counts(row)}
            for row in doors.set_position_records(judge.judge_id)
        ],
    }


@dataclass(frozen=True, slots=True)
class UnreadAnswer:
    """A refusal, or an answer without a value of the scale, word for word."""

    item: str
    dimension: str
    outcome: str
    said: tuple[str, ...]


def unread_answers(judge_id: int, *, at_most: int = 20) -> list[UnreadAnswer]:
    """Return what a model said where no value could be read."""
    rows = islice(doors.model_answers(judge_id, without_value=True), at_most)
    return [
        UnreadAnswer(row.item, row.dimension, row.outcome, tuple(map(text_of, row.answers)))
        for row in rows
    ]


def answer_lines(judge_id: int) -> Iterator[str]:
    """Yield a line of JSON for every question: the prompt as sent and all raw answers."""
    for row in doors.model_answers(judge_id):
        plain = {name: _plain(value) for name, value in asdict(row).items()}
        yield json.dumps(plain, ensure_ascii=False) + "\n"


def positions_in_words(judge_id: int) -> list[str]:
    """Return a sentence for each dimension of pairs or sets that was answered in both orders."""
    return [
        f"{row.dimension}: {row.n_pairs:,} pairs in both orders, {_in_words(row)}"
        for row in doors.position_records(judge_id)
    ] + [
        f"{row.dimension}: {row.n_sets:,} sets in both orders, {_in_words(row)}"
        for row in doors.set_position_records(judge_id)
    ]


def _in_words(row: PositionRecord | SetPositionRecord) -> str:
    return ", ".join(f"{name} {percent:.1f} % ({n:,})" for name, (n, percent) in _named(row))


def _counts(row: PositionRecord | SetPositionRecord) -> dict[str, int]:
    return {name.replace(" ", "_"): n for name, (n, _percent) in _named(row)}


def _named(row: PositionRecord | SetPositionRecord) -> list[tuple[str, tuple[int, float]]]:
    names = POSITIONS if isinstance(row, PositionRecord) else SET_POSITIONS
    return list(zip(names, row.shares, strict=True))


def _plain(value: Any) -> Any:  # noqa: ANN401 -- a cell of any kind
    return value.isoformat() if hasattr(value, "isoformat") else value
