"""The door out: plain frozen rows of ratings and of material, for the metrics app.

Every row is stripped of the database, and every list comes in a stable order.
"""

from annotation.selectors.doors.blinding import (
    BlindingRow,
    blinding_of,
    may_see_results,
    system_names,
)
from annotation.selectors.doors.comparisons import ComparisonRow, MemberRow, comparison_rows
from annotation.selectors.doors.conduct import ConductRow, conduct_of
from annotation.selectors.doors.exclusion_rules import ExclusionRulesRow, exclusion_rules_of
from annotation.selectors.doors.exports import exclusion_rows, export_material
from annotation.selectors.doors.material import (
    ComparedTexts,
    FactText,
    ItemRow,
    compared_texts,
    fact_kinds,
    fact_texts,
    item_rows,
)
from annotation.selectors.doors.model_answers import AnswerRow, model_answers
from annotation.selectors.doors.model_judges import (
    ModelJudgeRow,
    ModelRecord,
    compared_units,
    labelled_facts,
    model_judge_rows,
    model_records,
)
from annotation.selectors.doors.positions import (
    PositionRecord,
    SetPositionRecord,
    position_records,
    set_position_records,
)
from annotation.selectors.doors.protocol import protocol_of
from annotation.selectors.doors.rating_columns import (
    Column,
    RatingColumns,
    rating_columns,
    version_columns,
)
from annotation.selectors.doors.ratings import RatingRow, rating_rows
from annotation.selectors.doors.studies import (
    DimensionRow,
    GroupRow,
    OutputRow,
    PointRow,
    ScaleRow,
    StudyRow,
    SystemRow,
    Watermark,
    dimension_rows,
    events_since,
    group_rows,
    n_outputs,
    output_rows,
    own_system_rows,
    ratings_since,
    slug_of,
    study_for,
    study_named,
    system_rows,
    watermark,
)
from annotation.selectors.number_columns import number_columns

__all__ = [
    "AnswerRow",
    "BlindingRow",
    "Column",
    "ComparedTexts",
    "ComparisonRow",
    "ConductRow",
    "DimensionRow",
    "ExclusionRulesRow",
    "FactText",
    "GroupRow",
    "ItemRow",
    "MemberRow",
    "ModelJudgeRow",
    "ModelRecord",
    "OutputRow",
    "PointRow",
    "PositionRecord",
    "RatingColumns",
    "RatingRow",
    "ScaleRow",
    "SetPositionRecord",
    "StudyRow",
    "SystemRow",
    "Watermark",
    "blinding_of",
    "compared_texts",
    "compared_units",
    "comparison_rows",
    "conduct_of",
    "dimension_rows",
    "events_since",
    "exclusion_rows",
    "exclusion_rules_of",
    "export_material",
    "fact_kinds",
    "fact_texts",
    "group_rows",
    "item_rows",
    "labelled_facts",
    "may_see_results",
    "model_answers",
    "model_judge_rows",
    "model_records",
    "n_outputs",
    "number_columns",
    "output_rows",
    "own_system_rows",
    "position_records",
    "protocol_of",
    "rating_columns",
    "rating_rows",
    "ratings_since",
    "set_position_records",
    "slug_of",
    "study_for",
    "study_named",
    "system_names",
    "system_rows",
    "version_columns",
    "watermark",
]
