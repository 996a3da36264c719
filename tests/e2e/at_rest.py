"""How many requests the server works on: a database is emptied only when none is left."""

import threading
import time

from django.core.signals import request_finished, request_started
from django.test.client import ClientHandler

PATIENCE = 30  # seconds


class RequestsAtWork:
    """Counts the requests of the live server that have begun and not ended."""

    def __init__(self):
        self._n = 0
        self._changed = threading.Condition()

    def __enter__(self):
        request_started.connect(self._begin)
        request_finished.connect(self._end)
        return self

    def __exit__(self, *_):
        request_started.disconnect(self._begin)
        request_finished.disconnect(self._end)

    def wait_for_none(self):
        """Return when no request is at work; fail where one never ends."""
        until = time.monotonic() + PATIENCE
        with self._changed:
            while self._n > 0:
                assert self._changed.wait(until - time.monotonic()), f"{self._n} never ended"

    def _begin(self, sender, **_):
        self._count(sender, 1)

    def _end(self, sender, **_):
        self._count(sender, -1)

    def _count(self, sender, by):
        if sender is ClientHandler:  # a test's own calls end before it does
            return
        with self._changed:
            self._n += by
            self._changed.notify_all()
