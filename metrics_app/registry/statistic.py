"""What the registry knows of a statistic."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from metrics_app.stats.scales import MEASUREMENTS, Measurement, Scale

ANY: tuple[Measurement, ...] = MEASUREMENTS
ORDERED: tuple[Measurement, ...] = ("ordinal", "interval", "ratio")
METRIC: tuple[Measurement, ...] = ("interval", "ratio")


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic: how it is called, on which scales it makes sense, who published it.

    Attributes
    ----------
    name : str
        The name in results, in the API and in `python -m metrics_app.stats`.
    label : str
        The name a reader knows.
    function : callable
        Takes data first (see ``takes``); options are keyword-only.
    takes : str
        What the data are: ``ratings``, ``ratings or counts``, ``groups``, ``pairs``,
        ``differences``, ``blocks``, ``scores``, ``labels``, ...
    source : str
        The publication that defines it.
    measurements : tuple of str
        Levels of measurement on which it makes sense.
    on_range : bool
        Whether it applies to a scale without points (a slider).
    family : str
        Heading under which it is listed.
    """

    name: str
    label: str
    function: Callable[..., Any]
    takes: str
    source: str
    measurements: tuple[Measurement, ...] = ANY
    on_range: bool = True
    family: str = ""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Options by name with their defaults; ``inspect.Parameter.empty`` where one is needed."""
        return {
            name: parameter.default
            for name, parameter in inspect.signature(self.function).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }

    @property
    def is_random(self) -> bool:
        """Whether it draws, and so takes a generator ``rng``."""
        return "rng" in self.parameters

    def admits(self, scale: Scale) -> bool:
        """Return whether the statistic makes sense on the scale."""
        return scale.measurement in self.measurements and (self.on_range or not scale.is_range)

    def __call__(self, *data: Any, **options: Any) -> Any:  # noqa: ANN401 -- as the function does
        """Compute the statistic."""
        return self.function(*data, **options)
