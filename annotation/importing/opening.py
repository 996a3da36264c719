"""Which reader a file needs: told by its first bytes, not by its name."""

from collections.abc import Callable
from pathlib import Path

from annotation.importing.decoding import open_bytes
from annotation.importing.delimited import read_delimited
from annotation.importing.findings import UnreadableFile
from annotation.importing.json_records import read_json, read_json_lines
from annotation.importing.reading import Reading, ReadOptions
from annotation.importing.rows import Kind

Reader = Callable[[Path, ReadOptions], Reading]

READERS: dict[str, Reader] = {
    "delimited": read_delimited,
    "json": read_json,
    "jsonl": read_json_lines,
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
)
WEB_PAGE = (b"<!doctype html", b"<html", b"<?xml", b"<head", b"<body")


def read(
    path: Path,
    *,
    kind: Kind,  # noqa: ARG001  # formats that hold several things need it
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
    options = options or ReadOptions()
    if not path.exists():
        raise UnreadableFile("empty_file", f"There is no file {path.name}.")
    name = options.format or detect_format(path, options)
    if name not in READERS:
        raise UnreadableFile("not_a_table", f"There is no reader for {name!r}.")
    return READERS[name](path, options)


def detect_format(path: Path, options: ReadOptions) -> str:
    """Return the name of the reader a file needs."""
    with open_bytes(path, options.limits) as stream:
        head = stream.read(1 << 16)
    for magic, what in FOREIGN:
        if head.startswith(magic):
            raise UnreadableFile("not_a_table", f"The file is {what}.")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.lower().startswith(WEB_PAGE):
        raise UnreadableFile("not_a_table", "The file is a web page, perhaps an error message.")
    return _text_format(text.replace(b"\x00", b""), path)


def _text_format(text: bytes, path: Path) -> str:
    names_json = any(suffix.startswith((".json", ".ndjson")) for suffix in path.suffixes)
    if not text.lstrip(b"\xff\xfe").startswith((b"{", b"[")):
        return "jsonl" if ".jsonl" in path.suffixes and text else "delimited"
    compact = text.lstrip(b"\xff\xfe").translate(None, b" \t\r\n")
    if not names_json and not compact.startswith((b'{"', b"{}", b"[{", b"[[", b'["', b"[]")):
        return "delimited"
    if text.lstrip(b"\xff\xfe").startswith(b"["):
        return "json"
    first, _, rest = text.partition(b"\n")
    return "jsonl" if ".jsonl" in path.suffixes or _is_whole(first, rest) else "json"


def _is_whole(first: bytes, rest: bytes) -> bool:
    """Whether the first line is a value of its own."""
    return first.rstrip().endswith(b"}") and rest.lstrip()[:1] in (b"{", b"")
