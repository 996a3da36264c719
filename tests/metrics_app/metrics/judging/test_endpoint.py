import threading
import time
from dataclasses import replace

import pytest

from metrics_app.metrics.judging.endpoint import (
    ATTEMPTS,
    Endpoint,
    EndpointDownError,
    EndpointRefusalError,
    Pace,
    StoppedError,
)
from tests.metrics_app.llm_server import answer, llm_server, says

BUSY = (429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"})


@pytest.fixture
def served():
    """Give an endpoint that tries again at once, and the script of its server."""
    with llm_server() as (url, script):
        yield Endpoint(url, key="secret", timeout=2, first_pause=0.001), script


def complete(endpoint, *, stop=None):
    return endpoint.complete({"model": "m"}, pace=Pace(0), stop=stop or threading.Event())


def test_the_key_is_sent_and_never_shown(served):
    endpoint, script = served

    complete(endpoint)

    assert script.headers[0]["Authorization"] == "Bearer secret"
    assert "secret" not in repr(endpoint)


@pytest.mark.parametrize(
    "fault",
    [
        BUSY,
        (503, b"<html>busy</html>", {}),
        (200, b"no json", {}),
        (200, {"choices": []}, {}),
        (200, ["a", "list"], {}),
        (200, {"choices": ["text"]}, {}),
    ],
)
def test_a_passing_fault_is_tried_again(served, fault):
    endpoint, script = served
    script.reply = lambda _body, number: fault if number < 3 else answer(says("3"))

    found, n_attempts = complete(endpoint)

    assert found["choices"][0]["message"]["content"] == "3"
    assert n_attempts == 3


def test_an_endpoint_that_stays_busy_is_given_up_with_its_reason(served):
    endpoint, script = served
    script.reply = lambda *_: BUSY

    with pytest.raises(EndpointDownError, match=r"after 5 attempts \(429 .*: slow down\)"):
        complete(endpoint)

    assert len(script.requests) == ATTEMPTS


def test_a_request_that_is_not_taken_is_not_repeated(served):
    endpoint, script = served
    script.reply = lambda *_: (401, {"error": {"message": "bad key"}}, {})

    with pytest.raises(EndpointRefusalError, match="401 Unauthorized: bad key"):
        complete(endpoint)

    assert len(script.requests) == 1


def test_a_slow_endpoint_is_given_up(served):
    endpoint, script = served
    script.reply = lambda *_: time.sleep(0.5) or answer(says("3"))

    with pytest.raises(EndpointDownError, match="timed out"):
        complete(replace(endpoint, timeout=0.05))


def test_nobody_waits_any_longer_once_it_is_stopped(served):
    endpoint, script = served
    script.reply = lambda *_: (429, {}, {"Retry-After": "60"})
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    begun = time.monotonic()

    with pytest.raises(StoppedError):
        complete(endpoint, stop=stop)

    assert time.monotonic() - begun < 5


def test_the_pace_is_kept_over_all_requests():
    pace, stop = Pace(1200), threading.Event()
    begun = time.monotonic()

    for _ in range(5):
        pace.wait(stop)

    assert time.monotonic() - begun >= 4 * 0.05


def test_what_is_wrong_is_known_before_the_first_question(served):
    endpoint, script = served

    assert endpoint.what_is_wrong("judge-1") == ""
    assert endpoint.what_is_wrong("judge-2") == "It has no model 'judge-2'; it has judge-1."
    script.models = None
    assert endpoint.what_is_wrong("judge-2") == ""
    assert "does not answer" in Endpoint("http://127.0.0.1:9/v1", timeout=1).what_is_wrong("m")
