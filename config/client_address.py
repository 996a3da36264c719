"""Whose request it is when proxies stand in between."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the address that the outermost of our own proxies saw.

    CONCORD_PROXIES says how many of ours stand in front. Each appends what it saw to
    X-Forwarded-For; whatever stands further left was sent by the visitor and proves nothing.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    n_proxies: int = settings.CONCORD_PROXIES
    if n_proxies == 0 or len(seen) < n_proxies or not seen[-n_proxies]:
        return direct
    return seen[-n_proxies]
