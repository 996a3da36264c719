"""The outputs of a study as examples that metrics score."""

import hashlib
import json
from dataclasses import dataclass

from annotation.selectors import doors
from metrics_app.metrics.contract import Example


@dataclass(frozen=True, slots=True)
class Scorable:
    """The current text of one output with the texts of its item, and a digest of them all."""

    version_id: int
    item: str
    system: str
    example: Example
    digest: str


def scorable_outputs(study_id: int) -> list[Scorable]:
    """Return every current output of the study, by item and system."""
    items = {item.key: item for item in doors.item_rows(study_id)}
    return [_scorable(row, items[row.item]) for row in doors.output_rows(study_id)]


def _scorable(row: doors.OutputRow, item: doors.ItemRow) -> Scorable:
    example = Example(row.text, item.references, item.source, item.priors)
    texts = json.dumps((example.output, example.references, example.sources, example.priors))
    digest = hashlib.sha256(texts.encode()).hexdigest()
    return Scorable(row.version_id, row.item, row.system, example, digest)


def content_hash(signature: str, output: Scorable) -> str:
    """Return a digest of all that decides a score: the same digest is the same score."""
    return hashlib.sha256(f"{output.digest}|{signature}".encode()).hexdigest()
