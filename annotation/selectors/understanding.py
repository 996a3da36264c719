"""How a file is understood: as somebody said, as a like file was read before, or as guessed."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.importing import (
    Kind,
    Mapping,
    Reading,
    ReadOptions,
    UnreadableFile,
    guess_mapping,
    mapping_from_json,
    read,
)
from annotation.importing.dialect import fold
from annotation.importing.folders import without_endings
from annotation.importing.workbook import sheet_names
from annotation.models import MappingTemplate, Study
from annotation.selectors.judging import asked_dimensions

SAMPLE = 20
LONGEST_SHOWN = 600
OF_RATINGS = re.compile(r"_(rating|ratings|score|scores)$")
ANSWERED = frozenset(("sheet_per_item_layout", "header_missing", "list_in_cell", "row_numbers"))


@dataclass(frozen=True, slots=True)
class Understood:
    """A file as it will be read: its reading, its mapping, and where the mapping is from.

    ``origin`` is ``said``, ``template`` or ``guess``.
    """

    reading: Reading
    mapping: Mapping
    origin: str

    def as_json(self) -> dict[str, Any]:
        """Return what the page of columns shows."""
        reading = self.reading
        return {
            "format": reading.format,
            "shape": reading.shape,
            "encoding": reading.encoding,
            "delimiter": reading.delimiter,
            "newline": reading.newline,
            "quoting": reading.quoting,
            "decimal_comma": reading.decimal_comma,
            "header": list(reading.header),
            "sheets": sheet_names(reading.path) if reading.format == "XLSX" else [],
            "mapping": self.mapping.as_json(),
            "origin": self.origin,
            "sample": [
                {"line": row.line, "cells": [_shown(cell) for cell in row.cells]}
                for row in reading.sample(SAMPLE)
            ],
        }


def understand(
    study: Study, path: Path, *, kind: Kind, options: MappingABC[str, Any]
) -> Understood:
    """Read the beginning of a file.

    Raises
    ------
    UnreadableFile
        If it is no table, or the mapping said does not fit it.
    """
    said = options.get("mapping")
    reading = read(path, kind=kind, options=ReadOptions(**options.get("reading", {})))
    if said:
        try:
            mapping = mapping_from_json(said, reading.header)
            return Understood(_answered(reading), mapping, "said")
        except ValueError as error:
            raise UnreadableFile("missing_column", str(error)) from error
    template = MappingTemplate.objects.filter(
        study=study, kind=kind, header=header_hash(reading.header)
    ).first()
    if template is not None:
        mapping = mapping_from_json(template.options, reading.header)
        return Understood(_answered(reading), mapping, "template")
    guess = guess_mapping(reading.header, kind, reading.sample())
    return Understood(reading, _in_names_of(study, guess), "guess")


def _in_names_of(study: Study, mapping: Mapping) -> Mapping:
    """Return a guess in which wide columns are bound to the study's own names.

    Column names such as ``Fluency``, ``FLUENCY`` or ``fluency_rating`` all mean its ``fluency``,
    unless another column has just that name.
    """
    bonds = {column.bound for column in mapping.columns if column.bound}
    if mapping.kind == "outputs" or not bonds:
        return mapping
    keys = {
        "dimension": _by_folded(asked_dimensions(study.pk).values_list("key", flat=True)),
        "system": _by_folded(study.systems.values_list("key", flat=True)),
    }
    own = {
        bond: tuple((field, _own(name, keys.get(field, {}))) for field, name in bond)
        for bond in bonds
    }
    columns = (
        replace(one, bound=own[one.bound]) if one.bound and own[one.bound] not in bonds else one
        for one in mapping.columns
    )
    return replace(mapping, columns=tuple(columns))


def _by_folded(keys: Iterable[str]) -> dict[str, str]:
    return {fold(key): key for key in keys}


def _own(name: str, keys: MappingABC[str, str]) -> str:
    """Return the study's name for what a file calls otherwise, or the file's own."""
    return keys.get(fold(name)) or keys.get(OF_RATINGS.sub("", fold(name)), name)


def _answered(reading: Reading) -> Reading:
    """Return the reading without the questions that a mapping of its columns answers."""
    left = tuple(found for found in reading.findings if found.kind not in ANSWERED)
    return replace(reading, findings=left)


def proposed(study: Study, mapping: Mapping, name: str) -> Mapping:
    """Return the mapping that is one word from being used: what no column names is filled in.

    The system is called as the file is, the dimension is the study's only one.
    """
    constants = {}
    if "system" in mapping.missing():
        constants["system"] = without_endings(name)
    if "dimension" in mapping.missing():
        keys = list(asked_dimensions(study.pk).values_list("key", flat=True))
        if len(keys) == 1:
            constants["dimension"] = keys[0]
    return mapping.with_constants(**constants).confirmed()


def header_hash(header: Sequence[str]) -> str:
    """Return what tells files with the same columns from others."""
    return hashlib.sha256("\x1f".join(header).encode()).hexdigest()


def _shown(cell: object) -> str:
    text = cell if isinstance(cell, str) else "" if cell is None else repr(cell)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} …"
