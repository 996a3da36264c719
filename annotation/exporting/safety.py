"""Cells that a spreadsheet would run as formulas."""

# Excel, LibreOffice and Google Sheets start a formula at these signs, the full-width ones too.
STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def neutralised(text: str) -> str:
    """Return a text, with an apostrophe before it where a spreadsheet would run it.

    A text that has apostrophes there already gets one more, so that taking one off gives any text
    back as it was.
    """
    return f"'{text}" if text.lstrip("'").startswith(STARTS) else text
