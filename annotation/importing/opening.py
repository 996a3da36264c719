"""Which reader a file needs: told by its first bytes, not by its name."""

import re
from pathlib import Path

from annotation.importing.aligned import reading_of_lines
from annotation.importing.columnar import read_columnar
from annotation.importing.decoding import open_bytes
from annotation.importing.delimited import read_delimited
from annotation.importing.dialect import fold
from annotation.importing.fairseq import is_fairseq, read_fairseq
from annotation.importing.fields import known_names
from annotation.importing.file_names import OUTPUT_SUFFIXES
from annotation.importing.findings import UnreadableFile
from annotation.importing.folders import read_archive, read_folder
from annotation.importing.json_records import read_json, read_json_lines
from annotation.importing.layouts import adapt
from annotation.importing.packed import inspect
from annotation.importing.reading import Reading, ReadOptions
from annotation.importing.rows import Kind
from annotation.importing.workbook import read_workbook

PLAIN = {
    "delimited": read_delimited,
    "json": read_json,
    "jsonl": read_json_lines,
    "parquet": read_columnar,
    "fairseq": read_fairseq,
}
FOREIGN = (
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "a database"),
    (b"version https://git-lfs", "a pointer of Git LFS; fetch the file itself"),
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard"),
    (b"#FORMAT=WebAnno", "a text of WebAnno or INCEpTION with its marks"),
    (b"{\\rtf", "a text document (RTF)"),
    (b"\\begin{", "a LaTeX document"),
    (b"\\documentclass", "a LaTeX document"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"\x80\x04\x95", "a pickle of Python"),
    (b"\x80\x03", "a pickle of Python"),
    (b"\x80\x02", "a pickle of Python"),
    (b"\x1f\x8b", "packed twice by gzip"),
    (b"{'", "Python's way of writing a dictionary; write it with json.dumps"),
    (b"[{'", "Python's way of writing a list; write it with json.dumps"),
)
AN_OBJECT = re.compile(rb'[\[{]\s*"|\[\s*{')
WEB_PAGE = (b"<!doctype html", b"<html", b"<head", b"<body")
XML = (
    b"<?xml", b"<srcset", b"<refset", b"<tstset", b"<dataset", b"<mteval", b"<tmx", b"<xliff",
    b"<!doctype",
)  # fmt: skip
OF_XML = (
    "Write its texts as plain lines, a file for the sources and one for each system, or as CSV."
)


def read(
    path: Path,
    *,
    kind: Kind,
    options: ReadOptions | None = None,
) -> Reading:
    """Understand a file or folder: its format, encoding, header and shape.

    Parameters
    ----------
    path : Path
        A file, or a folder of aligned text files.
    kind : {"outputs", "ratings", "scores"}
        What is looked for in formats that hold several things.
    options : ReadOptions, optional
        What to take instead of the guess.

    Returns
    -------
    Reading
        Iterate it for raw rows with their lines; the file is streamed.

    Raises
    ------
    UnreadableFile
        If the file is empty, damaged, too large or no table.
    """
    return adapt(_read(path, kind, options or ReadOptions()), kind)


def _read(path: Path, kind: Kind, options: ReadOptions) -> Reading:
    if not path.exists():
        raise UnreadableFile("empty_file", f"There is no file {path.name}.")
    if path.is_dir():
        return read_folder(path, kind, options, _read)
    name = options.format or detect_format(path, options)
    if name in PLAIN:
        reading = PLAIN[name](path, options)
        return reading_of_lines(path, options) if _is_lines(reading, kind, options) else reading
    if name == "xlsx":
        return read_workbook(path, kind, options)
    if name == "zip":
        return read_archive(path, kind, options, _read)
    raise UnreadableFile("not_a_table", f"There is no reader for {name!r}.")


def _is_lines(reading: Reading, kind: Kind, options: ReadOptions) -> bool:
    """Whether a file holds one output a line: a text file whose lines fall into no cells."""
    return (
        kind == "outputs"
        and reading.path.suffix.lower() in OUTPUT_SUFFIXES
        and reading.delimiter != ""
        and not (options.delimiter or options.header)
        and len(reading.header) == 1
        and fold(reading.header[0]) not in known_names()
    )


def detect_format(path: Path, options: ReadOptions) -> str:
    """Return the name of the reader a file needs."""
    with open_bytes(path, options.limits) as stream:
        head = stream.read(1 << 16)
    for magic, what in FOREIGN:
        if head.startswith(magic):
            raise UnreadableFile("not_a_table", f"The file is {what}.")
    if head[257:262] == b"ustar":
        raise UnreadableFile("not_a_table", "The file is a tar archive; pack its files as a zip.")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _packed_format(path, options)
    if head.startswith((b"PAR1", b"ARROW1")):
        return "parquet"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    _refuse_marked(text)
    if is_fairseq(head):
        return "fairseq"
    return _text_format(text.replace(b"\x00", b""), path)


def _refuse_marked(text: bytes) -> None:
    """Refuse a web page or another file of marked-up text."""
    begin = text[:200].lower()
    if begin.startswith(WEB_PAGE):
        raise UnreadableFile("not_a_table", "The file is a web page, perhaps an error message.")
    if begin.startswith(XML):
        what = "The file is XML, as sets of WMT, translation memories and feeds are."
        raise UnreadableFile("not_a_table", what, mend=OF_XML)


def _packed_format(path: Path, options: ReadOptions) -> str:
    names = {member.filename for member in inspect(path, options.limits)}
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "word/document.xml" in names or "mimetype" in names:
        raise UnreadableFile("not_a_table", "The file is a text document or an ODF file.")
    return "zip"


def _text_format(text: bytes, path: Path) -> str:
    names_json = any(suffix.startswith((".json", ".ndjson")) for suffix in path.suffixes)
    if not text.lstrip(b"\xff\xfe").startswith((b"{", b"[")):
        if path.suffix.lower() == ".json" and AN_OBJECT.search(text[:2000]):
            return "json"  # whose reader says what stands before it
        return "jsonl" if ".jsonl" in path.suffixes and text else "delimited"
    compact = text.lstrip(b"\xff\xfe").translate(None, b" \t\r\n")
    if not names_json and not compact.startswith((b'{"', b"{}", b"[{", b"[[", b'["', b"[]")):
        return "delimited"
    first, _, rest = text.partition(b"\n")
    if text.lstrip(b"\xff\xfe").startswith(b"["):
        is_table = compact[1:2] not in b"[{" and first.rstrip().endswith(b"]")
        return "jsonl" if is_table and rest.lstrip().startswith(b"[") else "json"
    if first.strip() == b"{":
        return "json"  # an object over several lines, whatever the file is called
    return "jsonl" if ".jsonl" in path.suffixes or _is_whole(first, rest) else "json"


def _is_whole(first: bytes, rest: bytes) -> bool:
    """Whether the first line is a value of its own, and another follows."""
    return first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")
