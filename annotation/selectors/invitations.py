"""Invitations: the link by which a new account gets its password, once."""

from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode


class InvitationTokens(PasswordResetTokenGenerator):
    """Tokens that end with PASSWORD_RESET_TIMEOUT, with any other password, and by being used."""

    # A token of another purpose opens no invitation.
    key_salt = "concord.invitation"


invitation_tokens = InvitationTokens()


def invitation_path(user: User) -> str:
    """Return the path of the link by which the account is taken up."""
    named = urlsafe_base64_encode(force_bytes(user.pk))
    return f"/invitation/{named}/{invitation_tokens.make_token(user)}/"
