"""The words that the judge's script says, in the judge's language."""

from django.utils.translation import gettext as _


def script_words() -> dict[str, str]:
    """Return the script's messages; ``{n}`` and the like are filled in by the script."""
    return {
        "heading_one": _("Output {first} of {total}"),
        "heading_compared": _("Comparison {first} of {total}"),
        "heading_many": _("Outputs {first} to {last} of {total}"),
        "minutes_left": _("about {n} min left"),
        "progress": _("{done} of {total} finished"),
        "saved": _("Saved"),
        "saving": _("Saving"),
        "offline": _("Offline – {n} waiting"),
        "busy": _("Server busy – {n} waiting"),
        "failed": _("Not saved"),
        "no_next": _("The next page comes as soon as the connection is back."),
        "stale": _("This answer was changed in another window. The newer answer is shown."),
        "link_ended": _(
            "This link no longer works. Your answers are kept on this device; "
            "ask the person who invited you for a new link."
        ),
        "refused": _("An answer was not stored: {detail}"),
        "missing": _("Not answered yet: {names}"),
        "blank": _("Not answered yet"),
        "answered": _("{name}: {answer}"),
        "cleared": _("{name}: no answer"),
        "undone": _("Undone. {message}"),
        "nothing_to_undo": _("Nothing to undo."),
        "elsewhere": _("You went on in another tab."),
        "elsewhere_act": _("Continue here"),
        "paused": _("Paused – press any key or tap"),
        "found": _("{n} of {total}"),
        "not_found": _("Not found"),
        "marked": _("Marked {n} times in the text."),
        "not_marked": _("None of its words stand in the text."),
        "preference_lost": _("This setting could not be stored; it holds on this page only."),
        "dismiss": _("Dismiss"),
        "late": _(
            "The time for this page had run out and another judge has it now. "
            "Your answers are stored all the same."
        ),
    }


def page_heading(first: int, last: int, total: int, *, is_comparison: bool = False) -> str:
    """Return the heading of a page, as the script words it for the next ones."""
    words = script_words()
    heading = words["heading_one"] if first == last else words["heading_many"]
    if is_comparison:
        heading = words["heading_compared"]
    return heading.format(first=first, last=last, total=total)
