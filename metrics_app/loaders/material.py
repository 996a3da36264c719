"""The outputs of a study as examples that metrics score."""

import hashlib
import json
from dataclasses import dataclass

from annotation.selectors import doors
from metrics_app.metrics.contract import Example


@dataclass(frozen=True, slots=True)
class Scorable:
    """The current text of one output with the texts of its item."""

    version_id: int
    item: str
    system: str
    example: Example


def scorable_outputs(study_id: int) -> list[Scorable]:
    """Return every current output of the study, by item and system."""
    items = {item.key: item for item in doors.item_rows(study_id)}
    return [
        Scorable(
            row.version_id,
            row.item,
            row.system,
            Example(
                row.text,
                references=items[row.item].references,
                sources=items[row.item].source,
                priors=items[row.item].priors,
            ),
        )
        for row in doors.output_rows(study_id)
    ]


def content_hash(signature: str, example: Example) -> str:
    """Return a digest of all that decides a score: the same digest is the same score."""
    texts = (example.output, example.references, example.sources, example.priors)
    parts = json.dumps((signature, *texts), ensure_ascii=False)
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
