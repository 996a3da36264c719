"""From rows to files: one writer a format. Pure: no Django.

Writers of text yield pieces, to be streamed; writers of binary files take a path. All are fed
by the same `TidyRating` rows, in the field order of `TIDY_FIELDS`.
"""

from annotation.exporting.columnar import write_parquet
from annotation.exporting.comparisons import (
    RANK_FIELDS,
    WIDE_FIELDS,
    Comparison,
    Member,
    comparisons_csv,
    comparisons_jsonl,
    ranks_csv,
)
from annotation.exporting.delimited import csv_lines, tidy_csv, wide_csv
from annotation.exporting.formats import FORMATS, ExportFormat, Material, zip_folder
from annotation.exporting.json_lines import (
    items_jsonl,
    label_studio_json,
    outputs_jsonl,
    tidy_jsonl,
    write_data_set,
)
from annotation.exporting.mt_metrics_eval import TreePlan, write_tree
from annotation.exporting.mturk import mturk_csv
from annotation.exporting.records import (
    TIDY_FIELDS,
    CodebookEntry,
    ItemBundle,
    ItemRecord,
    JudgeRecord,
    TidyRating,
    cell,
)
from annotation.exporting.safety import neutralised
from annotation.exporting.tree_scores import MetricScores
from annotation.exporting.workbook import ExactNumber, write_workbook

__all__ = [
    "FORMATS",
    "RANK_FIELDS",
    "TIDY_FIELDS",
    "WIDE_FIELDS",
    "CodebookEntry",
    "Comparison",
    "ExactNumber",
    "ExportFormat",
    "ItemBundle",
    "ItemRecord",
    "JudgeRecord",
    "Material",
    "Member",
    "MetricScores",
    "TidyRating",
    "TreePlan",
    "cell",
    "comparisons_csv",
    "comparisons_jsonl",
    "csv_lines",
    "items_jsonl",
    "label_studio_json",
    "mturk_csv",
    "neutralised",
    "outputs_jsonl",
    "ranks_csv",
    "tidy_csv",
    "tidy_jsonl",
    "wide_csv",
    "write_data_set",
    "write_parquet",
    "write_tree",
    "write_workbook",
    "zip_folder",
]  # fmt: skip
