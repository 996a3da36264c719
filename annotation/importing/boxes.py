"""Tables drawn with bars and rules: Markdown, Org, and what databases print on a screen."""

import re
from collections.abc import Iterator
from itertools import pairwise

RULE = re.compile(r"[ \t]*[|+]?[|+:=\- \t]*(---|===)[|+:=\- \t]*")
N_LINES = 4  # within which the column names stand
COUNT = re.compile(r"\(?\d+ rows?\)?( in set.*)?")
Record = tuple[int, list[str]]


def is_box(head: str) -> bool:
    """Whether among the first lines of a text is a rule beside a line with as many bars."""
    lines = head.lstrip("\ufeff").splitlines()[:N_LINES]
    return any(
        RULE.fullmatch(rule) and len(re.findall(r"[|+]", rule)) == names.count("|") > 0
        for pair in pairwise(lines)
        for rule, names in (pair, pair[::-1])
    )


def unboxed(records: Iterator[Record]) -> Iterator[Record]:
    """Yield the records without rules, without the count of rows, and without padding."""
    for line, cells in records:
        stripped = [cell.strip() for cell in cells]
        is_drawn = set("".join(stripped)) <= set("|+:=- ") and any(stripped)
        if not is_drawn and not (len(stripped) == 1 and COUNT.fullmatch(stripped[0])):
            yield line, stripped
