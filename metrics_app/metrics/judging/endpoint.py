"""An OpenAI-compatible endpoint: asked politely, again where it may help, and never for ever."""

import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from metrics_app.metrics.judging.transport import FAULTS, asked_pause, fetched, said

ATTEMPTS = 5
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# What may be over in a moment; everything else is for a person to mend.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class EndpointDownError(RuntimeError):
    """The endpoint did not answer, or answered nonsense, as often as it was asked."""


class EndpointRefusalError(RuntimeError):
    """The endpoint does not take such requests: a wrong key, model or parameter."""


class StoppedError(RuntimeError):
    """Whoever asked does not want the answer any more."""


class Pace:
    """At most so many requests a minute, over all threads; 0 is as fast as answers come."""

    def __init__(self, per_minute: float) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self, stop: threading.Event) -> None:
        """Wait for the next turn."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._gap
        _rest(turn - time.monotonic(), stop)


@dataclass(frozen=True)
class Endpoint:
    """Where a language model answers.

    Attributes
    ----------
    url : str
        Base address, for example ``https://host/v1``.
    key : str
        Sent as a bearer token; never stored, shown or logged.
    timeout : float
        Seconds until a request whose answer is not whole is given up.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0
    first_pause: float = FIRST_PAUSE

    def complete(
        self, body: Mapping[str, Any], *, pace: Pace, stop: threading.Event
    ) -> tuple[dict[str, Any], int]:
        """Return the answer to a chat completion, and after how many attempts it came.

        Raises
        ------
        EndpointRefusalError, EndpointDownError, StoppedError
        """
        why = ""
        for attempt in range(1, ATTEMPTS + 1):
            pace.wait(stop)
            pause = self.first_pause * 2 ** (attempt - 1)
            try:
                return self._post("/chat/completions", body), attempt
            except urllib.error.HTTPError as fault:
                why = said(fault)
                if fault.code not in PASSING:
                    raise EndpointRefusalError(why) from fault
                pause = max(pause, asked_pause(fault))
            except FAULTS as fault:
                why = f"{type(fault).__name__}: {fault}"
            if attempt < ATTEMPTS:
                # Spread, so that many callers do not come back in the same moment.
                _rest(min(pause, LONGEST_PAUSE) * random.uniform(0.8, 1.2), stop)  # noqa: S311 -- no secret
        raise EndpointDownError(f"no answer after {ATTEMPTS} attempts ({why})")

    def what_is_wrong(self, model: str) -> str:
        """Return why the endpoint cannot be used now, found by asking for its models; or empty."""
        try:
            listed = fetched(self._request("/models"), timeout=min(self.timeout, 5.0))
        except urllib.error.HTTPError as fault:
            # Not every server lists its models; that alone is no reason.
            return "" if fault.code in {404, 405, 501} else said(fault)
        except FAULTS as fault:
            return f"It does not answer ({getattr(fault, 'reason', fault)})."
        rows = listed.get("data")
        known = rows if isinstance(rows, list) else []
        names = [str(row.get("id")) for row in known if isinstance(row, dict)]
        if names and model not in names:
            return f"It has no model {model!r}; it has {', '.join(names[:8])}."
        return ""

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = fetched(self._request(path, json.dumps(body).encode()), timeout=self.timeout)
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices:
            raise ValueError("the answer has no choices")
        if not all(isinstance(choice, dict) for choice in choices):
            raise ValueError("the answer's choices are no objects")
        return answer

    def _request(self, path: str, data: bytes | None = None) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        return urllib.request.Request(  # noqa: S310 -- the administrator's own address
            self.url.rstrip("/") + path, data=data, headers=headers
        )


def _rest(seconds: float, stop: threading.Event) -> None:
    if stop.wait(max(seconds, 0.0)) or stop.is_set():
        raise StoppedError
