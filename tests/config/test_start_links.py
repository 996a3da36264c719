import pytest

from config.start_links import KEY_NAME, ROLES, make_link, read_link


@pytest.fixture
def _started(monkeypatch):
    monkeypatch.setenv(KEY_NAME, "the key of this start")


def _token(link):
    return link.strip("/").split("/")[2]


@pytest.mark.usefixtures("_started")
@pytest.mark.parametrize("role", ROLES)
def test_a_link_names_its_role_and_is_read_as_it(role):
    link = make_link(role)

    assert link.startswith(f"/start/{role}/")
    assert read_link(_token(link)) == role


@pytest.mark.usefixtures("_started")
def test_a_link_of_another_start_is_void(monkeypatch):
    token = _token(make_link("judge"))
    monkeypatch.setenv(KEY_NAME, "the key of the next start")

    assert read_link(token) is None


@pytest.mark.usefixtures("_started")
@pytest.mark.parametrize("change", [str.upper, str.title, lambda token: token + "x"])
def test_a_link_that_was_changed_is_void(change):
    assert read_link(change(_token(make_link("judge")))) is None


@pytest.mark.usefixtures("_started")
def test_a_judge_cannot_turn_a_link_into_an_administrators():
    token = _token(make_link("judge"))

    assert read_link(token.replace("judge", "administrator")) is None


@pytest.mark.usefixtures("_started")
def test_an_unknown_role_has_no_link():
    with pytest.raises(ValueError, match="no role 'owner'; there are judge, researcher"):
        make_link("owner")


def test_without_a_start_there_are_no_links(monkeypatch):
    monkeypatch.setenv(KEY_NAME, "a key")
    token = _token(make_link("judge"))
    monkeypatch.delenv(KEY_NAME)

    assert read_link(token) is None
    with pytest.raises(ValueError, match="CONCORD_START_KEY is not set"):
        make_link("judge")
