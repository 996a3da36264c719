"""Tables of ranks: a row for each system that a judge ranked, turned into a row for each ranking.

Our own export of ranks is such a table; its letters and choices say all, and are taken as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, SYSTEM_NAMES
from annotation.importing.findings import Finding, finding
from annotation.importing.picking import as_text
from annotation.importing.rankings import in_words
from annotation.importing.reading import RawRow, Reading

RANK_NAMES = ("rank", "ranking", "place", "system_rank", "rank_of_system")
# One comparison is what one judge said of one item on one dimension.
KEY = ("item_id", "judge", "dimension", "phase", "repeat_of")
OWN = frozenset({"system", "output_version", "letter", "rank", "choice"})


def adapt_ranks(reading: Reading) -> Reading:
    """Return a long table of ranks as one row a ranking, and any other table as it is."""
    names = {fold(name): at for at, name in reversed(list(enumerate(reading.header)))}
    if names.keys() >= OWN:
        return _own(reading, names)
    system = next((names[name] for name in SYSTEM_NAMES if name in names), None)
    rank = next((names[name] for name in RANK_NAMES if name in names), None)
    if system is None or rank is None:
        return reading
    table = _Table(
        keys=[at for field in KEY for at in _columns(names, field)],
        kept=[at for at in range(len(reading.header)) if at not in (system, rank)],
        system=system,
        rank=rank,
    )
    header = (*(reading.header[at] for at in table.kept), "ranking")
    return replace(reading, header=header, shape="ranks", rows=lambda: table.rows(reading))


def _columns(names: dict[str, int], field: str) -> list[int]:
    return [names[name] for name in FIELDS["comparisons"][field] if name in names][:1]


@dataclass(slots=True)
class _Table:
    """Where the columns of a table of ranks stand."""

    keys: list[int]
    kept: list[int]
    system: int
    rank: int

    def rows(self, reading: Reading) -> Iterator[RawRow | Finding]:
        """Yield one row for each ranking, in the order of their first lines."""
        first: dict[tuple[str, ...], RawRow] = {}
        ranks: dict[tuple[str, ...], dict[str, str]] = {}
        for row in reading.rows():
            if isinstance(row, Finding):
                yield row
                continue
            key = tuple(as_text(row.cells[at]).strip() for at in self.keys)
            system = as_text(row.cells[self.system]).strip()
            first.setdefault(key, row)
            its = ranks.setdefault(key, {})
            if system in its:
                reason = f"{system or 'No name'} has a rank from this judge already."
                yield finding("bad_ranking", reason, line=row.line, value=system)
            its.setdefault(system, as_text(row.cells[self.rank]))
        for key, row in first.items():
            cells = [row.cells[at] for at in self.kept]
            yield RawRow(row.line, [*cells, in_words(ranks[key])], row.place)


def _own(reading: Reading, names: dict[str, int]) -> Reading:
    """Return our own export of ranks as our own export of choices: a comparison begins with A."""
    kept = [at for name, at in names.items() if name not in OWN - {"choice"}]
    kept.sort()
    letters = [f"system_{letter}" for letter in "abcde"]

    def rows() -> Iterator[RawRow | Finding]:
        begun: RawRow | None = None
        systems: list[str] = []
        for row in reading.rows():
            if isinstance(row, Finding):
                yield row
                continue
            if as_text(row.cells[names["letter"]]).strip().upper() == "A" and begun:
                yield _compared(begun, kept, systems)
                begun, systems = None, []
            begun = begun or row
            systems.append(as_text(row.cells[names["system"]]))
        if begun:
            yield _compared(begun, kept, systems)

    header = (*(reading.header[at] for at in kept), *letters)
    return replace(reading, header=header, shape="ranks", rows=rows)


def _compared(row: RawRow, kept: list[int], systems: list[str]) -> RawRow:
    shown = (systems + [""] * 5)[:5]
    return RawRow(row.line, [*(row.cells[at] for at in kept), *shown], row.place)
