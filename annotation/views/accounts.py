"""One's own account: taken up by an invitation, and its password changed."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import (
    INTERNAL_RESET_SESSION_TOKEN,
    PasswordChangeView,
    PasswordResetConfirmView,
)
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse_lazy

from annotation.forms.accounts import ChangePasswordForm, ChoosePasswordForm
from annotation.selectors.invitations import invitation_tokens


class TakeInvitation(PasswordResetConfirmView):
    """Choose the password of a new account, and be signed in; a link does so once."""

    form_class = ChoosePasswordForm
    template_name = "annotation/invitation.html"
    token_generator = invitation_tokens
    success_url = reverse_lazy("annotation:study_list")
    post_reset_login = True
    post_reset_login_backend = "django.contrib.auth.backends.ModelBackend"

    def get_user(self, uidb64: str) -> User | None:
        """Return the account that is invited, unless an administrator has shut it."""
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 -- a form of either kind
        """Store the password, unless the link was used or withdrawn a moment ago."""
        with transaction.atomic():
            user = User.objects.select_for_update().filter(pk=form.user.pk).first()
            token = self.request.session.get(INTERNAL_RESET_SESSION_TOKEN)
            if user is None or not self.token_generator.check_token(user, token):
                self.validlink = False
                return self.render_to_response(self.get_context_data())
            return super().form_valid(form)

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:  # noqa: ANN401 -- Django's signature
        """Say by the status as well that a link opens nothing any more."""
        if not self.validlink:
            kwargs["status"] = 410
        return super().render_to_response(context, **kwargs)


class ChangePassword(PasswordChangeView):
    """Change one's own password; other browsers are signed out by it."""

    form_class = ChangePasswordForm
    template_name = "annotation/change_password.html"
    success_url = reverse_lazy("annotation:study_list")

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 -- Django's signature
        """Store the password and say so."""
        messages.success(
            self.request,
            "Your password is changed. Wherever else you were signed in, you are no longer.",
        )
        return super().form_valid(form)
