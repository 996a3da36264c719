"""The figures of each system of a file, and what they say about the systems."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from annotation.importing.findings import Finding, Report, SystemFigures, finding
from annotation.importing.lengths import far_off

MODULUS = 1 << 128
MOST_BITS = 64


def digests(pairs: Iterable[bytes]) -> bytes:
    """Return the digests of 16 bytes of (item, text) pairs, one after the other."""
    return b"".join([blake2b(pair, digest_size=16).digest() for pair in pairs])


class MeasuredSystems:
    """The figures of all systems met so far, in order of their appearance."""

    def __init__(self) -> None:
        self._figures: dict[str, SystemFigures] = {}

    def add(
        self,
        names: Sequence[str],
        systems: npt.NDArray[np.integer],
        lengths: npt.NDArray[np.integer],
        digested: bytes,
    ) -> None:
        """Take in a batch of outputs, fewer than 2^20 so that all sums are exact.

        Parameters
        ----------
        names : sequence of str
            The systems of the batch in order of their appearance.
        systems, lengths : arrays
            For each output the place of its system among the names, and its characters.
        digested : bytes
            Their `digests`, whose sum no order changes.
        """
        n_outputs = np.bincount(systems, minlength=len(names)).tolist()
        n_characters = np.bincount(systems, lengths, len(names)).tolist()
        quarters = np.frombuffer(digested, ">u4").reshape(-1, 4).T
        sums = np.array([np.bincount(systems, quarter, len(names)) for quarter in quarters])
        for name, *counted in zip(names, n_outputs, n_characters, sums.T.tolist(), strict=True):
            figures = self._figures.get(name) or self._figures.setdefault(name, SystemFigures())
            figures.n_outputs += counted[0]
            figures.n_characters += int(counted[1])
            figures.checksum += _total(counted[2])
        bits = np.frexp(lengths)[1]
        found, times = np.unique(systems * MOST_BITS + bits, return_counts=True)
        for pair, n in zip(found.tolist(), times.tolist(), strict=True):
            system, digits = divmod(pair, MOST_BITS)
            self._figures[names[system]].lengths[digits] += n

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say which systems have names alike or lengths far off, and hand over the figures."""
        for figures in self._figures.values():
            figures.checksum %= MODULUS
        report.systems = self._figures
        yield from self._alike_systems()
        for system, ratio in far_off(self._figures):
            yield finding(
                "length_outlier",
                f"The outputs of {system} are {ratio:.1f} times as long as those of the others.",
                value=system,
            )

    def _alike_systems(self) -> Iterator[Finding]:
        seen: dict[str, str] = {}
        for system in self._figures:
            first = seen.setdefault(" ".join(system.casefold().split()), system)
            if first != system:
                reason = f"{system} and {first} differ in letter case only."
                yield finding("systems_differ_in_case", reason, value=system)


def _total(quarters: Iterable[float]) -> int:
    """Return the sum of digests from those of their quarters of 32 bits."""
    total = 0
    for quarter in quarters:
        total = (total << 32) + int(quarter)
    return total
