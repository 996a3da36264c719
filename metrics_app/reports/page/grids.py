"""Grids of shares: judge by judge, and experts' points by the crowd's."""

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, share
from metrics_app.reports.page.reading import Reading


def judge_pairs_block(reading: Reading) -> Block | None:
    """Return how often every two judges of the group looked at gave the same value."""
    place = {"dimension": reading.dimension, "group": reading.group}
    found = {frozenset(row["judges"]): row for row in reading.rows("judge_pairs", **place)}
    judges = list(dict.fromkeys(judge for row in found.values() for judge in row["judges"]))
    if len(judges) < 3:
        return None
    rows = tuple(
        (
            judge,
            tuple(
                Cell("")
                if judge == other
                else share(
                    found[pair]["exact_agreement"]
                    if (pair := frozenset((judge, other))) in found
                    else None
                )
                for other in judges
            ),
        )
        for judge in judges
    )
    return Block(
        anchor="judge-pairs",
        title="Judge by judge",
        finding=_extremes([(sorted(pair), row["exact_agreement"]) for pair, row in found.items()]),
        tables=(PlainTable("Equal ratings of two judges, %", ("Judge", *judges), rows),),
        note=(
            "On the outputs that both judged; a dash where they share none. Kappa and the mean "
            "difference of each pair are in the table to download."
        ),
        files="judge_pairs",
    )


def _extremes(pairs: list[tuple[list[str], float]]) -> str:
    (most, high), (least, low) = (
        max(pairs, key=lambda pair: pair[1]),
        min(pairs, key=lambda pair: pair[1]),
    )
    return (
        f"{most[0]} and {most[1]} gave the same value most often ({100 * high:.0f} %), "
        f"{least[0]} and {least[1]} least ({100 * low:.0f} %)."
    )


def confusion_block(reading: Reading) -> Block | None:
    """Return where the crowd's answers fall for each point that experts chose."""
    rows = reading.rows("confusion", dimension=reading.dimension)
    if not rows:
        return None
    grid = {tuple(row["points"]): row for row in rows}
    points = sorted({row["points"][0] for row in rows})
    experts, crowd = (reading.label(group) for group in rows[0]["groups"])
    table = PlainTable(
        f"Of the outputs that {experts.lower()} gave a point, % by the point of {crowd.lower()}",
        (f"{experts} / {crowd}", *(f"{point:g}" for point in points)),
        tuple(
            (f"{one:g}", tuple(share(grid[one, other]["share_of_first"]) for other in points))
            for one in points
        ),
    )
    same = sum(grid[point, point]["share"] for point in points)
    return Block(
        anchor="confusion",
        title="Point by point",
        finding=(
            f"On {reading.dimension_label.lower()}, an expert and a crowd judge give the same "
            f"point {100 * same:.0f} times in 100."
        ),
        tables=(table,),
        note=(
            f"{rows[0]['n_outputs']:,} outputs that both groups judged, each weighing 1: every "
            "expert’s answer is paired with every crowd judge’s."
        ),
        files="confusion bias",
    )
