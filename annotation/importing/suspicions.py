"""What looks wrong in a text though it may be right: marks left over, personal data."""

import re
from collections.abc import Iterator

MARKUP = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9]{0,15}(\s[^<>]{0,200})?/?>"  # HTML, XML, span marks, <unk>, <pad>, <s>
    r"|<\|[\w ]{1,30}\|>"  # <|endoftext|>
    r"|\[(UNK|PAD|CLS|SEP|MASK|BOS|EOS|INST|/INST)\]"
    r"|&(amp|lt|gt|quot|nbsp|apos|#\d{2,5}|#x[0-9a-fA-F]{2,5});"
    r"|\x1b\[[\d;]{0,20}[A-Za-z]"  # colours of a terminal
    r"|\w@@(?= |$)|[\u2581\u0120]\w"  # pieces of subword vocabularies
)
MARKUP_SIGNS = re.compile(r"[<\[&@\x1b\u2581\u0120]")
EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{2,63}){1,4}\b")
PHONE = re.compile(
    r"(?<![\w.])(\+\d{1,3}[ \-.]?)?(\(\d{2,4}\) ?|\d{2,4}[ \-.])\d{3,4}[ \-.]\d{4}(?!\w)"
)
CARD = re.compile(r"\b(?:\d{4}[ -]){3}\d{4}\b")
INSURED = re.compile(r"\b\d{3}-\d{2}-\d{4}\b")
NUMBERS = (
    (PHONE, "a telephone number"),
    (CARD, "a card number"),
    (INSURED, "a social security number"),
)
LOST = "\N{REPLACEMENT CHARACTER}"
GROUPS_OF_DIGITS = re.compile(r"\d[ \-.]\d{4}")


# Without any of these, and without groups of digits, there is nothing to say of a text.
ANY_SIGN = re.compile(r"[\x00\x1b<\[&@\u2581\u0120\ufffd\ud800-\udfff]")


# What spreadsheets make of identifiers: 2-Jan, Mar-04, 2024-01-02T00:00:00, 1.23457E+15, #REF!,
# ="007", ##### (a column too narrow for its numbers).
OF_SPREADSHEET = re.compile(
    r"\d{1,2}-[A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{2}|\d{4}-\d\d-\d\dT00:00:00|\d\.\d+E\+\d\d"
    r"|#(REF|NAME|VALUE|DIV/0|NUM|NULL|N/A)[!?]?|=\"[^\"]*\"|#{3,}"
)
# Signs that are not seen and part no letters: zero-width spaces, marks of direction, soft hyphens.
INVISIBLE = re.compile("[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def without_invisible(name: str) -> str:
    """Return a name without the signs that nobody sees, which keep equal names apart."""
    return name if name.isascii() else INVISIBLE.sub("", name)


def markup(text: str) -> str:
    """Return the first mark that seems left over from a program, or nothing."""
    if not MARKUP_SIGNS.search(text):
        return ""
    found = MARKUP.search(text)
    return found[0] if found else ""


def personal_data(text: str) -> tuple[str, str]:
    """Return what kind of personal data the text seems to hold, and the place; or nothing."""
    # Most texts hold neither sign; the patterns proper are ten times as dear as this look.
    if "@" in text and (found := EMAIL.search(text)):
        return "an e-mail address", found[0]
    if GROUPS_OF_DIGITS.search(text):
        for pattern, name in NUMBERS:
            if found := pattern.search(text):
                return name, found[0]
    return "", ""


def bad_character(text: str) -> str:
    """Return the name of a character that cannot be stored as text, or nothing."""
    if "\x00" in text:
        return "a NUL character"
    if text.isascii():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair"
    return ""


def oddities(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, reason and place of every mark and all personal data that a text holds."""
    if fault := bad_character(text):
        yield "bad_character", f"It holds {fault}.", ""
    if mark := markup(text):
        yield "markup_left", "The text holds marks.", mark
    if LOST in text:
        at = text.index(LOST)
        reason = "Letters were lost before: a sign stands in their place."
        yield "replacement_signs", reason, text[max(0, at - 20) : at + 21]
    what, where = personal_data(text)
    if what:
        yield "personal_data", f"The text seems to hold {what}.", where
