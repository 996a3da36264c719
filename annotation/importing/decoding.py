"""From bytes to text: encodings, newlines, and whether the bytes are what they claim."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.letters import likeliest_encoding
from annotation.importing.newlines import Newlines
from annotation.importing.reading import Limits, ReadOptions
from annotation.importing.reading_share import note_opened, note_text

BLOCK = 1 << 20
SAMPLE = 1 << 18
FEWEST_NULS = 4
# Bytes that stand in no text, whatever its encoding; some files use 1, 30 or 31 as delimiters.
CONTROLS, MOST_CONTROLS = bytes([*range(2, 9), *range(14, 30)]), 0.02
PACKED: tuple[tuple[bytes, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", lzma.open),
)
BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32 LE with byte order mark"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32 BE with byte order mark"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with byte order mark"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16 LE with byte order mark"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16 BE with byte order mark"),
)
# What UTF-8 looks like after it was read as Windows-1252 and written as UTF-8 again.
TWICE_ENCODED = re.compile(
    "\u00e2\u20ac|\u00c3[\u0080-\u00bf\u2018-\u203a\u0152-\u017e\u0192\u02c6\u02dc]|\u00c2\u00a0"
)


# Letters beyond the basic plane in two halves, each as if it were one: what Java and Oracle write.
HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
UTF_8 = frozenset({"utf-8", "utf-8-sig"})
JAPANESE_SHIFTS = (b"\x1b$B", b"\x1b$@")


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass over the bytes of a text file has shown."""

    encoding: str
    label: str
    errors: str
    newline: str
    has_quotes: bool
    findings: tuple[Finding, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is faultless UTF-8, with or without a mark, and lines end as usual."""
        is_utf8 = self.encoding in UTF_8 and self.errors == "strict"
        return is_utf8 and self.newline in {"LF", "CRLF", "CRLF and LF"}


@contextmanager
def open_bytes(path: Path, limits: Limits) -> Iterator[BinaryIO]:
    """Open a plain or packed file for reading bytes; a damaged one is a typed error."""
    with path.open("rb") as plain:
        note_opened(path, plain)
        head = plain.read(6)
        plain.seek(0)
        unpack = next((way for magic, way in PACKED if head.startswith(magic)), None)
        if unpack is None:
            yield plain
            return
        with unpack(plain) as packed:
            guarded = _Guarded(packed, path.stat().st_size, limits)
            yield cast("BinaryIO", io.BufferedReader(guarded, BLOCK))


class _Guarded(io.RawIOBase):
    """Unpack no further than the limits allow, and turn damage into a typed error."""

    def __init__(self, source: BinaryIO, n_packed: int, limits: Limits) -> None:
        self._source = source
        self._most = min(limits.size, max(10_000_000, limits.ratio * n_packed))
        self._n_read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # narrower than the base
        try:
            block = self._source.read(len(buffer))
        except EOFError as error:
            raise UnreadableFile("truncated_file", "The packed file ends too early.") from error
        except (OSError, zlib.error, lzma.LZMAError) as error:
            raise UnreadableFile("damaged_file", "The packed file is damaged.") from error
        self._n_read += len(block)
        if self._n_read > self._most:
            raise UnreadableFile("too_large", f"The file unpacks to over {self._most:,} bytes.")
        buffer[: len(block)] = block
        return len(block)


@contextmanager
def open_text(path: Path, survey: Survey, limits: Limits) -> Iterator[io.TextIOWrapper]:
    """Open a surveyed file as text, newlines untouched."""
    with open_bytes(path, limits) as stream:
        note_text()
        yield io.TextIOWrapper(stream, survey.encoding, survey.errors, newline="")


def survey_text(path: Path, options: ReadOptions) -> Survey:
    """Pass once over the bytes: which encoding, which newlines, which faults.

    A byte order mark decides; then strict UTF-8; then the letters are weighed.
    """
    size = path.stat().st_size
    if size > options.limits.size:
        raise UnreadableFile("too_large", f"The file has {size:,} bytes.")
    with open_bytes(path, options.limits) as stream:
        head = stream.read(SAMPLE)
    encoding, label, guessed = _claimed(head, options)
    scan = _scan(path, encoding, options.limits)
    findings: list[Finding] = []
    errors = "strict"
    if scan.bad_line and (options.encoding or guessed or encoding != "utf-8"):
        findings.append(_bad_bytes(label, scan))
        errors = "replace"
    elif scan.bad_line:
        encoding, label, errors, found = _weigh(path, scan, options)
        findings += found
    elif guessed:
        findings.append(finding("encoding_guessed", f"The encoding was taken to be {label}."))
    if TWICE_ENCODED.search((scan.bad_sample or head).decode(encoding, "replace")):
        findings.append(
            finding("double_encoding_suspected", "Some letters seem to have been encoded twice.")
        )
    return Survey(encoding, label, errors, scan.newlines.kinds, scan.has_quotes, tuple(findings))


def _claimed(head: bytes, options: ReadOptions) -> tuple[str, str, bool]:
    """Return codec, label, and whether it is a guess."""
    if options.encoding:
        try:
            codecs.lookup(options.encoding)
        except LookupError as error:
            raise UnreadableFile(
                "bad_encoding", f"There is no encoding {options.encoding!r}."
            ) from error
        return options.encoding, options.encoding, False
    for mark, codec, label in BOMS:
        if head.startswith(mark):
            return codec, label, False
    if found := _without_mark(head):
        return *found, True
    if any(shift in head for shift in JAPANESE_SHIFTS):
        return "iso2022_jp", "ISO-2022-JP", True
    return "utf-8", "UTF-8", False


def _without_mark(head: bytes) -> tuple[str, str] | None:
    """Return codec and label of bytes that are wide letters though no mark says so."""
    for codec, label in (("utf-32-le", "UTF-32 LE"), ("utf-32-be", "UTF-32 BE")):
        if _is_utf32(head, codec):
            return codec, label
    for codec, label, odd in (("utf-16-le", "UTF-16 LE", 1), ("utf-16-be", "UTF-16 BE", 0)):
        if _is_utf16(head, codec, odd):
            return codec, label
    return None


def _is_utf32(head: bytes, codec: str) -> bool:
    """Whether bytes without a mark are UTF-32: hardly any others are signs when read so."""
    try:
        text = head[: len(head) // 4 * 4].decode(codec)
    except UnicodeDecodeError:
        return False
    return "\n" in text or "\r" in text


def _is_utf16(head: bytes, codec: str, odd: int) -> bool:
    """Whether bytes without a mark are UTF-16.

    The upper bytes of digits, delimiters and newlines are NUL, also where all words are Chinese.
    """
    n_upper, n_lower = head[odd::2].count(0), head[1 - odd :: 2].count(0)
    if n_upper < max(FEWEST_NULS, 0.01 * len(head)) or n_lower > 0.1 * n_upper:
        return False
    text = head[: len(head) // 4 * 4].decode(codec, "replace")
    return text.count("\ufffd") <= 1 and ("\n" in text or "\r" in text)


@dataclass(slots=True)
class _Scan:
    bad_line: int = 0
    bad_byte: int = 0
    bad_at: int = 0  # bytes before the bad one
    bad_sample: bytes = b""
    n_read: int = 0
    newlines: Newlines = field(default_factory=Newlines)
    has_quotes: bool = False


def _scan(path: Path, encoding: str, limits: Limits) -> _Scan:
    scan = _Scan()
    decoder = codecs.getincrementaldecoder(encoding)()
    since_newline = 0
    # ASCII is faultless in UTF-8, unless it follows the first bytes of a longer letter.
    is_utf8 = encoding in UTF_8
    with open_bytes(path, limits) as stream:
        while block := stream.read(BLOCK):
            is_fine = is_utf8 and block.isascii() and not decoder.getstate()[0]
            if not (scan.bad_line or is_fine):
                _try_block(decoder, block, scan)
            scan.n_read += len(block)
            scan.has_quotes = scan.has_quotes or b'"' in block
            since_newline = 0 if scan.newlines.add(block) else since_newline + len(block)
            if since_newline > limits.line:
                raise UnreadableFile("too_large", f"A line has over {limits.line:,} bytes.")
    if not scan.bad_line:
        _try_block(decoder, b"", scan, final=True)
    if scan.bad_line:
        scan.bad_sample = _around(path, scan.bad_at, limits)
    return scan


def _around(path: Path, position: int, limits: Limits) -> bytes:
    """Return the bytes before and after a position."""
    left = max(0, position - SAMPLE)
    with open_bytes(path, limits) as stream:
        while left:
            left -= len(stream.read(min(left, BLOCK))) or left
        return stream.read(2 * SAMPLE)


def _try_block(
    decoder: codecs.IncrementalDecoder, block: bytes, scan: _Scan, *, final: bool = False
) -> None:
    try:
        decoder.decode(block, final)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        data = getattr(error, "object", block) or block
        scan.bad_line = scan.newlines.n_lf + data.count(b"\n", 0, start) + 1
        scan.bad_byte = data[start] if start < len(data) else 0
        # The decoder may have held back the first bytes of a letter from the block before.
        scan.bad_at = scan.n_read - (len(data) - len(block)) + start


def _bad_bytes(label: str, scan: _Scan) -> Finding:
    return finding(
        "bad_encoding",
        f"The bytes are not valid {label}.",
        line=scan.bad_line,
        value=f"byte 0x{scan.bad_byte:02X}",
    )


def _weigh(path: Path, scan: _Scan, options: ReadOptions) -> tuple[str, str, str, list[Finding]]:
    """Decide between UTF-8 with a few broken bytes and another encoding altogether."""
    text = scan.bad_sample.decode("utf-8", "surrogateescape")
    n_bad = sum("\udc80" <= letter <= "\udcff" for letter in text)
    n_good = sum(letter > "\x7f" for letter in text) - n_bad
    n_bad -= 6 * len(HALVES.findall(scan.bad_sample))  # which are nothing but a kind of UTF-8
    if n_good >= n_bad:
        found = finding(
            "undecodable_bytes" if options.bad_bytes == "ask" else "bad_bytes_replaced",
            "Most of the text is UTF-8, but some bytes are not.",
            line=scan.bad_line,
            value=f"byte 0x{scan.bad_byte:02X}",
        )
        return "utf-8", "UTF-8 with bad bytes", "replace", [found]
    n_controls = len(scan.bad_sample) - len(scan.bad_sample.translate(None, CONTROLS))
    if n_controls > MOST_CONTROLS * len(scan.bad_sample):
        raise UnreadableFile("not_a_table", "The file is no text.")
    codec = likeliest_encoding(scan.bad_sample)
    if _scan(path, codec, options.limits).bad_line:
        raise UnreadableFile("bad_encoding", "No encoding fits the bytes of this file.")
    label = "Windows-1252" if codec == "cp1252" else codec
    said = finding(
        "encoding_guessed",
        f"The file is not UTF-8; the encoding was taken to be {label}.",
        line=scan.bad_line,
        value=f"byte 0x{scan.bad_byte:02X}",
    )
    return codec, label, "strict", [said]
