"""What a metric is: what it takes, what it returns, and how it says what it did."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from metrics_app.metrics.folders import FOLDERS, name_of_folder

Direction = Literal["higher", "lower", "none"]
Need = Literal["reference", "source", "prior"]
Policy = Literal["none", "joint", "each", "mean", "best", "jackknife", "set_union"]


@dataclass(frozen=True, slots=True)
class Example:
    """One output and the texts of its item.

    Attributes
    ----------
    output : str
        The text to be scored.
    references : tuple of str
        Human texts for the item, in order.
    sources : tuple of str
        What the output was made from; several where an item has several (reviews, say).
    priors : tuple of str
        Prior references: what the reader has seen before.
    """

    output: str
    references: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    priors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("references", "sources", "priors"):
            if isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a sequence of texts, not one text")

    def texts(self, need: Need) -> tuple[str, ...]:
        """Return the texts of the item that serve a need."""
        return {"reference": self.references, "source": self.sources, "prior": self.priors}[need]


@dataclass(frozen=True, slots=True)
class Undefined:
    """No score, and why: a code of `metrics_app.stats.undefined` and perhaps a detail."""

    reason: str
    detail: str = ""


Score = float | Undefined
Batch = Sequence[Example]


@dataclass(frozen=True)
class Metric:
    """An automatic metric with its parameters chosen.

    Attributes
    ----------
    key : str
        Registered name, for example ``rouge1``.
    label : str
        Name in a table, for example ``ROUGE-1``.
    family : str
        The module of `metrics_app.metrics.families` it comes from.
    score : callable
        Takes a batch and this metric, returns one score per example, in order.
    corpus : callable or None
        Where the metric has one: the score of all outputs of a system at once, from counts added
        up over them, which is not the mean of their scores.
    fit : callable or None
        Where a score depends on the whole set of texts, as IDF weights do: takes this metric and
        all examples, returns the metric with what the set gave, named in its signature.
    direction : {"higher", "lower", "none"}
        Which values are better; ``none`` where it only describes.
    needs : tuple of {"reference", "source", "prior"}
        Texts without which an example has no score.
    params : mapping
        Every parameter with its value, in a fixed order.
    choices : mapping
        Admissible values of the parameters that have a closed list.
    policy, policies : str, tuple of str
        How several references make one score, and what the metric can do.
    libraries : tuple of str
        Distributions whose version changes the score.
    cost : float
        Rough seconds for one output of 60 words and one reference, on one core.
    source : str
        Publication or program that defines it.
    extra : str
        What must be installed or configured first; empty where it is in the box.
    targets : str
        Dimension that it is meant to measure, where it names one.
    """

    key: str
    label: str
    family: str
    score: Callable[[Batch, "Metric"], list[Score]]
    corpus: Callable[[Batch, "Metric"], Score] | None = None
    fit: "Callable[[Metric, Batch], Metric] | None" = None
    direction: Direction = "higher"
    needs: tuple[Need, ...] = ("reference",)
    params: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    policy: Policy = "none"
    policies: tuple[Policy, ...] = ()
    libraries: tuple[str, ...] = ()
    cost: float = 1e-4
    source: str = ""
    extra: str = ""
    targets: str = ""

    def fitted(self, batch: Batch) -> "Metric":
        """Return the metric as the whole set of examples makes it; itself, for most metrics."""
        return self.fit(self, batch) if self.fit else self

    @property
    def variant(self) -> str:
        """Return what sets this one apart from its sisters of the same key, in short."""
        return ",".join(str(value) for value in self.params.values() if value not in ("", None))

    @property
    def signature(self) -> str:
        """Return ``metric|parameters|library:version|refs:policy``: what repeats the score."""
        parts = [self.key, *(f"{name}:{_said(name, value)}" for name, value in self.params.items())]
        parts += [f"{name}:{_version(name)}" for name in self.libraries]
        parts.append(f"refs:{self.policy}")
        return "|".join(parts)

    def configure(self, *, policy: Policy | None = None, **params: Any) -> "Metric":  # noqa: ANN401 -- each metric has its own
        """Return the metric with other parameters.

        Raises
        ------
        ValueError
            Where the metric has no such parameter, value or policy.
        """
        for name, value in params.items():
            if name not in self.params:
                known = ", ".join(self.params) or "none"
                raise ValueError(f"{self.key} has no parameter {name!r}; it has: {known}")
            if name in self.choices and value not in self.choices[name]:
                listed = ", ".join(map(repr, self.choices[name]))
                raise ValueError(f"{self.key}: {name} must be one of {listed}, not {value!r}")
        if policy is not None and policy not in self.policies:
            listed = ", ".join(self.policies) or "none"
            raise ValueError(f"{self.key}: reference policy must be one of {listed}")
        return replace(self, params={**self.params, **params}, policy=policy or self.policy)


def _said(name: str, value: object) -> str:
    # Of a folder only its name, since a signature is printed in papers, and what tells it apart.
    if name in FOLDERS and isinstance(value, str) and value:
        return name_of_folder(value)
    return _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return "none" if value in (None, "") else str(value)


@cache
def _version(distribution: str) -> str:
    # Every score of a run is hashed with its signature, and looking a version up reads a file.
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"
