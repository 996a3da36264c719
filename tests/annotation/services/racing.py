"""The moves of the chaos, made by several threads at once: every interleaving is a real one."""

import contextlib
import random
import threading

from django.core.exceptions import ValidationError
from django.db import connections

from annotation.services.ratings import NotAccepting, StaleVersion
from tests.annotation.services.chaos import Chaos


class Race(Chaos):
    """Threads share judges, clock and late work, so that one judge acts in several windows."""

    def __init__(self, group, *, n_judges, seed):
        super().__init__(group, n_judges=n_judges, seed=seed)
        self.faults = []

    def run(self, n_moves, *, n_threads):
        barrier = threading.Barrier(n_threads)
        seeds = [self.rng.getrandbits(32) for _ in range(n_threads)]
        threads = [
            threading.Thread(target=self._race, args=[barrier, random.Random(seed), n_moves])  # noqa: S311 -- a simulation
            for seed in seeds
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=120)
        assert not any(thread.is_alive() for thread in threads)

    def _race(self, barrier, rng, n_moves):
        try:
            barrier.wait()
            for _ in range(n_moves):
                # Refusals are answers; a lock that fails or a row that is doubled is a fault.
                with contextlib.suppress(NotAccepting, StaleVersion, ValidationError):
                    self.move(rng.choice(self.judges))
        except Exception as fault:  # noqa: BLE001 -- a thread's fault is the test's finding
            self.faults.append(fault)
        finally:
            connections.close_all()

    def rate_late(self):
        with contextlib.suppress(IndexError):  # another thread took the last one
            super().rate_late()
