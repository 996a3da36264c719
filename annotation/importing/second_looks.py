"""What the cells of a table say against the guess that the names of its columns led to."""

from collections.abc import Mapping, Sequence

from annotation.importing.asides import is_aside
from annotation.importing.dialect import fold
from annotation.importing.fields import QUALITIES, names_of
from annotation.importing.rows import Kind
from annotation.importing.values import is_missing, is_number

LONGEST_NAME = 100  # of a document, in characters
ANSWERS = frozenset({"response", "answer"})  # a text as a rule, but in a survey the rating
OF_JUDGES = tuple(f"_{name}" for name in names_of("judge", "ratings") if name.endswith("_id"))
OF_ITEMS = ("_id", "_idx", "_uid", "_guid")
# Identifiers of the answer, the page or the survey rather than of what was judged.
OF_PLATFORMS = (
    "assignment_id", "type_id", "session_id", "response_id", "campaign_id", "experiment_id",
    "collector_id", "node_id", "suite_id", "survey_id", "batch_id", "run_id", "project_id",
    "group_id", "tree_id", "data_row_id", "system_id", "model_id", "setup_id",
)  # fmt: skip
Rows = Sequence[Sequence[object]]


def corrected(
    taken: Mapping[int, str], header: Sequence[str], kind: Kind, rows: Rows
) -> dict[int, str]:
    """Return which column feeds which field, once the cells were looked at.

    Parameters
    ----------
    taken : mapping of index to field
        As guessed from the names.
    header : sequence of str
    kind : {"outputs", "ratings", "scores", "comparisons"}
    rows : sequence of cells
        Some rows; without any, the names are all there is.
    """
    if kind == "outputs":
        fields = _without_answers(dict(taken), [fold(name) for name in header])
        return _without_named_batches(_with_long_documents(fields, rows), rows)
    if kind != "ratings" or "value" in taken.values():
        return dict(taken)
    folded = [fold(name) for name in header]
    for index, field in taken.items():
        if field == "output" and folded[index] in ANSWERS and _are_numbers(rows, index):
            return {**taken, index: "value"}
    free = [at for at, name in enumerate(folded) if at not in taken and not is_aside(name, kind)]
    return _beside_ratings(dict(taken), [folded[at] for at in free if _are_numbers(rows, at)], rows)


def _without_answers(fields: dict[int, str], folded: Sequence[str]) -> dict[int, str]:
    """Take no text of a table of ratings for an output: it is what a judge has written."""
    are_rated = all(
        not set(folded).isdisjoint(names_of(name, "ratings"))
        for name in ("judge", "dimension", "value")
    )
    return {
        at: its
        for at, its in fields.items()
        if not (are_rated and its == "output" and folded[at] in names_of("text", "ratings"))
    }


def _with_long_documents(fields: dict[int, str], rows: Rows) -> dict[int, str]:
    """Take a column of documents for the source where its cells are texts rather than names."""
    if "source" in fields.values():
        return fields
    return {
        at: "source" if its == "document" and any(_is_long(row[at]) for row in rows) else its
        for at, its in fields.items()
    }


def _without_named_batches(fields: dict[int, str], rows: Rows) -> dict[int, str]:
    """Leave a column of batches alone where none of them has a number: it is another's order."""
    return {
        at: its
        for at, its in fields.items()
        if its != "batch" or not rows or any(map(_is_count, (row[at] for row in rows)))
    }


def _is_count(cell: object) -> bool:
    return not isinstance(cell, str) or not cell.strip() or cell.strip().isdecimal()


def _is_long(cell: object) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and len(cell) > LONGEST_NAME)


def _beside_ratings(fields: dict[int, str], rated: list[str], rows: Rows) -> dict[int, str]:
    """Beside columns of ratings no column names a dimension, and a text is what was rated."""
    by_field = {field: index for index, field in fields.items()}
    dimension, text = by_field.get("dimension"), by_field.get("text")
    if dimension is not None and _are_numbers(rows, dimension):
        rated = [*rated, "quality"]  # or another name that both a quality and a dimension has
    if dimension is not None and not QUALITIES.isdisjoint(rated):
        del fields[dimension]
        dimension = None
    if rated and text is not None and dimension is None:
        del fields[text]
        if "output" not in by_field:
            fields[text] = "output"
    return fields


def _are_numbers(rows: Rows, index: int) -> bool:
    cells = [row[index] for row in rows]
    texts = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell)]
    return bool(texts) and all(map(is_number, texts))


def likely_columns(
    header: Sequence[str], taken: Mapping[int, str], lacking: Sequence[str]
) -> dict[int, str]:
    """Return the only column that may be the identifier of the items, or of the judges.

    Its name ends like one: ``Story ID``, ``your annotator ID``. It is a guess, to be asked about.

    Parameters
    ----------
    header : sequence of str
    taken : mapping of index to field
    lacking : sequence of str
        The fields that are needed and not fed.
    """
    folded = {at: f"_{fold(name)}" for at, name in enumerate(header) if at not in taken}
    judges = [at for at, name in folded.items() if name.endswith(OF_JUDGES)]
    items = [
        at
        for at, name in folded.items()
        if name.endswith(OF_ITEMS) and not name.endswith((*OF_JUDGES, *OF_PLATFORMS))
    ]
    fitting = {"judge": judges, "item_id": items}
    return {
        columns[0]: field
        for field, columns in fitting.items()
        if field in lacking and len(columns) == 1
    }
