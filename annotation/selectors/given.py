"""What a judge was given so far: how often which system, up to which position and draw."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Count, Max, QuerySet

from annotation.models import Assignment
from annotation.selectors.prepared import Parameter, prepared

# Judges that a process remembers; one of them takes less than a kilobyte.
MOST_JUDGES = 10_000


@dataclass
class Given:
    """The last position and draw of a judge, and how many outputs of each system they got."""

    position: int = 0
    draw: int = 0
    n_of_system: Counter[int] = field(default_factory=Counter)

    def copy(self) -> "Given":
        """Return the same, to be counted on."""
        return Given(self.position, self.draw, self.n_of_system.copy())


# What each process counted last, by judge. Positions only grow, and what was handed out stays with
# its judge, so only what came since is counted: the thousandth output costs what the first did.
_counted: dict[int, Given] = {}


def given_to(judge: int) -> Given:
    """Return what the judge with that key was given; it may be changed. Lock the judge first."""
    given = _counted.get(judge, Given()).copy()
    for system, n, position, draw in _given_since(judge, given.position):
        given.position = max(given.position, position)
        given.draw = max(given.draw, draw or 0)
        if system is not None:
            given.n_of_system[system] += n
    if len(_counted) >= MOST_JUDGES:
        _counted.clear()
    _counted[judge] = given.copy()
    return given


def forget_given() -> None:
    """Count all anew next time: for tests, whose judges share their ids."""
    _counted.clear()


@prepared
def _given_since(
    judge: Parameter, position: Parameter
) -> QuerySet[Assignment, tuple[int | None, int, int, int | None]]:
    given = Assignment.objects.filter(judge=judge, position__gt=position)
    return given.values_list("unit__system").annotate(Count("pk"), Max("position"), Max("draw"))
