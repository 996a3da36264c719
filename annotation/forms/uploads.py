"""The forms of an upload: the file, how it is read, and what its columns stand for."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.enums import UploadKind
from annotation.importing import Kind
from annotation.importing.fields import FIELDS
from annotation.models import Upload

ENCODINGS = [
    ("", _("As found")),
    ("utf-8", "UTF-8"),
    ("cp1252", "Windows-1252"),
    ("iso-8859-1", "Latin-1"),
    ("utf-16", "UTF-16"),
    ("gb18030", "GB 18030"),
    ("shift_jis", "Shift JIS"),
    ("big5", "Big5"),
    ("euc_jp", "EUC-JP"),
    ("cp949", "EUC-KR"),
    ("cp1250", "Windows-1250"),
    ("cp1251", "Windows-1251"),
    ("koi8_r", "KOI8-R"),
    ("iso8859-2", "Latin-2"),
    ("utf-16-le", _("UTF-16 LE without a mark")),
    ("mac_roman", "Mac Roman"),
]
TEXT_CHOICES = ("encoding", "delimiter", "quoting", "header", "bad_bytes")
WORKBOOK_CHOICES = ("sheet", "header_row", "cells")
DELIMITERS = [
    ("", _("As found")),
    (",", _("Comma")),
    (";", _("Semicolon")),
    ("\t", _("Tab")),
    ("|", _("Bar")),
]


class UploadForm(forms.Form):
    """A file and what it holds."""

    kind = forms.ChoiceField(label=_("What the file holds"), choices=UploadKind.choices)
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_(
            "CSV, TSV, JSON, JSON lines, XLSX or Parquet, also packed as .gz; or a zip of aligned "
            "text files, of an mt-metrics-eval tree or of a Hugging Face data set."
        ),
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        """Refuse a file that is larger than this installation takes."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        limit = settings.CONCORD_MAX_UPLOAD_BYTES
        if file.size is not None and file.size > limit:
            raise ValidationError(
                _("The file has %(size)s bytes; %(limit)s are allowed here."),
                params={"size": file.size, "limit": limit},
            )
        return file


class ReadingForm(forms.Form):
    """How a file is read, where the guess is wrong."""

    encoding = forms.ChoiceField(label=_("Encoding"), choices=ENCODINGS, required=False)
    delimiter = forms.ChoiceField(label=_("Delimiter"), choices=DELIMITERS, required=False)
    quoting = forms.ChoiceField(
        label=_("Quotes"),
        choices=[
            ("", _("As found")),
            ("standard", _("Bound a cell")),
            ("literal", _("Belong to the text")),
        ],
        required=False,
    )
    header = forms.TypedChoiceField(
        label=_("First line"),
        choices=[("", _("As found")), ("yes", _("Names the columns")), ("no", _("Is data"))],
        coerce=lambda value: value == "yes",
        empty_value=None,
        required=False,
    )
    sheet = forms.ChoiceField(label=_("Sheet"), required=False)
    header_row = forms.IntegerField(
        label=_("Row of the column names, in every sheet"),
        required=False,
        min_value=1,
        max_value=1000,
        help_text=_("Columns without a name are called by their letters."),
    )
    cells = forms.CharField(
        label=_("Cells that are about all rows of their sheet"),
        required=False,
        max_length=200,
        help_text=_("Such as B1:B8, B10: the sources and the reference above a table."),
    )
    bad_bytes = forms.ChoiceField(
        label=_("Bytes that are no text"),
        choices=[("ask", _("Stop")), ("replace", _("Put a sign for each"))],
        required=False,
    )

    def __init__(self, data: QueryDict | None = None, *, upload: Upload) -> None:
        """Offer what fits the file: its sheets, or its encoding and delimiter."""
        chosen = upload.options.get("reading", {})
        header = {True: "yes", False: "no"}.get(chosen.get("header"), "")
        super().__init__(data, initial={**chosen, "header": header})
        understood = (upload.report or {}).get("understood") or {}
        sheets = understood.get("sheets")
        if sheets:
            sheet = self.fields["sheet"]
            assert isinstance(sheet, forms.ChoiceField)  # noqa: S101 -- narrows the type
            sheet.choices = [("", _("As found")), *((name, name) for name in sheets)]
        for name in TEXT_CHOICES if sheets else WORKBOOK_CHOICES:
            del self.fields[name]

    def reading(self) -> dict[str, Any]:
        """Return what was chosen, as the options of a reader."""
        chosen = {
            name: value for name, value in self.cleaned_data.items() if value not in ("", None)
        }
        return {**chosen, "bad_bytes": chosen.get("bad_bytes", "ask")}


# Choices that mean nothing for a kind of file.
_NOT_ASKED: dict[Kind, tuple[str, ...]] = {
    "outputs": ("words",),
    "ratings": ("empty_output", "adds_only"),
    "comparisons": ("words", "empty_output", "adds_only"),
}


class ChoicesForm(forms.Form):
    """What is done with rows that are wrong, empty or changed."""

    good_rows_only = forms.BooleanField(
        label=_("Leave out rows with errors and load the others"), required=False
    )
    empty_output = forms.ChoiceField(
        label=_("Empty outputs"),
        choices=[("keep", _("Keep them, as outputs without words")), ("skip", _("Leave them out"))],
        required=False,
    )
    adds_only = forms.BooleanField(
        label=_("Only add new outputs; leave changed texts as they are"), required=False
    )
    words = forms.CharField(
        label=_("Words that stand for numbers"),
        required=False,
        help_text=_("Such as: good = 3, bad = 1"),
    )

    def __init__(self, data: QueryDict | None = None, *, upload: Upload) -> None:
        """Offer the choices of this kind of file."""
        chosen = upload.options
        words = ", ".join(f"{word} = {value:g}" for word, value in chosen.get("words", {}).items())
        super().__init__(data, initial={**chosen, "words": words})
        for name in _NOT_ASKED[upload.holds]:
            del self.fields[name]

    def clean_words(self) -> dict[str, float]:
        """Return the values of words."""
        words = {}
        for part in filter(str.strip, self.cleaned_data["words"].split(",")):
            word, _sign, value = part.rpartition("=")
            try:
                words[word.strip()] = float(value)
            except ValueError:
                word = ""
            if not word.strip():
                raise ValidationError(
                    _("%(part)s is not of the form word = number."), params={"part": part.strip()}
                )
        return words


# What all cells of one column may belong to, and the fields of which that can be said.
_BONDS: dict[Kind, tuple[str, ...]] = {
    "outputs": ("system",),
    "ratings": ("system", "dimension", "judge"),
    "comparisons": ("system", "dimension"),
}
_BEARERS = frozenset({"output", "value", "choice", "rank"})


class MappingForm(forms.Form):
    """What each column stands for; a column that is bound belongs to one system, judge or so."""

    system = forms.CharField(label=_("System of all rows"), required=False, max_length=200)
    dimension = forms.CharField(label=_("Dimension of all rows"), required=False, max_length=100)
    judge = forms.CharField(label=_("Judge of all rows"), required=False, max_length=200)
    replaces_bad_bytes = forms.BooleanField(
        label=_("Put the sign � in place of each byte that is no text"),
        required=False,
        initial=True,
    )

    def __init__(self, data: QueryDict | None = None, *, upload: Upload) -> None:
        """Make a choice for each column of the file."""
        self._kind = upload.holds
        report = upload.report or {}
        self.mapping = report.get("proposed", {})
        super().__init__(data, initial=dict(self.mapping.get("constants", {})))
        if upload.kind == UploadKind.OUTPUTS:
            del self.fields["dimension"], self.fields["judge"]
        if upload.kind == UploadKind.COMPARISONS:
            del self.fields["system"]
        if "undecodable_bytes" not in report.get("counts", {}):
            del self.fields["replaces_bad_bytes"]
        choices = [("", _("Not used")), *((name, name) for name in FIELDS[upload.holds])]
        for at, column in enumerate(self.mapping.get("columns", [])):
            self.fields[f"column_{at}"] = forms.ChoiceField(
                label=column["name"] or _("(no name)"),
                choices=choices,
                initial=column["field"],
                required=False,
            )
            for name in _BONDS[upload.holds]:
                self.fields[f"column_{at}_{name}"] = forms.CharField(
                    label=name,
                    initial=column["bound"].get(name, ""),
                    required=False,
                    max_length=200,
                )

    def columns(self) -> Iterator[tuple[dict[str, Any], forms.BoundField, list[forms.BoundField]]]:
        """Yield each column of the mapping with its choice, and with what it is bound to."""
        for at, column in enumerate(self.mapping.get("columns", [])):
            bonds = [self[f"column_{at}_{name}"] for name in _BONDS[self._kind]]
            yield column, self[f"column_{at}"], bonds

    def chosen(self) -> dict[str, Any]:
        """Return the mapping as chosen.

        Only columns of outputs, ratings or ranks are bound, and to nothing that another column,
        or one value for all rows, says.
        """
        constants = {
            name: self.cleaned_data[name].strip()
            for name in ("system", "dimension", "judge")
            if self.cleaned_data.get(name, "").strip()
        }
        fields = [self.cleaned_data[f"column_{at}"] for at in range(len(self.mapping["columns"]))]
        named = {*fields, *constants}
        columns = [
            {
                "name": column["name"],
                "field": field,
                "bound": self._bound(at, named) if field in _BEARERS else {},
            }
            for at, (column, field) in enumerate(zip(self.mapping["columns"], fields, strict=True))
        ]
        return {"kind": self._kind, "columns": columns, "constants": constants}

    def _bound(self, at: int, named: set[str]) -> dict[str, str]:
        told = {name: self.cleaned_data[f"column_{at}_{name}"] for name in _BONDS[self._kind]}
        return {name: value for name, value in told.items() if value and name not in named}
