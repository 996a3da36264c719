"""The findings in words: what a reader should take away, and no more than the numbers say."""

from collections.abc import Sequence

from metrics_app.reports.page.agreement import NOMINAL, ORDERED, find
from metrics_app.reports.page.metrics import best_metrics
from metrics_app.reports.page.numbers import interval, number, percent
from metrics_app.reports.page.ranking import RankingTable
from metrics_app.reports.page.reading import Reading, Row

_LEVEL = 0.05
_MOST_NAMED = 4


def listed(names: Sequence[str]) -> str:
    """Return names as people list them: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def best_system(reading: Reading, table: RankingTable | None) -> str:
    """Say which system is best on the dimension looked at, and which may be as good."""
    if table is None:
        return "There is no ranking yet."
    lines = [line for cluster in table.clusters for line in cluster.lines if not line.mean.reason]
    place = reading.label(reading.dimension).lower()
    judges = f", as the {reading.group_label.lower()} see it" if len(reading.groups) > 1 else ""
    if reading.group not in reading.overview["n_judges"]:
        judges = ", as all judges together see it"
    if len(lines) < 2:
        return f"Fewer than two systems are rated on {place}{judges}, so there is nothing to rank."
    top = lines[0]
    mean = f"{top.mean.text} {top.mean.interval}".strip()
    rivals = _not_behind(reading, top.system)
    if not rivals:
        return (
            f"On {place}{judges}, {top.system} is the best of {len(lines)} systems: its mean is "
            f"{mean}, and every other system is clearly behind."
        )
    named = listed(rivals) if len(rivals) <= _MOST_NAMED else f"{len(rivals)} others"
    are = "is" if len(rivals) == 1 else "are"
    return (
        f"On {place}{judges}, {top.system} has the highest mean of {len(lines)} systems, {mean}; "
        f"{named} {are} not clearly behind."
    )


def certainty(reading: Reading) -> str:
    """Say how sure that is: the best machine beside a human text, its rank, the agreement."""
    ranked = reading.rows("ranking", dimension=reading.dimension, group=reading.group)
    rows = [row for row in ranked if row["mean"] is not None]
    if len(rows) < 2:
        return ""
    parts = [_best_machine(reading, rows), _rank_in_draws(rows[0]), _agreement_here(reading)]
    return " ".join(part for part in parts if part)


def _agreement_here(reading: Reading) -> str:
    here = (reading.dimension, reading.group)
    found = [row for row in _headlines(reading) if (row["dimension"], row["group"]) == here]
    known = [row for row in found if row["value"] is not None]
    return f"The judges agree with an alpha of {_with_interval(known[0])}." if known else ""


def _best_machine(reading: Reading, rows: Sequence[Row]) -> str:
    human = reading.overview["human_systems"]
    machines = [row for row in rows if row["system"] not in human]
    if rows[0]["system"] not in human or not machines:
        return ""
    best = machines[0]
    mean = f"{number(best['mean'])} {interval(best['ci'])}".strip()
    return (
        f"The texts of {rows[0]['system']} are by people; of the machines {best['system']} comes "
        f"first, {mean}."
    )


def _rank_in_draws(row: Row) -> str:
    if row["rank_ci"] is None:
        return ""
    low, high = row["rank_ci"]
    where = f"is {low}" if low == high else f"lies between {low} and {high}"
    return (
        f"If other items like these {row['n_items']} had been drawn, the rank of {row['system']} "
        f"{where} in at least 95 of 100 draws."
    )


def _not_behind(reading: Reading, top: str) -> list[str]:
    """Return the systems that the corrected tests do not tell from the best one."""
    place = {"dimension": reading.dimension, "group": reading.group}
    pairs = [row for row in reading.rows("contrasts", **place) if row["systems"][0] == top]
    return [
        row["systems"][1]
        for row in pairs
        if row["p_adjusted"] is None or row["p_adjusted"] >= _LEVEL
    ]


def agreement_words(reading: Reading) -> str:
    """Say where judges agree most and least, by the headline coefficient."""
    found = [row for row in _headlines(reading) if row["value"] is not None]
    if not found:
        return "Agreement cannot be computed: no output has two ratings, or all are equal."
    most = max(found, key=lambda row: row["value"])
    least = min(found, key=lambda row: row["value"])
    if len(found) == 1:
        return f"Alpha is {_with_interval(most)}."
    return (
        f"Judges agree most on {_where(reading, most)}, where alpha is {_with_interval(most)}, and "
        f"least on {_where(reading, least)}, where it is {_with_interval(least)}."
    )


def _headlines(reading: Reading) -> list[Row]:
    rows = []
    for dimension in reading.dimensions:
        columns = NOMINAL if reading.measurement(dimension) == "nominal" else ORDERED
        _, statistic, options = columns[0]
        rows += [find(reading, dimension, group, statistic, options) for group in reading.groups]
    return [row for row in rows if row is not None]


def _where(reading: Reading, row: Row) -> str:
    dimension = reading.label(row["dimension"]).lower()
    if len(reading.groups) == 1:
        return dimension
    return f"{dimension} ({reading.label(row['group']).lower()})"


def _with_interval(row: Row) -> str:
    return f"{number(row['value'])} {interval(row['ci'])}".strip()


def distribution_words(reading: Reading) -> str:
    """Say how often the systems got a rating above the middle of the scale."""
    upper = _upper_shares(reading)
    if not upper:
        return "The dimensions are rated on a range, so there are no points to count."
    order = sorted(upper, key=upper.__getitem__, reverse=True)
    best, worst = order[0], order[-1]
    first = f"Of 100 ratings of {best}, {percent(upper[best])} are above the middle of the scale"
    return f"{first}." if best == worst else f"{first}; of {worst}, {percent(upper[worst])}."


def _upper_shares(reading: Reading) -> dict[str, float]:
    """Return by system the share of ratings above the middle, the mean over dimensions."""
    found: dict[str, list[float]] = {}
    for row in reading.rows("means", group=reading.group):
        shares = list(row["shares"].values())
        if shares and reading.measurement(row["dimension"]) != "nominal":
            upper = shares[(len(shares) + 1) // 2 :]
            found.setdefault(row["system"], []).append(sum(upper))
    return {system: sum(shares) / len(shares) for system, shares in found.items()}


def sides_words(reading: Reading) -> str:
    """Say who rates higher, experts or crowd, and on which dimensions."""
    rows = [row for row in reading.rows("bias") if row["ci"] is not None]
    if not rows:
        return "Experts and crowd share no output, so they cannot be compared."
    higher = [row for row in rows if row["ci"][0] > 0]
    lower = [row for row in rows if row["ci"][1] < 0]
    parts = [
        f"higher than the experts on {_dimensions(reading, higher)}" if higher else "",
        f"lower on {_dimensions(reading, lower)}" if lower else "",
    ]
    said = " and ".join(part for part in parts if part)
    rest = [row for row in rows if row not in higher and row not in lower]
    alike = f"the difference on {_dimensions(reading, rest)} could be zero" if rest else ""
    if not said:
        return f"The crowd rates like the experts: {alike}."
    return f"The crowd rates {said}{'; ' + alike if alike else ''}."


def _dimensions(reading: Reading, rows: Sequence[Row]) -> str:
    return listed([reading.label(row["dimension"]).lower() for row in rows])


def metrics_words(reading: Reading) -> str:
    """Say which metric follows people best within items."""
    best = best_metrics(reading)
    if not best:
        return "No correlation of a metric with people is defined."
    parts = [
        f"{metric} on {reading.label(d).lower()} ({number(value)})" for d, metric, value in best
    ]
    return f"Within items the metric closest to people is {listed(parts)}."
