"""Forms of a study's set-up."""

from dataclasses import replace

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.enums import GroupKind, JudgeKind, StudyState
from annotation.models import JudgeGroup, Study
from annotation.services.presets import PRESETS
from annotation.services.protocol import Protocol


class NewStudyForm(forms.Form):
    """A new study: its title, its address, and the protocol it begins with."""

    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=80,
        help_text=_("Letters, digits and hyphens; it stands in addresses and commands."),
    )
    preset = forms.ChoiceField(
        label=_("Begin with"), choices=[(key, label) for key, (label, _) in PRESETS.items()]
    )

    comparisons_per_item = forms.IntegerField(
        label=_("Comparisons of each item"),
        required=False,
        min_value=1,
        max_value=1_000,
        help_text=_("Only where outputs are compared. Left empty: all pairs, or one set."),
    )

    def protocol(self) -> Protocol:
        """Return the protocol chosen, with the comparisons that are wanted."""
        protocol = PRESETS[self.cleaned_data["preset"]][1]
        wanted = self.cleaned_data["comparisons_per_item"]
        if wanted is None:
            return protocol
        said = {"pairs_per_item": wanted, "sets_per_item": wanted}
        return replace(protocol, settings={**protocol.settings, **said})

    def clean_slug(self) -> str:
        """Refuse a short name that another study has."""
        slug: str = self.cleaned_data["slug"]
        if Study.objects.filter(slug=slug).exists():
            raise ValidationError(
                _("There is a study named %(slug)s already."), params={"slug": slug}
            )
        return slug


class StateForm(forms.Form):
    """The next state of a study, and why."""

    state = forms.ChoiceField(choices=StudyState.choices)
    reason = forms.CharField(required=False, max_length=500)


class JudgeForm(forms.Form):
    """Judges to be invited to a group."""

    group = forms.ModelChoiceField(label=_("Group"), queryset=JudgeGroup.objects.none())
    n_judges = forms.IntegerField(label=_("How many"), min_value=1, max_value=500, initial=1)
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (JudgeKind.PERSON, JudgeKind.PERSON.label),
            (JudgeKind.JOINT, JudgeKind.JOINT.label),
        ],
        initial=JudgeKind.PERSON,
    )
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=200,
        help_text=_("Only administrators see it."),
    )

    def __init__(self, data: QueryDict | None = None, *, study: Study) -> None:
        super().__init__(data)
        group = self.fields["group"]
        if isinstance(group, forms.ModelChoiceField):
            group.queryset = study.groups.order_by("pk")


class GroupForm(forms.Form):
    """A group of judges with its k."""

    key = forms.SlugField(label=_("Short name"), max_length=60)
    name = forms.CharField(label=_("Name"), max_length=100)
    kind = forms.ChoiceField(label=_("Kind"), choices=GroupKind.choices)
    judges_per_unit = forms.IntegerField(
        label=_("Judges per output"), min_value=1, max_value=100, initial=3
    )


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(label=_("Reason"), max_length=200)
    reopens_places = forms.BooleanField(required=False)
