"""Numbers as people read them: equal decimals, a true minus, a dash with its reason."""

from dataclasses import dataclass

from metrics_app.stats.undefined import explain

MINUS = "\N{MINUS SIGN}"
Interval = tuple[float, float] | list[float]


@dataclass(frozen=True, slots=True)
class Shown:
    """A number and its interval as text; ``reason`` says why there is a dash instead."""

    text: str
    interval: str = ""
    reason: str = ""


def number(value: float, digits: int = 2) -> str:
    """Return the value with a true minus; what rounds to zero has none."""
    text = f"{value:,.{digits}f}"
    is_zero = not text.strip("-0.,")
    return text.lstrip("-") if is_zero else text.replace("-", MINUS)


def signed(value: float, digits: int = 2) -> str:
    """Return a difference with its sign."""
    text = number(value, digits)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"


def interval(bounds: Interval | None, digits: int = 2, *, is_difference: bool = False) -> str:
    """Return an interval in brackets, or nothing where there is none."""
    if bounds is None:
        return ""
    write = signed if is_difference else number
    return f"[{write(bounds[0], digits)}, {write(bounds[1], digits)}]"


def shown(
    value: float | None, bounds: Interval | None = None, *, digits: int = 2, reason: str | None = ""
) -> Shown:
    """Return a number with its interval, or a dash with the sentence of its reason code."""
    if value is None:
        return Shown("–", reason=explain(reason) if reason else "It was not computed.")
    return Shown(number(value, digits), interval(bounds, digits))


def p_value(p: float | None) -> str:
    """Return a p-value with three decimals at most, never as a bare zero."""
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def percent(share: float | None) -> str:
    """Return a share as whole per cent."""
    return "–" if share is None else f"{100 * share:.0f}"


def count(n: int) -> str:
    """Return a whole number with thousands set apart."""
    return f"{n:,}"


def duration(seconds: float) -> str:
    """Return a length of time in the unit that reads best: 40 s, 12 min, 3 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.0f} h"
