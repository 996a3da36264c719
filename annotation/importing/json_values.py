"""JSON with its numbers left as they are written, and nothing lost in silence."""

import io
import json
import re
from collections.abc import Iterator

from annotation.importing.findings import Finding, finding

ONE_LIST = "Keep one list, and take out what stands outside it."
# What Python writes for dictionaries, and JSON does not know.
PYTHON = re.compile(r"[{\[,]\s*'[^']*'\s*:|:\s*(None|True|False)\b")
OF_PYTHON = "Write it with json.dumps: JSON has double quotes, null, true and false."
OF_JSON = "Mend it: names stand in double quotes, and no comments or last commas are known to JSON."
IS_CUT = "Copy or download the file again; its end seems to be missing."
CHUNK = 1 << 18
LONGEST_VALUE = 256_000_000


class RepeatedKeyError(ValueError):
    """An object names one key twice; JSON would keep the last and drop the first."""


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the pairs of an object as a dictionary; `RepeatedKeyError` where a key comes twice."""
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RepeatedKeyError(twice)
    return record


# Numbers stay text, so that 007, 1e3 and 0.10 come through as written; NaN becomes a word.
DECODER = json.JSONDecoder(
    parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=unique
)


def parse(text: str, line: int) -> object | Finding:
    """Return the value a text writes, or what is wrong with it."""
    try:
        value: object
        value, end = DECODER.raw_decode(text)
        if end != len(text):
            DECODER.decode(text)  # which says what is wrong
    except (ValueError, RecursionError) as error:
        return broken(error, text, line)
    return value


def comma_at_end(line: int) -> Finding:
    """Return the warning for a comma after the last value, which JSON does not know."""
    return finding("extra_comma", "A comma stands where nothing follows it.", line=line)


def broken(error: Exception, text: str, line: int) -> Finding:
    """Return the finding for a text that is no JSON."""
    if isinstance(error, RepeatedKeyError):
        return finding("duplicate_json_key", f"The key {error.args[0]!r} comes twice.", line=line)
    if isinstance(error, json.JSONDecodeError):
        place = f" at character {error.colno}"
        return _bad_json(error, place, text.strip(), line + error.lineno - 1)
    return finding("bad_json", "The values are nested too deeply.", line=line)


def _bad_json(
    error: json.JSONDecodeError, place: str, value: str, line: int, mend: str = ""
) -> Finding:
    what = error.msg.removesuffix(" at")  # to which the module itself adds the place
    reason = f"This is no complete JSON value: {what}{place}."
    mend = OF_PYTHON if PYTHON.search(value) else mend
    return finding("bad_json", reason, line=line, value=value, mend=mend)


def array_entries(stream: io.TextIOBase) -> Iterator[tuple[int, object] | Finding]:
    """Yield (line, value) for the entries of a top-level array, holding one at a time."""
    window = _Window(stream)
    window.skip("[")
    while True:
        window.skip_space()
        if window.at("]"):
            if window.goes_on_with_array():
                continue
            yield from window.rest()
            return
        line = window.line
        value = window.value()
        if isinstance(value, Finding):
            yield value
            return
        yield line, value
        window.skip_space()
        if window.at(","):
            window.skip(",")
            window.skip_space()
            if window.at("]"):
                yield comma_at_end(window.line)
        elif not window.at("]"):
            reason = "The list is not closed, or two entries stand without a comma."
            yield finding("bad_json", reason, line=window.line)
            return


def values_in_a_row(stream: io.TextIOBase) -> Iterator[tuple[int, object] | Finding]:
    """Yield (line, value) for values that stand one after the other, each over any lines."""
    window = _Window(stream)
    while window.skip_space():
        line = window.line
        value = window.value()
        if isinstance(value, Finding):
            yield value
            return
        yield line, value


class _Window:
    """The part of a text that has been read but not yet understood."""

    def __init__(self, stream: io.TextIOBase) -> None:
        self._stream = stream
        self._text = ""
        self._at = 0
        self.line = 1
        self._is_over = False

    def skip_space(self) -> bool:
        """Go to the next sign; return whether there is one."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n\ufeff":
                self.line += self._text[self._at] == "\n"
                self._at += 1
            if self._at < len(self._text):
                return True
            if not self._more():
                return False

    def at(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def skip(self, sign: str) -> None:
        self.skip_space()
        self._at += self.at(sign)

    def goes_on_with_array(self) -> bool:
        """Leave an array that ends here, and enter the one that follows, if one does."""
        self.skip("]")
        follows = self.skip_space() and (self.at("[") or self.at(","))
        self.skip(",")
        self.skip("[")
        return follows

    def rest(self) -> Iterator[Finding]:
        """Yield an error if anything is left."""
        if self._at < len(self._text):
            reason = "The list ends before this, and more text follows it."
            found = self._text[self._at : self._at + 200]
            yield finding("bad_json", reason, line=self.line, value=found, mend=ONE_LIST)

    def value(self) -> object | Finding:
        """Return the next value, reading on until it is complete."""
        value: object
        while True:
            start = self._at
            try:
                value, end = DECODER.raw_decode(self._text, start)
            except (ValueError, RecursionError) as error:
                if isinstance(error, json.JSONDecodeError) and self._more():
                    continue
                return self._broken(error, getattr(error, "pos", start) - start)
            # A number at the very end of the window may go on in the next chunk.
            if end == len(self._text) and not self._text.endswith(("}", "]", '"')) and self._more():
                continue
            self.line += self._text.count("\n", self._at, end)
            self._at = end
            return value

    def _broken(self, error: Exception, n_before: int) -> Finding:
        """Return what is wrong with a value, ``n_before`` signs after its beginning."""
        rest = self._text[self._at : self._at + 200]
        if len(self._text) - self._at > LONGEST_VALUE:
            reason = "One JSON value cannot be this large; write JSON lines."
            return finding("too_large", reason, line=self.line)
        if isinstance(error, json.JSONDecodeError):
            line = self.line + self._text.count("\n", self._at, self._at + n_before)
            is_cut = error.msg.startswith("Unterminated") or error.pos >= len(self._text.rstrip())
            return _bad_json(error, "", rest, line, IS_CUT if is_cut else OF_JSON)
        return broken(error, rest, self.line)

    def _more(self) -> bool:
        """Read on, twice as far each time so that a long entry costs linear time."""
        pending = len(self._text) - self._at
        if self._is_over or pending > LONGEST_VALUE:
            return False
        block = self._stream.read(max(CHUNK, pending))
        self._is_over = not block
        self._text = self._text[self._at :] + block
        self._at = 0
        return bool(block)
