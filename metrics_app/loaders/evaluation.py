"""What every analysis starts from: the judgements and the scores of one evaluation, in columns.

It knows neither database nor file: a study and a file with the same rows give the same numbers.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.circumstances import Blinding, Conduct, ExclusionRules, Repeated
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.names import Ints, Names, Truths, joint, order_of
from metrics_app.stats.scales import Scale
from metrics_app.stats.table_checks import Coded
from metrics_app.stats.tables import RatingTable

Floats = npt.NDArray[np.float64]
_LARGEST_MULTIPLE = 2**20


@dataclass(frozen=True, eq=False)
class Judgements:
    """Ratings in columns of equal length, one row a rating.

    Attributes
    ----------
    dimension, group, judge, item, system, batch, fact : Names
        ``batch`` and ``fact`` hold the empty name where there is none. Judges of two groups never
        share a name.
    value : array of float
        Exact doubles; NaN where the judge could not or would not judge.
    at : array of float
        When it was handed in, in seconds since 1970; NaN where that is not known.
    """

    dimension: Names
    group: Names
    judge: Names
    item: Names
    system: Names
    batch: Names
    fact: Names
    value: Floats
    at: Floats

    @property
    def n_rows(self) -> int:
        """Number of ratings, the missing ones too."""
        return self.value.size

    def units(self) -> Ints:
        """Return for each rating the number of the output, or of its fact, that it is about.

        Numbers follow the names, whatever the order of systems on the page.
        """
        return joint(self.item, self.system.by_name(), self.fact.by_name())

    def in_order(self) -> "Judgements":
        """Return the rows in the order of items, systems, judges, dimensions and facts.

        Sums of doubles rest on their order: so the same ratings, from whatever file or database,
        give the same numbers to the last digit.
        """
        named = (self.system, self.judge, self.dimension, self.fact, self.group)
        return self.rows(order_of([self.item, *(column.by_name() for column in named)], self.value))

    def rows(self, kept: Truths | Ints) -> "Judgements":
        """Return some of the rows, given by their truths or their places."""
        columns = ("dimension", "group", "judge", "item", "system", "batch", "fact")
        parts = {name: getattr(self, name).part(kept) for name in columns}
        return replace(self, value=self.value[kept], at=self.at[kept], **parts)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of automatic metrics in columns of equal length, one row a score."""

    metric: Names
    item: Names
    system: Names
    value: Floats

    @classmethod
    def none(cls) -> "Scores":
        """Return the scores of no metric."""
        nobody = Names.of([])
        return cls(nobody, nobody, nobody, np.empty(0))


@dataclass(frozen=True, slots=True)
class Sides:
    """Which group of judges the experts are, and which the crowd."""

    expert: str
    crowd: str


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One evaluation as an analysis reads it.

    Attributes
    ----------
    study : str
        Its key.
    judgements : Judgements
        Valid ratings only.
    scales : mapping of dimension to Scale
        Every dimension has its declared scale.
    scores : Scores
        Automatic metrics; items and systems bear the same names as in the judgements.
    sides : Sides or None
        Experts and crowd; None where there are no such groups, or it cannot be told.
    human_systems : tuple of str
        Systems whose outputs people wrote.
    model_groups : tuple of str
        Groups whose judges are language models: never pooled with people.
    title : str
        What people call it; empty where they have no other name than the key.
    labels : mapping of key to str
        What people call dimensions and groups, where it is not their key.
    n_left_out : mapping of reason to int
        Ratings that are not valid, by reason.
    facts : mapping of (item, fact) to (predicate, weight)
        Of the facts that have any; the others have no predicate and weigh 1.
    repeats : sequence of Repeated
        Ratings of what was shown to the same judge again; they count nowhere else.
    comparisons : tuple of Comparison
        Valid answers about pairs and sets of outputs.
    lower_is_better : sequence of str
        Metrics of which less is better.
    blinding : Blinding or None
        What was hidden from researchers; None where nothing was.
    conduct : Conduct or None
        How ratings were collected; None for files.
    exclusion_rules : ExclusionRules or None
        Declared rules and excluded judges; None where there are neither.
    with_excluded : Judgements or None
        The ratings with those of excluded judges; None where there are none of these.
    """

    study: str
    judgements: Judgements
    scales: Mapping[str, Scale]
    scores: Scores = field(default_factory=Scores.none)
    sides: Sides | None = None
    human_systems: tuple[str, ...] = ()
    model_groups: tuple[str, ...] = ()
    title: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    n_left_out: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    repeats: Sequence[Repeated] = ()
    comparisons: tuple[Comparison, ...] = ()
    lower_is_better: Collection[str] = ()
    blinding: Blinding | None = None
    conduct: Conduct | None = None
    exclusion_rules: ExclusionRules | None = None
    with_excluded: Judgements | None = None

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Dimensions in order."""
        return self.judgements.dimension.keys

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups of judges in order."""
        return self.judgements.group.keys

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems in order."""
        return self.judgements.system.keys

    @property
    def systems_by_name(self) -> Ints:
        """Places of the systems in the order of their names: for draws of systems."""
        places = sorted(range(len(self.systems)), key=self.systems.__getitem__)
        return np.array(places, dtype=np.int64)

    @property
    def items(self) -> tuple[str, ...]:
        """Items in the order of their names."""
        return self.judgements.item.keys

    @property
    def metrics(self) -> tuple[str, ...]:
        """Automatic metrics in order."""
        return self.scores.metric.keys

    def select(self, dimension: str, groups: Collection[str] | None = None) -> Judgements:
        """Return the ratings of one dimension, by some groups or by all."""
        rows = self.judgements
        kept = rows.dimension.is_in([dimension])
        if groups is not None:
            kept = kept & rows.group.is_in(groups)
        return rows.rows(kept)

    def rating_table(self, dimension: str, groups: Collection[str] | None = None) -> RatingTable:
        """Return the ratings of one dimension as agreement reads them.

        A unit is one output, or one fact of an output where the dimension asks per fact.
        """
        chosen = frozenset(self.judgements.group.keys if groups is None else groups)
        key = (dimension, chosen)
        if key not in self._tables:
            self._tables[key] = self._rating_table(self.select(dimension, chosen), dimension)
        return self._tables[key]

    @cached_property
    def _tables(self) -> dict[tuple[str, frozenset[str]], RatingTable]:
        """The tables made so far: every part of a report asks for the same few."""
        return {}

    def _rating_table(self, rows: Judgements, dimension: str) -> RatingTable:
        units, unit = np.unique(rows.units(), return_inverse=True)
        return RatingTable.from_columns(
            unit=Coded(unit, units.tolist()),
            rater=rows.judge.coded(),
            value=rows.value,
            scale=self.scales[dimension],
            item=rows.item.coded(),
            system=rows.system.coded(),
            batch=rows.batch.coded(),
        )

    def human_scores(self, dimension: str, groups: Collection[str] | None = None) -> Floats:
        """Return the mean rating of each output, systems x items; NaN where there is none."""
        total, count = self._totals(dimension, groups)
        means: Floats = np.full(total.shape, np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def comparable_scores(self, dimension: str, groups: Collection[str] | None = None) -> Floats:
        """Return the outputs' mean ratings times one whole number, for correlations and ranks.

        Fifths and thirds are no binary numbers, so that two systems with the same mean would
        differ in the last bit of it. Times a multiple of all counts they are whole, and equal.
        """
        total, count = self._totals(dimension, groups)
        multiple = math.lcm(*np.unique(count[count > 0]).tolist())
        if multiple > _LARGEST_MULTIPLE:
            return self.human_scores(dimension, groups)
        whole = np.divide(multiple, count, out=np.full(count.shape, np.nan), where=count > 0)
        return np.asarray(total * whole, dtype=np.float64)

    def _totals(self, dimension: str, groups: Collection[str] | None) -> tuple[Floats, Ints]:
        """Return the sum and the number of each output's ratings, systems x items."""
        rows = self.select(dimension, groups)
        there = ~np.isnan(rows.value)
        shape = len(self.systems), len(self.items)
        cell = (rows.system.codes * shape[1] + rows.item.codes)[there]
        sums = np.bincount(cell, weights=rows.value[there], minlength=shape[0] * shape[1])
        count = np.bincount(cell, minlength=shape[0] * shape[1])
        total = np.asarray(sums.reshape(shape), dtype=np.float64)
        return total, np.asarray(count.reshape(shape), dtype=np.int64)

    def metric_scores(self, metric: str) -> Floats:
        """Return a metric's score of each output, systems x items; NaN where there is none."""
        scores = self.scores
        kept = scores.metric.codes == scores.metric.keys.index(metric)
        cells = np.full((len(self.systems), len(self.items)), np.nan)
        cells[scores.system.codes[kept], scores.item.codes[kept]] = scores.value[kept]
        return cells
