"""Which column means what: guessed, shown, changed, and kept for the next file."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, replace
from itertools import compress

from annotation.importing.asides import is_aside, without_summaries
from annotation.importing.dialect import fold
from annotation.importing.fields import (
    FIELDS,
    MEASURES,
    NEEDED,
    SHEET,
)
from annotation.importing.findings import Finding, finding
from annotation.importing.questions import clashes, lists, rivals, supposed, unfed
from annotation.importing.reading import RawRow
from annotation.importing.rows import Kind
from annotation.importing.second_looks import corrected, likely_columns
from annotation.importing.synonyms import fields_by_name
from annotation.importing.wide import (
    bound_by_name,
    bound_to_ranks,
    is_measure,
    label_columns,
    list_columns,
)

# Columns and cells of a sheet that have no name but their place: F, B10, B1:B8.
CELLS = re.compile(r"[A-Z]{1,3}(\d+(:[A-Z]{1,3}\d+)?)?")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file and the field it feeds; an empty field means: not used.

    A wide column is bound: ``bound`` says which system, dimension, judge or metric all its
    cells belong to.
    """

    index: int
    name: str
    field: str = ""
    bound: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    """What every column of a file stands for.

    ``constants`` gives a field one value for all rows, such as the system of a file that
    holds one system only. ``questions`` are what the guess could not decide; a confirmed
    mapping has none.
    """

    kind: Kind
    columns: tuple[Column, ...]
    constants: tuple[tuple[str, str], ...] = ()
    questions: tuple[Finding, ...] = ()

    def confirmed(self) -> "Mapping":
        """Return the mapping as one that a person has accepted."""
        return replace(self, questions=())

    def with_constants(self, **values: str) -> "Mapping":
        """Return the mapping with one value for all rows in the fields named."""
        return replace(self, constants=tuple({**dict(self.constants), **values}.items()))

    def with_fields(self, fields: MappingABC[str, str]) -> "Mapping":
        """Return the mapping with the columns named in ``fields`` feeding other fields."""
        columns = tuple(
            replace(column, field=fields[column.name], bound=())
            if column.name in fields
            else column
            for column in self.columns
        )
        return replace(self, columns=columns)

    def missing(self) -> list[str]:
        """Return the needed fields that nothing feeds."""
        fed = {column.field for column in self.columns} | {name for name, _ in self.constants}
        fed |= {name for column in self.columns for name, _ in column.bound}
        if "source" in fed:
            fed.add("item_id")  # an item can be known by its text
        if self.kind == "ratings" and "text" in fed:
            fed.add("value")
        if fed & {"ranking", "rank"}:  # which names the systems and says what was chosen
            fed |= {"system_a", "system_b", "choice"}
        return [name for name in NEEDED[self.kind] if name not in fed]

    def as_json(self) -> dict[str, object]:
        """Return plain values, to be kept as a template."""
        return {
            "kind": self.kind,
            "columns": [
                {"name": column.name, "field": column.field, "bound": dict(column.bound)}
                for column in self.columns
            ],
            "constants": dict(self.constants),
        }


def mapping_from_json(template: MappingABC[str, object], header: Sequence[str]) -> Mapping:
    """Return a kept mapping for a header; columns are found by name, new ones stay unused.

    Raises
    ------
    ValueError
        If the template is none, or names a column that the header lacks.
    """
    kind, columns = template.get("kind"), template.get("columns")
    if kind not in FIELDS or not isinstance(columns, list):
        raise ValueError("This is no mapping; it needs a kind and a list of columns.")
    by_name = {column["name"]: column for column in columns if column.get("field")}
    lacking = [name for name in by_name if name not in header]
    if lacking:
        raise ValueError(f"The file has no column {', '.join(map(repr, lacking))}.")
    constants = template.get("constants")
    return Mapping(
        kind=kind,
        columns=tuple(
            Column(
                index,
                name,
                by_name.get(name, {}).get("field", ""),
                tuple(by_name.get(name, {}).get("bound", {}).items()),
            )
            for index, name in enumerate(header)
        ),
        constants=tuple(constants.items()) if isinstance(constants, dict) else (),
    )


def guess_mapping(header: Sequence[str], kind: Kind, sample: Iterable[RawRow] = ()) -> Mapping:
    """Guess from the names seen in the field which column feeds which field.

    Parameters
    ----------
    header : sequence of str
        Column names as they stand in the file.
    kind : {"outputs", "ratings", "scores"}
        What the rows are.
    sample : iterable of RawRow
        Some rows; they tell numbers from texts, and lists in cells.

    Returns
    -------
    Mapping
        With a question for whatever is unclear.
    """
    rows = [row.cells for row in sample]
    taken = corrected(fields_by_name(header, kind), header, kind, rows)
    columns = [Column(index, name, taken.get(index, "")) for index, name in enumerate(header)]
    columns, asked = _wide(columns, kind, rows)
    mapping, likely = _with_likely(Mapping(kind, tuple(columns)))
    columns, missing = list(mapping.columns), mapping.missing() if columns else []
    held = list_columns([(column.name, column.index, column.field) for column in columns], rows)
    # Lists in a column that nothing needs are no question.
    fed = {column.name: column.field for column in columns if column.field or missing}
    questions = [
        *clashes(header, kind), *rivals(header, kind), *asked, *likely,
        *lists({name: fed[name] for name in held if name in fed}), *unfed(missing, header),
    ]  # fmt: skip
    return replace(mapping, questions=tuple(questions))


def _with_likely(mapping: Mapping) -> tuple[Mapping, list[Finding]]:
    """Propose a column for the items or judges that none is named for, and ask about it."""
    taken = {column.index: column.field for column in mapping.columns if column.field}
    likely = likely_columns([one.name for one in mapping.columns], taken, mapping.missing())
    asked = [supposed(mapping.columns[at].name, field) for at, field in likely.items()]
    changed = (replace(one, field=likely.get(one.index, one.field)) for one in mapping.columns)
    return replace(mapping, columns=tuple(changed)), asked


def _wide(
    columns: list[Column], kind: Kind, rows: list[Sequence[object]]
) -> tuple[list[Column], list[Finding]]:
    """Bind the columns of a wide table to systems, dimensions, judges or metrics."""
    measure = MEASURES[kind]
    if any(column.field == measure for column in columns):
        return columns, []
    free = _free(columns, kind, rows)
    if kind == "comparisons":
        return _ranked(columns, free, rows), []
    n_free = len(free)
    if kind == "ratings":
        free = list(compress(free, without_summaries([fold(column.name) for column in free])))
    fed = {column.field for column in columns} | ({"system"} if _is_by_sheet(columns) else set())
    asked = _asked_of_labels(free, rows) if kind == "outputs" else []
    bound, is_sure = bound_by_name([column.name for column in free], kind, fed)
    if not bound:
        return columns, asked
    changed = {
        column.index: replace(column, field=measure, bound=tuple(bound[column.name].items()))
        for column in free
        if column.name in bound
    }
    columns = [changed.get(column.index, column) for column in columns]
    if is_sure and len(free) == n_free:
        return columns, asked
    names = ", ".join(column.name for column in changed.values())
    said = finding("wide_ratings_mapping", "Several columns hold ratings.", column=names)
    return columns, [said]


def _ranked(
    columns: list[Column], free: list[Column], rows: list[Sequence[object]]
) -> list[Column]:
    """Bind the columns of a table with the rank of each system in a column of its own."""
    if any(column.field in {"ranking", "system_a"} for column in columns):
        return columns
    bound = bound_to_ranks([(column.name, column.index) for column in free], rows)
    return [
        replace(column, field="rank", bound=tuple(bound[column.index].items()))
        if column.index in bound
        else column
        for column in columns
    ]


def _free(columns: list[Column], kind: Kind, rows: list[Sequence[object]]) -> list[Column]:
    """Return the columns without a meaning whose cells may be outputs, ratings or scores."""
    is_by_sheet = _is_by_sheet(columns)
    return [
        column
        for column in columns
        if not column.field
        and column.name.strip()
        and not is_aside(fold(column.name), kind)
        and not (is_by_sheet and CELLS.fullmatch(column.name))
        and is_measure(fold(column.name), kind, [row[column.index] for row in rows])
    ]


def _is_by_sheet(columns: list[Column]) -> bool:
    return columns[:1] == [Column(0, SHEET, "item_id")]


def _asked_of_labels(columns: list[Column], rows: list[Sequence[object]]) -> list[Finding]:
    labels = label_columns([(column.name, column.index) for column in columns], rows)
    reason = "Single words stand in this column, which may be no outputs."
    return [finding("columns_unclear", reason, column=name) for name in labels]
