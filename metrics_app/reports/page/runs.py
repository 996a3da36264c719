"""What differs between two runs, as lines of a table."""

from dataclasses import dataclass

from metrics_app.reports.page.numbers import number, signed
from metrics_app.reports.runs import RunComparison

MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One number before and after."""

    list_name: str
    place: str
    first: str
    second: str
    difference: str


def change_lines(compared: RunComparison) -> list[ChangeLine]:
    """Return the changes in words; of very many, the first of each list's largest."""
    return [
        ChangeLine(
            list_name=change.list_name.capitalize(),
            place=", ".join(change.place).replace("_", " "),
            first=_number(change.first),
            second=_number(change.second),
            difference="–" if change.difference is None else signed(change.difference, 4),
        )
        for change in compared.changes[:MOST_SHOWN]
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else number(value, 4)
