"""A door before the server: a database is emptied only while nobody is inside and it is shut."""

import threading
import time

from django.core.signals import request_finished, request_started
from django.test.client import ClientHandler

PATIENCE = 30  # seconds


class Door:
    """Counts the live server's requests at work; shut, it turns away those that come late.

    A browser that is sent elsewhere or closed may leave a request in a socket that the server
    reads only later: waiting for the requests begun is not enough, the late ones must not begin.
    """

    def __init__(self):
        self._inside = 0
        self._is_open = True
        self._changed = threading.Condition()

    def __enter__(self):
        request_started.connect(self._enter)
        request_finished.connect(self._leave)
        return self

    def __exit__(self, *_):
        request_started.disconnect(self._enter)
        request_finished.disconnect(self._leave)

    def open(self):
        with self._changed:
            self._is_open = True

    def shut(self):
        """Let nobody in from now on and return when all have left; fail where one never does."""
        until = time.monotonic() + PATIENCE
        with self._changed:
            self._is_open = False
            while self._inside > 0:
                left = until - time.monotonic()
                assert self._changed.wait(left), f"{self._inside} never ended"

    def _enter(self, sender, **_):
        if sender is ClientHandler:  # a test's own calls end before it does
            return
        with self._changed:
            if not self._is_open:
                raise ConnectionAbortedError("The test that asked for this page has ended.")
            self._inside += 1

    def _leave(self, sender, **_):
        if sender is ClientHandler:
            return
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()
