"""What is stored of a study, its material, its judges and what they said."""

from annotation.models.assignment import Assignment, Visit
from annotation.models.judge import Judge, JudgeGroup
from annotation.models.material import (
    Batch,
    Fact,
    Item,
    Output,
    OutputVersion,
    Reference,
    System,
    Unit,
    UnitMember,
)
from annotation.models.model_judge import CallOutcome, ModelCall, ModelJudge
from annotation.models.phase import Dimension, Example, Phase
from annotation.models.rating import Choice, Rating, RatingEvent
from annotation.models.scale import Scale, ScalePoint
from annotation.models.study import Study, StudyEvent, StudyMember
from annotation.models.upload import MappingTemplate, Upload

__all__ = [
    "Assignment",
    "Batch",
    "CallOutcome",
    "Choice",
    "Dimension",
    "Example",
    "Fact",
    "Item",
    "Judge",
    "JudgeGroup",
    "MappingTemplate",
    "ModelCall",
    "ModelJudge",
    "Output",
    "OutputVersion",
    "Phase",
    "Rating",
    "RatingEvent",
    "Reference",
    "Scale",
    "ScalePoint",
    "Study",
    "StudyEvent",
    "StudyMember",
    "System",
    "Unit",
    "UnitMember",
    "Upload",
    "Visit",
]
