"""How the log of a study is told: a sentence for each kind of event."""

from django import template
from django.utils.translation import gettext, gettext_lazy

from annotation.enums import StudyState
from annotation.models import StudyEvent

register = template.Library()

_SENTENCES = {
    "created": gettext_lazy("The study was made."),
    "outputs_loaded": gettext_lazy("Outputs were loaded from {file}."),
    "ratings_loaded": gettext_lazy("Ratings were loaded from {file}."),
    "outputs_undone": gettext_lazy("The outputs of {file} were taken out again."),
    "ratings_undone": gettext_lazy("The ratings of {file} were taken out again."),
    "judge_excluded": gettext_lazy("{judge} was excluded."),
    "judge_readmitted": gettext_lazy("{judge} was readmitted."),
    "places_reopened": gettext_lazy("The places of {judge} were opened again."),
    "judge_withdrew": gettext_lazy("A judge withdrew, and took their ratings along."),
    "model_judge_added": gettext_lazy("{judge} was added: the model {model}."),
    "system_names_seen": gettext_lazy("An owner looked at the names of systems."),
    "results_seen": gettext_lazy("An owner looked at ratings and results."),
    "exclusion_rules_set": gettext_lazy("The rules of exclusion were set."),
    "exclusion_rules_changed": gettext_lazy("The rules of exclusion were changed."),
    "member_added": gettext_lazy("{user} was added as {role}."),
    "member_invited": gettext_lazy("{user} was invited as {role}."),
    "member_invited_again": gettext_lazy("{user} was invited again; the old link is void."),
    "member_role_changed": gettext_lazy("{user} was {before} and is {role} now."),
    "member_removed": gettext_lazy("{user} is no longer a member."),
    "export_requested": gettext_lazy("An export was asked for: {format}."),
    "export_written": gettext_lazy("An export was written: {format}."),
    "export_downloaded": gettext_lazy("An export was downloaded: {format}."),
}
# By whether systems, and whether results, are hidden from then on.
_HIDDEN = {
    (False, False): gettext_lazy("Nothing is hidden until the closing any more."),
    (True, False): gettext_lazy("The names of systems are hidden until the closing."),
    (False, True): gettext_lazy("Ratings and results are hidden until the closing."),
    (True, True): gettext_lazy(
        "The names of systems, ratings and results are hidden until the closing."
    ),
}
_STATES = {
    StudyState.DRAFT: gettext_lazy("The study is a draft again."),
    StudyState.PILOT: gettext_lazy("The pilot began."),
    StudyState.OPEN: gettext_lazy("The study was opened."),
    StudyState.PAUSED: gettext_lazy("The study was paused."),
    StudyState.CLOSED: gettext_lazy("The study was closed."),
    StudyState.FROZEN: gettext_lazy("The study was frozen."),
}


@register.filter
def what_happened(event: StudyEvent) -> str:
    """Return what an event was, in a sentence; a kind without one is told by its name."""
    if event.kind == "state":
        return str(_STATES[StudyState(event.detail["to"])])
    if event.kind == "blinding":
        return str(_HIDDEN[event.detail["systems hidden"], event.detail["results hidden"]])
    sentence = str(_SENTENCES.get(event.kind, ""))
    # Loads by a service, without a file, and older events lack a detail.
    known = {"file": gettext("a file"), "judge": gettext("A judge"), "model": "?", "format": "?"}
    return sentence.format_map(known | event.detail) or event.kind.replace("_", " ")
