"""Who may call the judge's API, how much and how often."""

import time
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from annotation.selectors.judge_links import Claim, claim_of_token

MAX_BODY = 64 * 1024
LINK_ENDED = _("This personal link is not valid any more.")
_SCHEME = "Judge "


class JudgeTokenAuthentication(BaseAuthentication):
    """``Authorization: Judge <token>``, the token of the personal link. A session is no way in."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Claim] | None:
        """Return what the token claims as the request's ``auth``; its rows are read when needed."""
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header.startswith(_SCHEME):
            return None
        claim = claim_of_token(header.removeprefix(_SCHEME))
        if claim is None:
            raise AuthenticationFailed(LINK_ENDED)
        return AnonymousUser(), claim

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 -- the framework's signature
        """Return the scheme, which makes the refusal a 401."""
        return _SCHEME.strip()


class IsJudge(BasePermission):
    """Only judges."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 -- the framework's signature
        """Return whether a judge calls."""
        return isinstance(request.auth, Claim)


class JudgeThrottle(BaseThrottle):
    """A bucket for each judge and process: more than any hand can press, too few for a flood."""

    capacity = 200.0
    refill_per_second = 30.0
    # Judges unseen for as long as a bucket takes to fill are as good as new.
    max_buckets = 10_000
    _buckets: dict[int, tuple[float, float]] = {}

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 -- the framework's signature
        """Take one from the judge's bucket; refuse when it is empty."""
        now = time.monotonic()
        judge = request.auth.judge if isinstance(request.auth, Claim) else 0
        if len(self._buckets) > self.max_buckets:
            self._buckets.clear()
        level, since = self._buckets.get(judge, (self.capacity, now))
        level = min(self.capacity, level + (now - since) * self.refill_per_second)
        self._buckets[judge] = (max(level - 1, 0.0), now)
        return level >= 1

    def wait(self) -> float:
        """Return the seconds until the bucket holds one again."""
        return 1.0


class TooLarge(APIException):
    """The body is larger than any answer."""

    status_code = 413
    default_detail = _("This is larger than an answer may be (64 kB).")
    default_code = "too_large"


def refuse_large_body(request: Request) -> None:
    """Raise TooLarge before the body is read."""
    length: Any = request.META.get("CONTENT_LENGTH") or 0
    if int(length) > MAX_BODY:
        raise TooLarge
