"""What a server may send that is not what the protocol says: never a crash, never a wait."""

import json
import math
import socket
import threading
import time
from dataclasses import replace

import pytest

from metrics_app.metrics.judging import transport
from metrics_app.metrics.judging.endpoint import (
    Endpoint,
    EndpointDownError,
    EndpointRefusalError,
    Pace,
)
from tests.metrics_app.llm_server import answer, llm_server, says


@pytest.fixture
def served():
    with llm_server() as (url, script):
        yield Endpoint(url, key="secret", timeout=2, first_pause=0.001), script


def complete(endpoint):
    return endpoint.complete({"model": "m"}, pace=Pace(0), stop=threading.Event())[0]


def cut_off(answer, **headers):
    sent = json.dumps(answer).encode()
    return (200, sent[:-9], {"Content-Length": len(sent), "Connection": "close", **headers})


@pytest.mark.parametrize(
    "fault",
    [
        cut_off(answer(says("3"))),
        (200, b"", {}),
        (200, b"<html>Gateway</html>", {"Content-Type": "text/html"}),
        (200, b"[" * 100_000, {}),
        (200, b"\xff\xfe\x00", {}),
        (200, {"choices": {"0": "3"}}, {}),
        (200, {"choices": [None]}, {}),
        (200, b'{"choices": [' + b"9" * 10_000 + b"]}", {}),
        (500, b"[" * 100_000, {}),
        (503, b'{"error": "a text"}', {}),
        (429, b"", {"Retry-After": "soon"}),
        (429, b"", {"Retry-After": "nan"}),
        (429, b"", {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
        (429, b"", {}),
    ],
)
def test_what_is_no_answer_is_asked_again_and_never_more(served, fault):
    endpoint, script = served
    script.reply = lambda *_: fault

    with pytest.raises(EndpointDownError, match="no answer after 5 attempts"):
        complete(endpoint)

    assert len(script.requests) == 5


def test_an_answer_of_ten_megabytes_and_another_content_type_is_an_answer(served):
    endpoint, script = served
    sent = json.dumps(answer(says("3" + " " * 10_000_000))).encode()
    script.reply = lambda *_: (200, sent, {"Content-Type": "text/plain"})

    assert complete(endpoint)["choices"][0]["message"]["content"].startswith("3")


def test_an_answer_without_an_end_is_given_up(served, monkeypatch):
    endpoint, script = served
    monkeypatch.setattr(transport, "MOST_BYTES", 1_000)
    script.reply = lambda *_: answer(says("3" * 2_000))

    with pytest.raises(EndpointDownError, match="more than 1,000 bytes"):
        complete(endpoint)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_the_key_is_sent_to_no_other_address(served, code):
    endpoint, script = served
    with llm_server() as (elsewhere, other):
        headers = {"Location": f"{elsewhere}/chat/completions"}
        script.reply = lambda *_: (code, {}, headers)

        with pytest.raises(EndpointRefusalError, match=f"{code} .* sends on to {elsewhere}"):
            complete(endpoint)

        assert (other.requests, other.n_listed) == ([], 0)
    assert len(script.requests) == 1


def test_the_list_of_models_is_not_looked_for_elsewhere_either(served):
    endpoint, script = served
    with llm_server() as (elsewhere, other):
        script.listed = (302, {}, {"Location": f"{elsewhere}/models"})

        assert "302" in endpoint.what_is_wrong("judge-1")

        assert other.n_listed == 0


@pytest.mark.parametrize("listed", [{"data": 5}, {"data": "text"}, {"data": [3]}, {"data": None}])
def test_a_list_of_models_of_another_form_is_no_reason(served, listed):
    endpoint, script = served
    script.listed = (200, listed, {})

    assert endpoint.what_is_wrong("judge-1") == ""


def test_a_list_of_models_that_is_cut_off_is_said(served):
    endpoint, script = served
    script.listed = cut_off({"data": [{"id": "judge-1"}]})

    assert endpoint.what_is_wrong("judge-1").startswith("It does not answer (")


def test_what_no_database_holds_is_replaced(served):
    endpoint, script = served
    script.reply = lambda *_: (
        200,
        b'{"choices": [{"message": {"content": "3\\u0000\\ud800"}, "logprobs": '
        b'{"content": [{"token": "3", "logprob": NaN, "x": -Infinity, "y": 1e999, "\\u0000": '
        + b"8" * 40
        + b"}]}}]}",
        {},
    )

    choice = complete(endpoint)["choices"][0]

    assert choice["message"]["content"] == "3\ufffd?"
    assert choice["logprobs"]["content"] == [
        {"token": "3", "logprob": None, "x": None, "y": None, "\ufffd": None}
    ]


def test_an_answer_that_comes_drop_by_drop_is_given_up_in_time():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip():
            for _ in range(5):
                connection, _address = server.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                    try:
                        while True:
                            connection.sendall(b" ")
                            time.sleep(0.02)
                    except OSError:
                        continue

        threading.Thread(target=drip, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"

        with pytest.raises(EndpointDownError, match=r"not whole after 0\.2 seconds"):
            complete(replace(Endpoint(url), timeout=0.2, first_pause=0.001))


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        ("7", 7, 7),
        ("-7", 0, 0),
        ("soon", 0, 0),
        ("Fri, 31 Dec 2100 00:00:00 GMT", 86_400, math.inf),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
        ("", 0, 0),
    ],
)
def test_a_pause_is_asked_for_in_seconds_or_by_a_date(served, asked, least, most):
    endpoint, script = served
    script.reply = lambda *_: (401, {}, {"Retry-After": asked})

    with pytest.raises(EndpointRefusalError) as refused:
        complete(endpoint)

    assert least <= transport.asked_pause(refused.value.__cause__) <= most
