"""The form of an upload."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.enums import UploadKind


class UploadForm(forms.Form):
    """A file and what it holds."""

    kind = forms.ChoiceField(label=_("What the file holds"), choices=UploadKind.choices)
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_(
            "CSV, TSV, JSON or JSON lines, also packed as .gz. Outputs: one row for each item and "
            "system. Ratings: item_id, system, judge, dimension, value."
        ),
    )
    good_rows_only = forms.BooleanField(
        label=_("Load the good rows even where others have errors"), required=False
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        """Refuse a file that is larger than this installation takes."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        limit = settings.CONCORD_MAX_UPLOAD_BYTES
        if file.size is not None and file.size > limit:
            raise ValidationError(
                _("The file has %(size)s bytes; %(limit)s are allowed here."),
                params={"size": file.size, "limit": limit},
            )
        return file
