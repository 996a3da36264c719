from pathlib import Path
from tempfile import gettempdir

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

NAME = "CONCORD_PROBE"
FALLBACK = Path(gettempdir()) / "concord.sqlite3"


@pytest.fixture
def given(monkeypatch):
    """Return a function that sets the probed variable; it is absent to begin with."""
    monkeypatch.delenv(NAME, raising=False)
    return lambda value: monkeypatch.setenv(NAME, value)


@pytest.mark.parametrize(
    ("raw", "truth"),
    [("true", True), ("1", True), (" True ", True), ("false", False), ("0", False)],
)
def test_truths(given, raw, truth):
    given(raw)

    assert env.read_bool(NAME, default=not truth) is truth


@pytest.mark.parametrize(
    ("read", "raw", "sentence"),
    [
        (env.read_bool, "yes", "CONCORD_PROBE must be true or false, not 'yes'"),
        (env.read_int, "2.5", "CONCORD_PROBE must be a whole number, not '2.5'"),
    ],
)
def test_what_cannot_be_read_stops_the_start(given, read, raw, sentence):
    given(raw)

    with pytest.raises(ImproperlyConfigured, match=sentence):
        read(NAME, default=0)


@pytest.mark.usefixtures("given")
def test_what_is_not_set_has_its_default():
    assert env.read_bool(NAME, default=True) is True
    assert env.read_int(NAME, default=7) == 7
    assert env.read_list(NAME, default=["a"]) == ["a"]
    assert env.read_text(NAME, default="b") == "b"
    assert env.read_database(NAME, default=FALLBACK)["NAME"] == FALLBACK


def test_numbers_and_lists(given):
    given("12")
    assert env.read_int(NAME, default=0) == 12
    given(" a.example, b.example ,")
    assert env.read_list(NAME, default=[]) == ["a.example", "b.example"]


@pytest.mark.parametrize("value", [None, ""])
def test_what_is_required_must_be_there(given, value):
    if value is not None:
        given(value)

    with pytest.raises(ImproperlyConfigured, match="CONCORD_PROBE is not set"):
        env.read_required(NAME)


def test_a_file_that_is_not_there_is_empty(tmp_path):
    file = tmp_path / "broker.url"

    assert env.read_file(file) == ""
    file.write_text("redis://localhost\n")
    assert env.read_file(file) == "redis://localhost"


@pytest.mark.parametrize(
    ("url", "values"),
    [
        (
            "postgres://ann:p%40ss@db.example:5433/study%20one?sslmode=require",
            {
                "NAME": "study one",
                "USER": "ann",
                "PASSWORD": "p@ss",
                "HOST": "db.example",
                "PORT": "5433",
                "OPTIONS": {"sslmode": "require"},
            },
        ),
        (
            "postgresql:///concord?host=/run/postgresql",
            {"NAME": "concord", "USER": "", "HOST": "/run/postgresql", "PORT": "", "OPTIONS": {}},
        ),
    ],
)
def test_postgresql_by_address(given, url, values):
    given(url)

    database = env.read_database(NAME, default=FALLBACK)

    assert database["ENGINE"] == "config.postgres"
    assert {name: database[name] for name in values} == values


def test_sqlite_waits_for_the_lock_from_the_first_statement(given):
    given("sqlite:///tmp/concord.sqlite3")

    database = env.read_database(NAME, default=FALLBACK)

    assert database["NAME"] == Path("/tmp/concord.sqlite3")  # noqa: S108 -- nothing is written
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert database["OPTIONS"]["timeout"] == 20


def test_another_database_is_refused(given):
    given("mysql://localhost/concord")

    with pytest.raises(ImproperlyConfigured, match=r"must begin with postgres:// or sqlite://"):
        env.read_database(NAME, default=FALLBACK)


def test_the_folder_of_an_sqlite_database_is_made(given, tmp_path):
    given(f"sqlite://{tmp_path}/new/deep/concord.sqlite3")

    env.read_database(NAME, default=FALLBACK)

    assert (tmp_path / "new" / "deep").is_dir()


def test_a_folder_that_cannot_be_made_stops_the_start_with_a_sentence(given, tmp_path):
    (tmp_path / "file").touch()
    given(f"sqlite://{tmp_path}/file/concord.sqlite3")

    with pytest.raises(
        ImproperlyConfigured, match=r"file of the database cannot be made \(.*exist"
    ):
        env.read_database(NAME, default=FALLBACK)
