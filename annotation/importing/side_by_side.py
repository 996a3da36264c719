"""Rows with several outputs, each beside its system: they are turned into a row each."""

import re
from collections.abc import Iterator
from dataclasses import replace

from annotation.importing.dialect import fold
from annotation.importing.fields import OUTPUT_NAMES, SYSTEM_NAMES
from annotation.importing.findings import Finding
from annotation.importing.reading import RawRow, Reading

PLACE = re.compile(r"(?P<name>.+)_(?P<place>[a-e]|\d)")
Places = dict[str, dict[str, int]]  # by place, the columns of its system and its output


def adapt_side_by_side(reading: Reading) -> Reading:
    """Return the reading with a row for each output, as of ``model_a, output_a, model_b, ...``."""
    places = _places(reading)
    if len(places) < 2 or any(len(its) != 2 for its in places.values()):
        return reading
    taken = {at for its in places.values() for at in its.values()}
    about = [at for at in range(len(reading.header)) if at not in taken]

    def rows() -> Iterator[RawRow | Finding]:
        for row in reading.rows():
            if isinstance(row, Finding):
                yield row
                continue
            for its in places.values():
                cells = [row.cells[at] for at in (*about, its["system"], its["output"])]
                yield RawRow(row.line, cells, row.place)

    header = (*(reading.header[at] for at in about), "system", "output")
    return replace(reading, header=header, shape="side_by_side", rows=rows, is_plain=False)


def _places(reading: Reading) -> Places:
    places: Places = {}
    for at, name in enumerate(reading.header):
        told = PLACE.fullmatch(fold(name))
        if told is None:
            continue
        for field, names in (("system", SYSTEM_NAMES), ("output", OUTPUT_NAMES)):
            if told["name"] in names:
                places.setdefault(told["place"], {}).setdefault(field, at)
    return places
