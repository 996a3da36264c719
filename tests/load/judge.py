"""One judge's browser: the calls that the page makes, no more and no fewer."""

import http.client
import json
import re
import threading
import time
import uuid

from tests.load.study import DIMENSIONS

VISIT = {"phase": "rating", "opened_at": "2026-01-01T12:00:00Z", "active_ms": 1000}


class Judge(threading.Thread):
    """Rates until nothing comes, or until ``enough`` is set."""

    def __init__(self, port, token, enough):
        super().__init__(daemon=True)
        self.port, self.token, self.enough = port, token, enough
        self.connection = None
        self.n_done = self.n_faults = self.n_waits = 0
        self.took = 0.0  # seconds that the server took for the last call; no wait is in it

    def run(self):
        pages = self.next_pages()
        while pages and not self.enough.is_set():
            page = pages.pop(0)
            (handle,) = re.findall(r'data-output="([^"]+)"', page["html"])
            for dimension in DIMENSIONS:
                self.rate(handle, dimension)
            pages += self.hand_in(handle, have=[held["key"] for held in pages])
            self.n_done += 1
            self.enough.count()

    def next_pages(self):
        return self.call("GET", "next/").get("pages", [])

    def rate(self, handle, dimension, *, value=3, version=0):
        body = {"uuid": str(uuid.uuid4()), "source": "key", "value": value, "version": version}
        return self.call("PUT", f"{handle}/ratings/{dimension}/", body)

    def hand_in(self, handle, *, have):
        """Close the output and return the pages that come next."""
        body = {"visits": [VISIT], "have": have}
        return self.call("POST", f"{handle}/done/", body).get("pages", [])

    def call(self, method, path, body=None):
        """Return the answer; an empty one, counted as a fault, where the server refuses.

        A judge who is faster than the server allows waits as long as it says, and tries again.
        """
        while True:
            started = time.perf_counter()
            status, content, headers = self.request(method, path, body)
            self.took = time.perf_counter() - started
            if status != 429:
                break
            self.n_waits += 1
            time.sleep(float(headers["Retry-After"]))
        if status != 200:
            self.n_faults += 1
            return {}
        return json.loads(content)

    def request(self, method, path, body=None):
        """Send one request and return status, body and headers."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Authorization": f"Judge {self.token}", "Content-Type": "application/json"}
        self.connection.request(
            method, f"/api/judging/{path}", json.dumps(body) if body else None, headers
        )
        response = self.connection.getresponse()
        return response.status, response.read(), response.headers


class Enough(threading.Event):
    """Set once so many outputs are rated by all judges together."""

    def __init__(self, n):
        super().__init__()
        self.left, self.lock = n, threading.Lock()

    def count(self):
        with self.lock:
            self.left -= 1
            if self.left <= 0:
                self.set()
