"""What a language model is asked in a study: the dimensions as questions, and who is asked."""

from dataclasses import dataclass, replace

from annotation.selectors import doors
from annotation.selectors.doors import (
    ComparedTexts,
    DimensionRow,
    FactText,
    ModelJudgeRow,
    StudyRow,
)
from metrics_app.metrics.judging.question import (
    PAIR_SCALE,
    TIE_SCALE,
    AnswerScale,
    Question,
    set_scale,
)

model_judge_rows = doors.model_judge_rows
model_records = doors.model_records
fact_texts = doors.fact_texts
labelled_facts = doors.labelled_facts
compared_texts = doors.compared_texts
compared_units = doors.compared_units
position_records = doors.position_records
set_position_records = doors.set_position_records

COMPARED = {"pairwise": "pair", "best_worst": "set"}
LARGEST_SET = 5

__all__ = [
    "Asked",
    "ComparedTexts",
    "FactText",
    "ModelJudgeRow",
    "asked_of",
    "compared_texts",
    "compared_units",
    "fact_texts",
    "labelled_facts",
    "model_judge",
    "model_judge_rows",
    "model_records",
    "position_records",
    "set_position_records",
    "source_texts",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """One dimension that a language model can judge.

    It is asked of each output, of each fact in it, or of each comparison: ``compares`` is then
    ``pair`` or ``set``.
    """

    dimension_id: int
    key: str
    question: Question
    is_of_facts: bool = False
    compares: str = ""

    @property
    def is_scored(self) -> bool:
        """Whether its answer is a value of a whole output, which can stand among the metrics."""
        return not (self.is_of_facts or self.compares)

    def about(self, n_outputs: int) -> "Asked":
        """Return the same with the answers that there are about so many outputs at once."""
        if self.compares != "set":
            return self
        return replace(self, question=replace(self.question, scale=set_scale(n_outputs)))


def asked_of(study: StudyRow) -> list[Asked]:
    """Return the study's present dimensions that a model can answer."""
    return [
        Asked(
            row.id,
            row.key,
            Question(
                dimension=row.name,
                definition=row.definition,
                question=row.question,
                scale=_scale(row),
                source_title=study.source_title,
                output_title=study.output_title,
            ),
            is_of_facts=row.kind == "facts",
            compares=COMPARED.get(row.kind, ""),
        )
        for row in doors.dimension_rows(study.id)
        if row.is_current and _is_answerable(row)
    ]


def model_judge(study_id: int, judge_id: int) -> ModelJudgeRow | None:
    """Return one model judge of the study."""
    rows = model_judge_rows(study_id)
    return next((row for row in rows if row.judge_id == judge_id), None)


def source_texts(study_id: int) -> dict[str, tuple[str, ...]]:
    """Return the source of every item, by its key."""
    return {item.key: item.source for item in doors.item_rows(study_id)}


def _is_answerable(row: DimensionRow) -> bool:
    has_scale = row.scale is not None and row.kind in {"points", "range", "facts"}
    return has_scale or row.kind in COMPARED


def _scale(row: DimensionRow) -> AnswerScale:
    if row.kind == "pairwise":
        return TIE_SCALE if row.allows_tie else PAIR_SCALE
    if row.kind == "best_worst":
        return set_scale(LARGEST_SET)
    scale = row.scale
    if scale is None:
        raise ValueError(f"the dimension {row.name} has no scale")
    words = tuple((point.value, point.label) for point in scale.points)
    if scale.kind == "points":
        return AnswerScale(words[0][0], words[-1][0], points=words)
    return AnswerScale(scale.minimum or 0.0, scale.maximum or 0.0, anchors=words)
