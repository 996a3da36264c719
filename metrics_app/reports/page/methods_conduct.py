"""Sentences of the methods paragraph on how ratings were collected."""

from collections.abc import Iterator
from dataclasses import dataclass

from metrics_app.reports.findings import LOOKS
from metrics_app.reports.page.numbers import count, duration
from metrics_app.reports.page.reading import Reading
from metrics_app.reports.page.words import listed

_LAYOUTS = {
    "one_output": "one output at a time",
    "page": "a page of outputs at a time",
    "item": "the outputs of all systems for an item at a time",
    "batch": "a fixed batch of items at a time",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words; with an anchor they are a number of that part of the page."""

    text: str
    anchor: str = ""


def period(reading: Reading) -> Iterator[Piece]:
    """Yield when ratings were given, where they were given here."""
    conduct = reading.overview.get("conduct")
    if not conduct or not conduct["first_on"]:
        return
    first, last = conduct["first_on"], conduct["last_on"]
    yield Piece(" on " if first == last else " between ")
    yield Piece(first if first == last else f"{first} and {last}", "agreement")


def presentation(reading: Reading) -> Iterator[Piece]:
    """Yield what judges saw, in what order, and what they read before."""
    yield Piece("Judges were recruited by [say how, and what language they had to know]. ")
    conduct = reading.overview.get("conduct")
    if not conduct or not conduct["first_on"]:
        yield Piece("Outputs were shown [say how, and in what order]. ")
        return
    passes = (
        "one dimension a pass" if conduct["one_dimension_per_pass"] else "all dimensions together"
    )
    yield Piece(f"They saw {_LAYOUTS.get(conduct['layout'], conduct['layout'])}, {passes}, ")
    yield Piece("in an order drawn for each judge")
    if conduct["shuffles_dimensions"]:
        yield Piece(", the dimensions in an own order too")
    if conduct["source_once_per_judge"]:
        yield Piece(", and met each source once at most")
    yield Piece("; names of systems and ratings of others were hidden from them. ")
    yield from _training(conduct["n_instruction_words"], conduct["n_examples"])
    if conduct["repeat_percent"]:
        yield Piece(f"{conduct['repeat_percent']}% of the outputs were shown to them again. ")


def _training(n_words: int, n_examples: int) -> Iterator[Piece]:
    read = [f"instructions of {count(n_words)} words"] if n_words else []
    examples = "worked example" if n_examples == 1 else "worked examples"
    read += [f"{n_examples} {examples}"] if n_examples else []
    if read:
        yield Piece(f"Before, they were shown {listed(read)}. ")


def blinding(reading: Reading) -> Iterator[Piece]:
    """Yield what was hidden from researchers, and who looked."""
    found = reading.overview.get("blinding")
    if not found:
        return
    rules = (("hides_systems", "the names of systems"), ("hides_results", "ratings and results"))
    hidden = [words for rule, words in rules if found[rule]]
    if hidden:
        yield Piece(f"Until the study was closed, {listed(hidden)} were hidden from researchers. ")
    for moment, what, reason in found["looks"]:
        words = LOOKS.get(what, what)
        yield Piece(f"On {moment[:10]}, before that, an owner looked at {words} ({reason}). ")


def excluded_judges(reading: Reading) -> Iterator[Piece]:
    """Yield how many of all judges are out."""
    conduct = reading.overview.get("conduct")
    if not conduct:
        return
    n_out = sum(conduct["n_excluded"].values())
    if n_out:
        anchor = "exclusions" if reading.rows("exclusions") else ""
        yield Piece(count(n_out), anchor)
        yield Piece(
            " judges were excluded or withdrew. "
            if n_out > 1
            else " judge was excluded or withdrew. "
        )


def exclusion_rules(reading: Reading) -> Iterator[Piece]:
    """Yield the rules, their later changes, and who was excluded under one."""
    found = reading.overview.get("exclusion_rules")
    if not found:
        return
    if found["rules"]:
        rules = "; ".join(found["rules"])
        fixed = "as changed later" if found["changes"] else "fixed before the first rating"
        yield Piece(f"Rules for the exclusion of judges, {fixed}: {rules}. ")
    for moment, before, _, reason in found["changes"]:
        yield Piece(f"On {moment[:10]} these rules were changed ({reason}); before: {before}. ")
    for judge, _, reason in found["excluded"]:
        yield Piece(f"{judge} was excluded ({reason}). ")


def effort(reading: Reading) -> Iterator[Piece]:
    """Yield the median active time on an output, and the pay, which is not known here."""
    conduct = reading.overview.get("conduct")
    seconds = conduct["median_seconds"] if conduct else {}
    for place, (group, median) in enumerate(seconds.items()):
        yield Piece("The median active time on an output was " if place == 0 else ", ")
        yield Piece(duration(median), "judges")
        yield Piece(f" ({reading.label(group).lower()})")
    if seconds:
        yield Piece(". ")
    yield Piece("Pay was [say how much an hour]. ")
