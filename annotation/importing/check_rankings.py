"""Rankings in the cells of a record: each is read, and turned into the choices that it answers."""

from collections.abc import Iterator

from annotation.importing.findings import Finding, finding
from annotation.importing.picking import Picker
from annotation.importing.rankings import choices_of, read_ranking
from annotation.importing.reading import RawRow
from annotation.importing.rows import Rules
from annotation.importing.values import is_missing

# The systems that were compared, as they were shown, and the choice in their letters.
Compared = tuple[tuple[str, ...], str]


class RankingCells:
    """Where the rankings of a file stand: in one cell, or a rank in a column of each system."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick, self._rules = picker, rules
        self._whole = picker.single.get("ranking")
        self._ranks = [column for column in picker.mapping.columns if column.field == "rank"]

    @property
    def is_fed(self) -> bool:
        """Whether the file has rankings, rather than choices."""
        return self._whole is not None or bool(self._ranks)

    def of(self, raw: RawRow, dimension: str) -> Iterator[tuple[str, object]]:
        """Yield each ranking of a record with its dimension."""
        if self._whole is not None:
            yield dimension, raw.cells[self._whole]
            return
        ranks: dict[str, dict[str, object]] = {}
        for column in self._ranks:
            bound = dict(column.bound)
            its = ranks.setdefault(bound.get("dimension", dimension), {})
            its[bound.get("system", column.name)] = raw.cells[column.index]
        yield from ranks.items()

    def read(self, raw: RawRow, dimension: str, cell: object) -> list[Compared] | Finding:
        """Return the choices that a ranking comes to, or what is wrong with it."""
        column = self._pick.name_of("ranking" if self._whole is not None else "rank")
        if _is_blank(cell):
            reason = "There is no ranking."
            return finding("missing_value", reason, line=raw.line, column=column)
        n_compared = self._rules.compared.get(dimension, 2)
        try:
            return list(choices_of(read_ranking(cell), n_compared=n_compared))
        except ValueError as fault:
            return finding("bad_ranking", str(fault), line=raw.line, column=column, value=cell)


def _is_blank(cell: object) -> bool:
    if isinstance(cell, dict):
        return all(rank is None or is_missing(str(rank)) for rank in cell.values())
    return not cell or (isinstance(cell, str) and is_missing(cell))
