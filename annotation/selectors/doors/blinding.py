"""What researchers do not see before a study is closed: the systems' names, and results."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.utils.crypto import salted_hmac

from annotation.design.blinding import neutral_names
from annotation.enums import StudyState
from annotation.models import Study, StudyEvent, System

OVER = frozenset({StudyState.CLOSED, StudyState.FROZEN})
# The kinds of events that say who looked behind the blinding.
SYSTEMS_SEEN, RESULTS_SEEN = "system_names_seen", "results_seen"


@dataclass(frozen=True, slots=True)
class BlindingRow:
    """The rule of a study, whether it holds now, and who looked behind it.

    Attributes
    ----------
    hides_systems, hides_results : bool
        The rule, which holds until the study is closed.
    is_over : bool
        The study is closed or frozen: nothing is hidden any more.
    looks : tuple of (moment, what, reason)
        Every look behind the blinding before that; moments are ISO 8601.
    """

    hides_systems: bool
    hides_results: bool
    is_over: bool
    looks: tuple[tuple[str, str, str], ...]

    @property
    def is_blind(self) -> bool:
        """Whether systems bear neutral names now."""
        return self.hides_systems and not self.is_over


def blinding_of(study_id: int) -> BlindingRow:
    """Return the blinding of a study."""
    study = Study.objects.only("state", "hides_systems", "hides_results").get(pk=study_id)
    looks = StudyEvent.objects.filter(study=study_id, kind__in=[SYSTEMS_SEEN, RESULTS_SEEN])
    return BlindingRow(
        hides_systems=study.hides_systems,
        hides_results=study.hides_results,
        is_over=study.state in OVER,
        looks=tuple(
            (at.isoformat(), kind, reason)
            for at, kind, reason in looks.order_by("pk").values_list("at", "kind", "reason")
        ),
    )


def system_names(study_id: int) -> dict[str, str]:
    """Return what each system is called in everything that leaves the study.

    Its own name or, while the study is blind, a neutral one. The order of the neutral names rests
    on the installation's secret key; it changes when a system is added.
    """
    systems = System.objects.filter(study=study_id).order_by("position", "pk")
    rows = list(systems.values_list("key", "study__hides_systems", "study__state"))
    keys = [key for key, _, _ in rows]
    if not any(hides and state not in OVER for _, hides, state in rows):
        return {key: key for key in keys}
    secret = salted_hmac("annotation.blinding", str(study_id), algorithm="sha256").hexdigest()
    return neutral_names(keys, secret)


def may_see_results(user: User | AnonymousUser, study_id: int) -> bool:
    """Return whether results and ratings are open to the user now.

    They are, unless the study hides them until it is closed and the user has not looked behind
    that, which is logged.
    """
    study = Study.objects.only("state", "hides_results").get(pk=study_id)
    if not study.hides_results or study.state in OVER:
        return True
    if not user.is_authenticated:
        return False
    return StudyEvent.objects.filter(study=study_id, kind=RESULTS_SEEN, actor=user).exists()
