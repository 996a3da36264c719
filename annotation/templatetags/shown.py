"""How a study is shown to its judges, in sentences."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.enums import Layout
from annotation.models import Study

register = template.Library()


@register.filter
def how_shown(study: Study) -> list[str]:
    """Return what a member should know of a study's layout and places, a sentence each."""
    lines = [
        _("The study is called “%(title)s”.") % {"title": study.title},
        _layout(study),
        _("The source is called “%(source)s”, what is judged “%(output)s”.")
        % {"source": study.source_title, "output": study.output_title},
    ]
    if study.one_dimension_per_pass:
        lines.append(_("One dimension comes after the other, over all outputs shown."))
    if study.shuffles_dimensions:
        lines.append(_("Each judge has the dimensions in another order."))
    if study.source_once_per_judge:
        lines.append(_("Each judge sees a source once, of one system only."))
    if study.repeat_percent:
        lines.append(
            _("Of a hundred outputs %(n)s are shown again to the same judge.")
            % {"n": study.repeat_percent}
        )
    hours, minutes = divmod(study.lease_minutes, 60)
    held = ngettext("%(n)s hour", "%(n)s hours", hours) if not minutes else _("%(n)s minutes")
    lines.append(
        _("A place is held for %(time)s; what is not finished then goes to another judge.")
        % {"time": held % {"n": study.lease_minutes if minutes else hours}}
    )
    return lines


def _layout(study: Study) -> str:
    if study.layout == Layout.PAGE:
        return _("Outputs are shown on pages of %(n)s.") % {"n": study.page_size}
    if study.layout == Layout.ITEM:
        return _("All systems of an item are shown together.")
    if study.layout == Layout.BATCH:
        return _("Fixed batches of %(n)s items come one after the other.") % {"n": study.page_size}
    return _("One output is shown at a time.")
