"""Members of a study: who comes in, and with which role."""

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.enums import Role

# What each role may do, in a line.
MAY = {
    Role.OWNER: _("sets up and runs the study, invites judges and members, reads and exports all"),
    Role.RESEARCHER: _("reads and exports ratings, computes metrics and reports"),
    Role.MONITOR: _("sees how far the study is; no ratings, no results"),
}


class MemberForm(forms.Form):
    """Somebody who is to be a member."""

    name = forms.CharField(
        label=_("User name or e-mail address"),
        max_length=150,
        help_text=_("Who has no account yet gets one, by a link that you pass on."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Role.choices,
        initial=Role.RESEARCHER,
        help_text=format_lazy(
            "{}: {}. {}: {}. {}: {}.", *(part for role in MAY for part in (role.label, MAY[role]))
        ),
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(choices=Role.choices)
