"""From files to clean rows: readers, mapping, checking. Pure: no Django.

The public face::

    reading = read(path, kind="ratings")            # format, encoding, header; nothing loaded
    mapping = guess_mapping(reading.header, "ratings", reading.sample())
    checked = check(reading, mapping, Rules(...))   # iterate: clean rows and findings
    for entry in checked: ...
    checked.report.outcome                          # the worst of the findings

`dry_run` does the three steps and never raises for what a file holds. `read` raises
`UnreadableFile`, whose ``finding`` says what is wrong, for a file that is no table at all.
"""

from annotation.importing.checking import Checked, check
from annotation.importing.collecting import seldom_collected
from annotation.importing.dry_run import dry_run
from annotation.importing.findings import Finding, Report, UnreadableFile
from annotation.importing.mapping import Column, Mapping, guess_mapping, mapping_from_json
from annotation.importing.opening import read
from annotation.importing.reading import Limits, RawRow, Reading, ReadOptions
from annotation.importing.rows import (
    ChoiceRow,
    CleanRow,
    Kind,
    OutputRow,
    RatingRow,
    Rules,
    ScaleRule,
    ScoreRow,
)

__all__ = [
    "Checked", "ChoiceRow", "CleanRow", "Column", "Finding", "Kind", "Limits", "Mapping",
    "OutputRow", "RatingRow", "RawRow", "ReadOptions", "Reading", "Report", "Rules", "ScaleRule",
    "ScoreRow", "UnreadableFile", "check", "dry_run", "guess_mapping", "mapping_from_json", "read",
    "seldom_collected",
]  # fmt: skip
