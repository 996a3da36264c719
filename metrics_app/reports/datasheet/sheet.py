"""The filled sheet: an answer for each question, or that it is open."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from metrics_app.reports.datasheet.criteria import CRITERION_ANSWERS
from metrics_app.reports.datasheet.design import DESIGN_ANSWERS
from metrics_app.reports.datasheet.evidence import Evidence
from metrics_app.reports.datasheet.questions import QUESTIONS, SECTIONS, Question

HEDS_VERSION = "3.0"


@dataclass(frozen=True, slots=True)
class Entry:
    """One question with its answer; an open one waits for a person.

    ``criterion`` names the dimension in section 4, and is empty elsewhere.
    """

    number: str
    question: str
    criterion: str
    filled: str
    answer: str

    @property
    def is_open(self) -> bool:
        """Whether nothing answers it yet."""
        return not self.answer


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A section, or section 4 of one criterion."""

    number: str
    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Datasheet:
    """The whole sheet of a study."""

    study: str
    title: str
    data_hash: str
    code_version: str
    parts: tuple[SheetPart, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in their order."""
        return tuple(entry for part in self.parts for entry in part.entries)

    @property
    def n_open(self) -> int:
        """How many questions wait for a person."""
        return sum(entry.is_open for entry in self.entries)

    def as_json(self) -> dict[str, Any]:
        """Return plain values of JSON."""
        return {
            "heds_version": HEDS_VERSION,
            "study": self.study,
            "title": self.title,
            "data_hash": self.data_hash,
            "code_version": self.code_version,
            "n_questions": len(QUESTIONS),
            "n_open": self.n_open,
            "entries": [{**asdict(entry), "is_open": entry.is_open} for entry in self.entries],
        }


def fill_datasheet(evidence: Evidence) -> Datasheet:
    """Return the sheet; every automatic question is answered, if only by ``none``."""
    return Datasheet(
        study=evidence.study["slug"],
        title=evidence.study["title"],
        data_hash=evidence.report.get("data_hash", ""),
        code_version=evidence.report.get("code_version", ""),
        parts=tuple(_parts(evidence)),
    )


def _parts(evidence: Evidence) -> Iterator[SheetPart]:
    for section, title in SECTIONS.items():
        questions = [one for one in QUESTIONS if one.section == section]
        if section != "4":
            yield SheetPart(section, title, tuple(_entry(one, evidence) for one in questions))
            continue
        for row in evidence.criteria:
            entries = (_criterion_entry(one, evidence, row) for one in questions)
            yield SheetPart(section, f"{title}: {row['name']}", tuple(entries))


def _entry(question: Question, evidence: Evidence) -> Entry:
    answer = DESIGN_ANSWERS.get(question.number)
    return _filled(question, "", answer(evidence) if answer else "")


def _criterion_entry(question: Question, evidence: Evidence, row: Any) -> Entry:  # noqa: ANN401 -- a row of the protocol
    answer = CRITERION_ANSWERS.get(question.number)
    return _filled(question, row["key"], answer(evidence, row) if answer else "")


def _filled(question: Question, criterion: str, answer: str) -> Entry:
    return Entry(question.number, question.text, criterion, question.filled, answer)
