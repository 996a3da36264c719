"""Judges who come, rate, idle, return, drop out, are excluded and withdraw, in any order."""

import datetime as dt
import random
import uuid

from annotation.enums import DimensionKind, RatingSource
from annotation.models import Dimension
from annotation.selectors.units import asked_of
from annotation.services.answers import Answer
from annotation.services.hand_in import hand_in
from annotation.services.judges import exclude_judge, readmit_judge, reopen_places
from annotation.services.places import draw
from annotation.services.ratings import Change, NotAccepting, submit_rating
from annotation.services.withdrawal import stop_judging, withdraw_judge
from tests.factories import NOON, JudgeFactory


class Chaos:
    """One run: moves of many judges over a clock that jumps, from one seed."""

    def __init__(self, group, *, n_judges, seed):
        self.group = group
        self.rng = random.Random(seed)  # noqa: S311 -- a simulation
        self.now = NOON
        self.dimensions = list(Dimension.objects.filter(phase__study=group.study))
        self.judges = JudgeFactory.create_batch(n_judges, group=group)
        self.dropouts = set(self.rng.sample(self.judges, n_judges // 5))
        self.late_work = []
        self.n_out = 0

    def run(self, n_moves):
        for _ in range(n_moves):
            self.now += dt.timedelta(seconds=self.rng.randint(1, 300))
            self.move(self.rng.choice(self.judges))

    def finish(self):
        """Let the faithful judges work until nothing is left for them."""
        faithful = [judge for judge in self.judges if judge not in self.dropouts]
        for _ in range(3):
            self.now += dt.timedelta(hours=2)
            for judge in faithful:
                while self.work(judge):
                    pass

    def move(self, judge):
        chance = self.rng.random()
        if chance < 0.55:
            self.work(judge, drops=judge in self.dropouts)
        elif chance < 0.75:
            draw(judge, at=self.now)  # opens the page and idles
        elif chance < 0.85:
            self.rate_late()
        elif chance < 0.9:
            self.now += dt.timedelta(hours=2)  # every lease lapses
        elif chance < 0.94:
            stop_judging(judge)
        elif self.n_out < len(self.judges) // 6:
            self.put_out(judge)

    def work(self, judge, *, drops=False):
        """Rate what is drawn; a drop-out leaves in the middle. Return whether there was any."""
        places = draw(judge, at=self.now, n_ahead=self.rng.randint(0, 2))
        for place in places:
            self.rate(place)
            if drops and self.rng.random() < 0.5:
                self.late_work.append(place)
                return True
            hand_in(place, at=self.now)
        return bool(places)

    def rate(self, place):
        for dimension in asked_of(place.unit.kind, self.dimensions):
            self._rate_once(place, dimension)

    def _answer(self, dimension):
        if dimension.kind == DimensionKind.PAIRWISE:
            return Answer(text=self.rng.choice(["A>B", "B>A", "A=B"]))
        if dimension.kind == DimensionKind.BEST_WORST:
            return Answer(text=">".join(self.rng.sample("ABC", 2)))
        return Answer(value=float(self.rng.randint(1, 4)))

    def _rate_once(self, place, dimension):
        stored = place.ratings.filter(dimension=dimension).first()
        submit_rating(
            place,
            dimension=dimension,
            answer=self._answer(dimension),
            change=Change(
                client_uuid=uuid.uuid4(),
                source=RatingSource.KEY,
                version=stored.version if stored else 0,
            ),
            at=self.now,
        )

    def rate_late(self):
        """Go on with work whose lease may be long over; it is kept, wherever its place went."""
        if not self.late_work:
            return
        place = self.late_work.pop()
        try:
            self.rate(place)
            hand_in(place, at=self.now)
        except NotAccepting:
            pass
        except type(place).DoesNotExist:
            pass  # the judge withdrew, and the work with them

    def put_out(self, judge):
        judge.refresh_from_db()
        if judge.excluded_at or judge.withdrawn_at:
            return
        self.n_out += 1
        if self.rng.random() < 0.5:
            exclude_judge(judge, reason="a check", at=self.now)
            reopen_places(judge, at=self.now)
            if self.rng.random() < 0.3:
                readmit_judge(judge, reason="all is well", at=self.now)
        else:
            withdraw_judge(judge, at=self.now)
