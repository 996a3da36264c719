"""Forms of a study's set-up."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from annotation.enums import GroupKind, JudgeKind, StudyState
from annotation.forms.protocol_documents import MAX_BYTES, protocol_in, read_protocol
from annotation.models import JudgeGroup, Study
from annotation.selectors.doors.protocol import protocol_of
from annotation.services.presets import PRESETS
from annotation.services.protocol import Protocol

EMPTY = "empty"
NOTHING = Protocol(scales=[], phases=[], groups=[])


class NewStudyForm(forms.Form):
    """A new study: its title, its address, and the protocol it begins with."""

    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=80,
        help_text=_("Letters, digits and hyphens; it stands in addresses and commands."),
    )
    begin_with = forms.ChoiceField(
        label=_("Begin with"),
        help_text=_("All of it can be changed until the study is opened."),
    )
    document = forms.FileField(
        label=_("Or a protocol file"),
        required=False,
        help_text=_("The protocol.json of another study; it goes before the choice above."),
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        files: "MultiValueDict[str, UploadedFile[Any]] | None" = None,
        *,
        studies: QuerySet[Study],
    ) -> None:
        super().__init__(data, files)
        self._studies = studies
        own = [(f"study:{study.slug}", study.title) for study in studies.order_by("-pk")[:200]]
        begin = self.fields["begin_with"]
        if isinstance(begin, forms.ChoiceField):
            presets = [(key, label) for key, (label, _) in PRESETS.items()]
            begin.choices = [
                (_("A published design"), presets),
                *([(_("As another study of yours"), own)] if own else []),
                (_("From nothing"), [(EMPTY, _("An empty study"))]),
            ]

    def clean_document(self) -> Protocol | None:
        """Return the protocol in the file; each of its faults is said."""
        document = self.cleaned_data["document"]
        return None if document is None else read_protocol(document.read(MAX_BYTES + 1))

    def protocol(self) -> Protocol:
        """Return the protocol chosen: of the file, of another study, or a published one."""
        document: Protocol | None = self.cleaned_data["document"]
        if document is not None:
            return document
        key = self.cleaned_data["begin_with"]
        if key.startswith("study:"):
            return protocol_in(protocol_of(self._studies.get(slug=key.removeprefix("study:")).pk))
        return NOTHING if key == EMPTY else PRESETS[key][1]

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
            # Nothing would be handed out to a person in the others.
            asked = study.groups.exclude(kind=GroupKind.MODEL)
            if study.opened_at is not None:
                asked = asked.exclude(is_observed=True)
            group.queryset = asked.order_by("pk")
            # Nothing is chosen in advance: a judge in the wrong group is hard to mend.
            group.empty_label = _("Choose a group")


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(label=_("Reason"), max_length=200)
    reopens_places = forms.BooleanField(required=False)
