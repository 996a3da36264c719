"""The whole report page as one value that a template only has to write down."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics_app.reports.page.agreement import (
    AgreementTable,
    CellLine,
    agreement_tables,
    cell_lines,
)
from metrics_app.reports.page.agreement_tables import more_agreement_tables
from metrics_app.reports.page.blocks import Block, BlockMaker, PlainTable
from metrics_app.reports.page.calibration import calibration_block
from metrics_app.reports.page.distributions import Legend, distribution_panels
from metrics_app.reports.page.exclusions import exclusions_block
from metrics_app.reports.page.facts import facts_block
from metrics_app.reports.page.grids import confusion_block, judge_pairs_block
from metrics_app.reports.page.judges import (
    DisputedOutput,
    JudgesTable,
    disputed_outputs,
    judges_table,
)
from metrics_app.reports.page.methods import methods_pieces, methods_text
from metrics_app.reports.page.methods_conduct import Piece
from metrics_app.reports.page.metric_pairs import metric_pairs_block
from metrics_app.reports.page.metrics import MetricsBlock, metrics_block
from metrics_app.reports.page.models import head_to_head_block, models_block
from metrics_app.reports.page.numbers import count, duration
from metrics_app.reports.page.prediction import prediction_block
from metrics_app.reports.page.preference import preference_block
from metrics_app.reports.page.ranking import RankingTable, ranking_table
from metrics_app.reports.page.reading import Reading
from metrics_app.reports.page.sides import SidesBlock, sides_block
from metrics_app.reports.page.words import (
    agreement_words,
    best_system,
    certainty,
    distribution_words,
    metrics_words,
    sides_words,
)
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.writers.latex import latex_table

BLOCKS: tuple[BlockMaker, ...] = (
    preference_block,
    head_to_head_block,
    facts_block,
    confusion_block,
    judge_pairs_block,
    calibration_block,
    models_block,
    metric_pairs_block,
    prediction_block,
    exclusions_block,
)


@dataclass(frozen=True, slots=True)
class Words:
    """One finding a part."""

    lede: str
    certainty: str
    distributions: str
    agreement: str
    sides: str
    metrics: str


@dataclass(frozen=True)
class Page:
    """Everything the template writes down."""

    reading: Reading
    words: Words
    figures: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    distributions: tuple[Legend, ...]
    agreement: tuple[AgreementTable, ...]
    cells: tuple[CellLine, ...]
    more_agreement: tuple[PlainTable, ...]
    ranking: RankingTable | None
    sides: SidesBlock | None
    metrics: MetricsBlock | None
    judges: JudgesTable | None
    disputed: tuple[DisputedOutput, ...]
    blocks: tuple[Block, ...]
    methods: tuple[Piece, ...]

    @cached_property
    def latex(self) -> dict[str, str]:
        """The tables of the page in LaTeX, by the part that they stand in."""
        reading = self.reading
        printed = printed_tables(reading.report, group=reading.group)
        tables = {table.name: table for table in printed}
        names = {
            "ranking": f"ranking-{reading.dimension}",
            "means": f"means-{reading.group}",
            "agreement": f"agreement-{reading.group}",
            "sides": "experts-crowd",
            "metrics": "correlation-system-kendall-tau-b",
        }
        return {part: latex_table(tables[name]) for part, name in names.items() if name in tables}

    @property
    def methods_text(self) -> str:
        """The methods paragraph as plain text."""
        return methods_text(self.methods)

    @property
    def seconds_on_request(self) -> str:
        """How long what waits to be asked for takes, in words."""
        return duration(self.reading.seconds_on_request)


def report_page(report: Mapping[str, Any], *, dimension: str = "", group: str = "") -> Page:
    """Return the page of a stored report.

    Parameters
    ----------
    report : mapping
        ``report.json`` as plain values.
    dimension, group : str
        What is looked at; an unknown name counts as none.
    """
    reading = Reading(report, dimension, group)
    ranking = ranking_table(reading)
    blocks = tuple(block for make in BLOCKS if (block := make(reading)) is not None)
    is_of_blocks = not reading.dimensions and blocks
    return Page(
        reading=reading,
        words=Words(
            lede=blocks[0].finding if is_of_blocks else best_system(reading, ranking),
            certainty=certainty(reading),
            distributions=distribution_words(reading),
            agreement=agreement_words(reading),
            sides=sides_words(reading),
            metrics=metrics_words(reading),
        ),
        figures=tuple(_figures(reading)),
        notes=tuple(row["text"] for row in report["findings"]),
        distributions=tuple(distribution_panels(reading)),
        agreement=tuple(agreement_tables(reading)),
        cells=tuple(cell_lines(reading)),
        more_agreement=tuple(more_agreement_tables(reading)),
        ranking=ranking,
        sides=sides_block(reading),
        metrics=metrics_block(reading),
        judges=judges_table(reading),
        disputed=tuple(disputed_outputs(reading)),
        blocks=blocks,
        methods=tuple(methods_pieces(reading)),
    )


def _figures(reading: Reading) -> list[tuple[str, str]]:
    overview = reading.overview
    judges = [(reading.label(group), count(n)) for group, n in overview["n_judges"].items()]
    n_comparisons = overview.get("n_comparisons", 0)
    is_rated = overview["n_ratings"] or overview["n_missing"] or not n_comparisons
    ratings = [
        ("Ratings", count(overview["n_ratings"])),
        ("Missing", count(overview["n_missing"])),
    ]
    comparing = overview.get("n_judges_comparing")  # reports of earlier versions do not say
    comparisons = [
        *([("Judges comparing", count(comparing))] if comparing else []),
        ("Comparisons", count(n_comparisons)),
    ]
    return [
        ("Items", count(overview["n_items"])),
        ("Systems", count(overview["n_systems"])),
        ("Outputs", count(overview["n_outputs"])),
        *[(f"{label}, judges", n) for label, n in judges],
        *(ratings if is_rated else []),
        *(comparisons if n_comparisons else []),
        ("Left out", count(sum(overview["n_left_out"].values()))),
        *([("Metrics", count(overview["n_metrics"]))] if overview["n_metrics"] else []),
    ]
