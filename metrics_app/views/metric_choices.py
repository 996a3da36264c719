"""The metrics that the page offers, by family, with what keeps one from running here."""

from dataclasses import dataclass

from metrics_app.forms.metrics import FAMILIES
from metrics_app.metrics.contract import Metric
from metrics_app.metrics.registry import REGISTRY
from metrics_app.services.metric_setup import located, what_is_missing


@dataclass(frozen=True, slots=True)
class Choice:
    """One metric as the page offers it."""

    metric: Metric
    problem: str


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics of one family."""

    key: str
    label: str
    choices: tuple[Choice, ...]

    @property
    def is_usual(self) -> bool:
        """Whether the family is shown open: it runs anywhere."""
        return not any(choice.metric.extra for choice in self.choices) and self.key != "nouveau"


def metric_families() -> list[Family]:
    """Return every registered metric by family, in the families' order."""
    found: dict[str, list[Choice]] = {}
    for metric in REGISTRY.values():
        choice = Choice(metric, what_is_missing(located(metric)))
        found.setdefault(metric.family, []).append(choice)
    order = [key for key in FAMILIES if key in found] + [
        key for key in found if key not in FAMILIES
    ]
    return [Family(key, str(FAMILIES.get(key, key)), tuple(found[key])) for key in order]
