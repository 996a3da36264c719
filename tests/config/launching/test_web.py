import socket

import pytest

from config.launching.web import HOST, read_port, wait_for_answer


def test_a_free_port_is_taken_as_it_is_named():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        free = probe.getsockname()[1]

    assert read_port({"PORT": str(free)}) == free


@pytest.mark.parametrize("raw", ["web", "0", "65536", "-1", "80.5"])
def test_port_must_be_a_port(raw):
    with pytest.raises(ValueError, match=f"PORT must be a number from 1 to 65535, not '{raw}'"):
        read_port({"PORT": raw})


def test_a_port_that_is_taken_is_refused_with_a_way_out():
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(ValueError, match=f"Port {port} is taken .* make run PORT={port + 1}"):
            read_port({"PORT": str(port)})


def test_waiting_ends_when_the_server_has_died():
    assert not wait_for_answer(1, seconds=60, still_starting=lambda: False)
