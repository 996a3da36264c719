"""What a language model is asked in a study: the dimensions as questions, and who is asked."""

from dataclasses import dataclass

from annotation.selectors import doors
from annotation.selectors.doors import DimensionRow, FactText, ModelJudgeRow, StudyRow
from metrics_app.metrics.judging.question import AnswerScale, Question

model_judge_rows = doors.model_judge_rows
model_records = doors.model_records
fact_texts = doors.fact_texts
labelled_facts = doors.labelled_facts

__all__ = [
    "Asked",
    "FactText",
    "ModelJudgeRow",
    "asked_of",
    "fact_texts",
    "labelled_facts",
    "model_judge",
    "model_judge_rows",
    "model_records",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """One dimension that a language model can judge: each output, or each fact in it."""

    dimension_id: int
    key: str
    question: Question
    is_of_facts: bool = False


def asked_of(study: StudyRow) -> list[Asked]:
    """Return the study's present dimensions that are answered with a number or a fact's label."""
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
        )
        for row in doors.dimension_rows(study.id)
        if row.is_current and row.kind in {"points", "range", "facts"} and row.scale is not None
    ]


def model_judge(study_id: int, judge_id: int) -> ModelJudgeRow | None:
    """Return one model judge of the study."""
    rows = model_judge_rows(study_id)
    return next((row for row in rows if row.judge_id == judge_id), None)


def _scale(row: DimensionRow) -> AnswerScale:
    scale = row.scale
    if scale is None:
        raise ValueError(f"the dimension {row.name} has no scale")
    words = tuple((point.value, point.label) for point in scale.points)
    if scale.kind == "points":
        return AnswerScale(words[0][0], words[-1][0], points=words)
    return AnswerScale(scale.minimum or 0.0, scale.maximum or 0.0, anchors=words)
