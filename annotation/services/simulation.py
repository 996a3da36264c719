"""Simulated judges: they draw places as people do and answer from a seed, marked as simulated."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.design.choices import LETTERS
from annotation.enums import (
    COMPARED,
    DimensionKind,
    GroupKind,
    ScaleKind,
    StudyState,
    UnitKind,
)
from annotation.models import (
    Assignment,
    Dimension,
    Fact,
    Judge,
    JudgeGroup,
    Rating,
    Study,
    Visit,
)
from annotation.selectors.judging import asked_dimensions
from annotation.selectors.units import asked_of
from annotation.services.choices import store_ranks
from annotation.services.judges import add_judge
from annotation.services.places import draw

# Two outputs whose levels differ by less look the same to a simulated judge who may say so.
JUST_NOTICEABLE = 0.05


@dataclass(frozen=True, slots=True)
class Crowd:
    """A model of a group of judges, on a scale stretched to 0 (lowest) .. 1 (highest).

    A judge's answer is the system's quality, plus what is particular to the output (shared by all
    judges), plus the judge's severity, plus noise; it is cut to the points of the scale.
    """

    n_judges: int
    quality: Mapping[str, float] = field(default_factory=dict)
    output_sd: float = 0.12
    severity_sd: float = 0.05
    noise_sd: float = 0.12
    max_outputs: int | None = None


def rehearse(study: Study, *, seed: int, at: datetime, n_judges: int | None = None) -> list[Judge]:
    """Let simulated judges fill the places of every group of people, to see a study whole.

    Parameters
    ----------
    study : Study
        Open, or in its pilot, and judged by nobody yet.
    n_judges : int or None
        Judges in each group; None for as many as judge one output.

    Raises
    ------
    ValidationError
        Where the study takes no answers now, or holds answers that are not simulated.
    """
    if study.state not in {StudyState.PILOT, StudyState.OPEN}:
        raise ValidationError(
            f"The study is {study.get_state_display().lower()}: nobody can judge. Open it first."
        )
    if Assignment.objects.filter(unit__study=study, judge__is_simulated=False).exists():
        raise ValidationError(
            "People judge here, and simulated answers would mix with theirs. Try a copy: a new "
            "study that begins with this one."
        )
    if n_judges is not None and n_judges < 1:
        raise ValidationError("There is no study without a judge: say how many.")
    rng = random.Random(seed)  # noqa: S311 -- a simulation, not a secret
    keys = study.systems.order_by("position").values_list("key", flat=True)
    quality = {key: rng.uniform(0.2, 0.9) for key in keys}
    return [
        judge
        for group in study.groups.filter(is_observed=False)
        .exclude(kind=GroupKind.MODEL)
        .order_by("pk")
        for judge in simulate_group(
            group,
            Crowd(n_judges=n_judges or group.judges_per_unit, quality=quality),
            seed=seed,
            at=at,
        )
    ]


def simulate_group(group: JudgeGroup, crowd: Crowd, *, seed: int, at: datetime) -> list[Judge]:
    """Add simulated judges to a group and let them rate, in turns, while places are left.

    Judges take turns, so that each gets about the same share. Of outputs compared they choose the
    one they would rate highest, and the one they would rate lowest.
    """
    rng = random.Random(seed)  # noqa: S311 -- a simulation, not a secret
    judges = [add_judge(group, at=at) for _ in range(crowd.n_judges)]
    Judge.objects.filter(pk__in=[judge.pk for judge in judges]).update(
        is_simulated=True, instructed_at=at
    )
    severity = {judge.pk: rng.gauss(0, crowd.severity_sd) for judge in judges}
    dimensions = list(asked_dimensions(group.study_id))
    working, n_rated, moment = list(judges), 0, at
    while working and (crowd.max_outputs is None or n_rated < crowd.max_outputs):
        judge = working.pop(0)
        places = draw(judge, at=moment)
        for place in places:
            moment += timedelta(seconds=rng.randint(8, 40))
            answers = _Answers(crowd, seed=seed, severity=severity[judge.pk], rng=rng)
            answers.give(place, dimensions, at=moment)
        n_rated += len(places)
        if places:
            working.append(judge)
    return judges


@dataclass(slots=True)
class _Answers:
    crowd: Crowd
    seed: int
    severity: float
    rng: random.Random

    @transaction.atomic
    def give(self, place: Assignment, dimensions: Sequence[Dimension], *, at: datetime) -> None:
        """Answer every dimension of one place and hand it in."""
        asked = asked_of(place.unit.kind, dimensions)
        if place.unit.kind == UnitKind.SINGLE:
            self._rate(place, asked, at=at)
        else:
            self._compare(place, asked, at=at)
        for phase in {dimension.phase_id: dimension.phase for dimension in asked}.values():
            seconds = self.rng.randint(5, 30)
            Visit.objects.create(
                assignment=place,
                phase=phase,
                position=place.position or 0,
                opened_at=at - timedelta(seconds=seconds),
                closed_at=at,
                wall_ms=seconds * 1000,
                visible_ms=seconds * 1000,
                active_ms=seconds * 900,
            )
        Assignment.objects.filter(pk=place.pk).update(submitted_at=at)

    def _rate(self, place: Assignment, asked: Sequence[Dimension], *, at: datetime) -> None:
        system = place.unit.system.key if place.unit.system else ""
        level = self._level(system, f"{self.seed}/{place.unit_id}")
        Rating.objects.bulk_create(
            Rating(assignment=place, dimension=dimension, fact=fact, value=value, rated_at=at)
            for dimension in asked
            for fact in self._facts(place, dimension)
            if (value := self._value(dimension, level)) is not None
        )

    def _compare(self, place: Assignment, asked: Sequence[Dimension], *, at: datetime) -> None:
        members = place.unit.unit_members.select_related("output_version__output__system")
        levels = [
            self._level(version.output.system.key, f"{self.seed}/version/{version.pk}")
            for version in (member.output_version for member in members)
        ]
        for dimension in asked:
            if dimension.kind in COMPARED:
                seen = [level + self.rng.gauss(0, self.crowd.noise_sd) for level in levels]
                code = _choice(seen, allows_tie=dimension.allows_tie)
                store_ranks(
                    Rating.objects.create(
                        assignment=place, dimension=dimension, text=code, rated_at=at
                    )
                )

    def _level(self, system: str, output: str) -> float:
        """Return how good an output is to all judges."""
        shared = random.Random(output)  # noqa: S311 -- a simulation
        return self.crowd.quality.get(system, 0.5) + shared.gauss(0, self.crowd.output_sd)

    def _facts(self, place: Assignment, dimension: Dimension) -> list[Fact] | list[None]:
        if dimension.kind == DimensionKind.FACTS:
            return list(place.unit.item.facts.all())
        return [None]

    def _value(self, dimension: Dimension, level: float) -> float | None:
        if dimension.scale is None:
            return None
        answer = level + self.severity + self.rng.gauss(0, self.crowd.noise_sd)
        share = min(max(answer, 0.0), 1.0)
        if dimension.scale.kind == ScaleKind.RANGE:
            low, high = dimension.scale.minimum or 0.0, dimension.scale.maximum or 1.0
            step = dimension.scale.step or 1.0
            return low + round(share * (high - low) / step) * step
        points = sorted(point.value for point in dimension.scale.points.all())
        return points[min(int(share * len(points)), len(points) - 1)]


def _choice(seen: Sequence[float], *, allows_tie: bool) -> str:
    """Return which output is best and which worst, or that the two are too close to tell."""
    if allows_tie and abs(seen[0] - seen[1]) < JUST_NOTICEABLE:
        return "A=B"
    return f"{LETTERS[seen.index(max(seen))]}>{LETTERS[seen.index(min(seen))]}"
