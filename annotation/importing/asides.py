"""Columns that hold no outputs, ratings or scores, whatever stands in them: told by their names."""

from collections.abc import Sequence

from annotation.importing.fields import FIELDS, QUALITIES, named_otherwise, names_of
from annotation.importing.rows import Kind

# The first word of a name, or the whole of it behind ``answer_``.
ASIDE = frozenset((
    "notes", "note", "comment", "comments", "remark", "remarks", "date", "time", "url", "link",
    "unnamed", "index", "study", "title", "description", "keywords", "reward", "feedback",
    "approve", "reject", "split", "set", "status", "n", "annotation", "hit", "assignment",
    "updated", "created", "reason", "explanation", "rationale", "justification",
    "csrfmiddlewaretoken", "submit", "browser", "useragent", "hitid", "golden", "hint", "tainted",
    "trust", "missed", "channel", "progress", "finished", "duration", "lastpage", "seed",
    "interviewtime", "startlanguage", "rt", "recipient", "trial", "age", "gender", "country",
))  # fmt: skip
# The last word of a name: what platforms keep of who answered, when and how long.
BOOKKEEPING = frozenset((
    "id", "ids", "uuid", "index", "time", "times", "timestamp", "date", "seconds", "duration", "ip",
    "url", "link", "reward", "trust", "confidence", "complete", "judgments", "page",
))  # fmt: skip
# A mean or spread of ratings is no rating of a judge.
SUMMARIES = frozenset((
    "avg", "average", "mean", "median", "std", "sd", "stdev", "stddev", "variance", "var", "sem",
    "zscore", "zscores", "mittelwert", "moyenne", "promedio", "среднее", "平均",
))  # fmt: skip


def is_aside(folded: str, kind: Kind) -> bool:
    """Whether a column is never a system, a dimension or a metric, judged by its name."""
    if kind == "outputs":
        about = named_otherwise()
    else:
        fields = [field for field in ("item_id", "system") if field in FIELDS[kind]]
        about = frozenset(name for field in fields for name in names_of(field, kind))
    first, last = folded.partition("_")[0], folded.rpartition("_")[2]
    if kind == "ratings" and first == "input":  # what was shown to the judges
        return True
    is_kept = last in BOOKKEEPING and (kind != "scores" or last == "id")
    return (
        folded in about or is_kept or not ASIDE.isdisjoint({first, folded.removeprefix("answer_")})
    )


def without_summaries(folded: Sequence[str]) -> list[bool]:
    """Return which columns are no means of the others; all, where there is nothing but means."""
    kept = [SUMMARIES.isdisjoint(name.split("_")) for name in folded]
    return kept if any(kept) else [True] * len(kept)


def is_rating(folded: str) -> bool:
    """Whether a column holds ratings, judged by its name: ``fluency``, ``CoherenceRating``."""
    first, _, last = folded.partition("_")
    return first in QUALITIES and last in {"", "rating", "ratings", "score"}
