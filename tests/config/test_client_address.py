import pytest

from config.client_address import client_address


@pytest.mark.parametrize(
    ("n_proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "10.9.9.9, 203.0.113.9", "203.0.113.9"),  # the left one was made up by the visitor
        (2, "203.0.113.9, 192.0.2.7", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),  # not what our proxies send: nothing to believe
        (1, "", "192.0.2.1"),
    ],
)
def test_the_address_is_the_one_our_own_proxies_saw(rf, settings, n_proxies, forwarded, address):
    settings.CONCORD_PROXIES = n_proxies
    request = rf.get("/", REMOTE_ADDR="192.0.2.1", headers={"x-forwarded-for": forwarded})

    assert client_address(request) == address


def test_without_any_header_it_is_the_direct_address(rf, settings):
    settings.CONCORD_PROXIES = 1

    assert client_address(rf.get("/", REMOTE_ADDR="192.0.2.1")) == "192.0.2.1"
