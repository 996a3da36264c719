"""What fairseq prints when it generates: lines of sources, targets and hypotheses by number."""

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.importing.decoding import open_text, survey_text
from annotation.importing.findings import Finding, finding
from annotation.importing.reading import RawRow, Reading, ReadOptions

LINE = re.compile(r"([STHD])-(\d+)\t(.*)")
SEEN = re.compile(rb"^H-\d+\t", re.MULTILINE)
BESIDE = re.compile(rb"^[STD]-\d+\t", re.MULTILINE)
HEADER = ("item_id", "output", "source", "reference")


def is_fairseq(head: bytes) -> bool:
    """Whether a file begins as fairseq writes it."""
    return SEEN.search(head) is not None and BESIDE.search(head) is not None


def read_fairseq(path: Path, options: ReadOptions) -> Reading:
    """Understand what fairseq has printed; of several hypotheses of an item the first counts."""
    survey = survey_text(path, options)

    def rows() -> Iterator[RawRow | Finding]:
        held: dict[str, str] = {}
        number, at = "", 0
        with open_text(path, survey, options.limits) as text:
            for line_number, line in enumerate(text, start=1):
                told = LINE.fullmatch(line.rstrip("\r\n"))
                if told is None:
                    continue
                if told[2] != number and held:
                    yield _row(number, held, at)
                    held = {}
                number, at = told[2], line_number if not held else at
                if told[1] in "HD" and told[1] in held:
                    reason = "Another hypothesis of the item stands here; the first was taken."
                    yield finding("other_candidates", reason, line=line_number, value=told[3])
                held.setdefault(told[1], told[3])
        if held:
            yield _row(number, held, at)

    return Reading(
        path, "lines of fairseq", HEADER, rows, shape="fairseq", encoding=survey.label,
        newline=survey.newline, findings=survey.findings,
    )  # fmt: skip


def _row(number: str, held: dict[str, str], line: int) -> RawRow:
    # A score stands before the text: H is as the model has it, D is put back into words.
    output = held.get("D", held.get("H", "")).partition("\t")[2]
    return RawRow(line, [number, output, held.get("S", ""), held.get("T", "")])
