import pytest
from django.db import connection

from config.postgres.base import SECONDS_OF_TRUST, DatabaseWrapper


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("config.postgres.base.time", clock)
    return clock


@pytest.fixture
def checked():
    """A connection that counts how often it is asked whether it lives; nothing is reached."""
    wrapper = DatabaseWrapper({**connection.settings_dict, "CONN_HEALTH_CHECKS": True}, "checked")
    wrapper.n_checks = 0

    def is_usable():
        wrapper.n_checks += 1
        return True

    wrapper.is_usable = is_usable
    wrapper.connection = object()
    wrapper.get_autocommit = lambda: True
    wrapper.health_check_enabled = True
    return wrapper


def request(wrapper):
    """What Django does around a request and before its first query."""
    wrapper.close_if_unusable_or_obsolete()
    wrapper.close_if_health_check_failed()
    wrapper.close_if_unusable_or_obsolete()


def test_a_connection_that_has_rested_is_checked_once_a_request(checked, clock):
    for _ in range(3):
        clock.now += SECONDS_OF_TRUST
        request(checked)

    assert checked.n_checks == 3


def test_a_connection_at_work_is_not_checked_again(checked, clock):
    for _ in range(10):
        request(checked)
        clock.now += SECONDS_OF_TRUST * 0.9

    assert checked.n_checks == 1


def test_after_an_error_a_connection_at_work_is_checked_all_the_same(checked):
    request(checked)
    checked.errors_occurred = True

    request(checked)

    assert checked.n_checks == 2
    assert not checked.errors_occurred
