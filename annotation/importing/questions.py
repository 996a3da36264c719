"""What a guess of a mapping leaves open: names that clash, lists in cells, fields unfed."""

from collections import Counter
from collections.abc import Mapping, Sequence

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, REPEATED, RIVALS
from annotation.importing.findings import Finding, finding
from annotation.importing.rows import Kind

ONE_TEXT = "Confirm to make each list one text, an entry a line, or give each entry a row."
UNNAMED = {"system": "system_unnamed", "dimension": "dimension_unnamed", "judge": "judge_unnamed"}


def clashes(header: Sequence[str], kind: Kind) -> list[Finding]:
    """Ask where columns have one name once letter case is put aside."""
    single = {
        name for field in FIELDS[kind] if field not in REPEATED for name in FIELDS[kind][field]
    }
    folded = [fold(_without_count(name, header, single)) for name in header]
    return [
        finding(
            "ambiguous_header",
            "Several columns have the same name once letter case is put aside.",
            line=1,
            column=", ".join(name for name, its in zip(header, folded, strict=True) if its == one),
        )
        for one, n in Counter(filter(None, folded)).items()
        if n > 1
    ]


def rivals(header: Sequence[str], kind: Kind) -> list[Finding]:
    """Ask where two columns have names that say the same, none of them better than the other."""
    folded = [fold(name) for name in header]
    found = []
    for names in RIVALS[kind]:
        alike = [name for name, its in zip(header, folded, strict=True) if its in names]
        if len({fold(name) for name in alike}) > 1:
            reason = "Several columns may be meant by their names."
            found.append(finding("ambiguous_header", reason, line=1, column=", ".join(alike)))
    return found


def _without_count(name: str, header: Sequence[str], single: set[str]) -> str:
    """Return a name without the count that pandas gives to the second of two: ``output.1``."""
    stem, dot, count = name.rpartition(".")
    is_second = dot and count.isdecimal() and stem in header and fold(stem) in single
    return stem if is_second else name


def unfed(missing: Sequence[str], header: Sequence[str]) -> list[Finding]:
    """Ask for the fields that are needed and that no column feeds."""
    return [
        finding(
            UNNAMED.get(name, "columns_unclear"),
            f"No column was found for {name.replace('_', ' ')}.",
            value=", ".join(header),
        )
        for name in missing
    ]


def lists(fields: Mapping[str, str]) -> list[Finding]:
    """Ask what the lists in the cells of columns are; ``fields`` says what each column feeds."""
    reason = "Cells of this column hold lists."
    return [
        finding("list_in_cell", reason, column=name, mend=ONE_TEXT if field == "output" else "")
        for name, field in fields.items()
    ]


def supposed(column: str, field: str) -> Finding:
    """Ask whether a column is what it was taken for."""
    reason = f"This column was taken for the {field.removesuffix('_id')}."
    mend = "Confirm it, or say which column it is."
    return finding("columns_unclear", reason, column=column, mend=mend)
