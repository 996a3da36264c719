"""Passwords: chosen for a new account, or changed."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _


class ChoosePasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # not generic at run time
    """The first password of an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- Django's signature
        super().__init__(*args, **kwargs)
        _say_rules(self)
        self.fields["new_password1"].label = _("Password")
        self.fields["new_password2"].label = _("The same password again")


class ChangePasswordForm(PasswordChangeForm):
    """Another password for one's own account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- Django's signature
        super().__init__(*args, **kwargs)
        _say_rules(self)
        self.fields["old_password"].label = _("Your password until now")
        self.fields["new_password1"].label = _("New password")
        self.fields["new_password2"].label = _("The new password again")


def _say_rules(form: forms.Form) -> None:
    # Plain sentences instead of Django's list, which does not fit into a paragraph.
    form.fields["new_password1"].help_text = " ".join(password_validators_help_texts())
    form.fields["new_password2"].help_text = ""
