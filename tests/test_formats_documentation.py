"""The page of formats names every field, every finding and every export there is."""

from pathlib import Path

from annotation.exporting import FORMATS, RANK_FIELDS, TIDY_FIELDS, WIDE_FIELDS
from annotation.importing.fields import FIELDS
from annotation.importing.kinds import KINDS

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")


def test_every_accepted_name_is_documented():
    fields = [
        (field, name) for kind in FIELDS.values() for field, names in kind.items() for name in names
    ]
    assert [name for _, name in fields if f"`{name}`" not in PAGE] == []


def test_every_finding_and_its_way_out_is_documented():
    lines = [f"| `{kind}` | {severity} | {mend} |" for kind, (severity, mend) in KINDS.items()]
    assert [line for line in lines if line not in PAGE] == []


def test_every_export_is_documented():
    lines = [f"| `{entry.name}` | `<study>-{entry.suffix}` |" for entry in FORMATS.values()]
    assert [line for line in lines if line not in PAGE] == []
    for fields in (TIDY_FIELDS, WIDE_FIELDS, RANK_FIELDS):
        assert ", ".join(fields) in PAGE
