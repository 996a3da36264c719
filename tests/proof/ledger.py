"""What judges were told is saved, and the judges who write it down."""

import http.client
import json
import random
import threading
import time
import uuid

from tests.load.judge import Judge

SECONDS_OF_PATIENCE = 600


class Ledger:
    """Every acknowledged answer, as its judge's side knows it."""

    def __init__(self):
        self._lock = threading.Lock()
        self.ratings, self.uuids, self.handed_in = {}, [], []
        self.n_acknowledged = self.n_tries = 0

    def acknowledge(self, key, value, client_uuid):
        with self._lock:
            self.ratings[key] = value
            self.uuids.append(client_uuid)
            self.n_acknowledged += 1

    def as_json(self):
        return json.dumps(
            {"ratings": self.ratings, "uuids": self.uuids, "handed_in": self.handed_in}
        )


class StubbornJudge(Judge):
    """Sends each answer, with its first UUID, until the server says that it is stored."""

    def __init__(self, port, token, enough, *, ledger, seed):
        super().__init__(port, token, enough)
        self.ledger = ledger
        self.rng = random.Random(seed)  # noqa: S311 -- answers, not secrets
        self.fault = None

    def run(self):
        try:
            while not self.enough.is_set():
                super().run()  # ends early when all places are leased at the moment
                time.sleep(0.2)
        except Exception as fault:  # noqa: BLE001 -- a judge's fault is the proof's finding
            self.fault = fault

    def rate(self, handle, dimension, *, value=None, version=0):
        """Rate with a random point, and sometimes change it."""
        value = value or self.rng.randint(1, 4)
        client_uuid = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        body = {"uuid": client_uuid, "source": "key", "value": value, "version": version}
        stored = self.call("PUT", f"{handle}/ratings/{dimension}/", body)
        if stored["value"] != value:
            raise AssertionError(f"sent {value}, acknowledged {stored['value']}")
        self.ledger.acknowledge(f"{handle}/{dimension}", value, client_uuid)
        if version == 0 and self.rng.random() < 0.1:
            self.rate(handle, dimension, version=stored["version"])

    def hand_in(self, handle, *, have):
        pages = super().hand_in(handle, have=have)
        self.ledger.handed_in.append(handle)
        return pages

    def call(self, method, path, body=None):
        """Try again while the server is away; any refusal is a fault."""
        deadline = time.monotonic() + SECONDS_OF_PATIENCE
        while time.monotonic() < deadline:
            self.ledger.n_tries += 1
            try:
                status, content, _ = self.request(method, path, body)
            except (OSError, http.client.HTTPException):
                status = 0
            if status == 200:
                return json.loads(content)
            if 400 <= status < 500 and status != 429:
                raise AssertionError(f"{method} {path}: {status} {content[:200]!r}")
            self.connection = None
            time.sleep(self.rng.uniform(0.05, 0.3))
        raise AssertionError(f"{method} {path}: no answer for {SECONDS_OF_PATIENCE} s")
