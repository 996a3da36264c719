"""A real browser beside a running server."""

import os
import shutil

import pytest
from playwright.sync_api import expect

from tests.annotation.judging_studies import make_judge, make_study
from tests.e2e.at_rest import Door
from tests.e2e.judge_page import JudgePage

# Patience, not slowness: what is waited for is there at once on an idle machine.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session", autouse=True)
def _orm_beside_the_browser():
    # Playwright keeps an event loop on the main thread; Django would refuse the ORM there.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory):
    # A file, not memory: the server's threads then have connections of their own.
    from django.conf import settings

    test = settings.DATABASES["default"].setdefault("TEST", {})
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        test["NAME"] = str(tmp_path_factory.mktemp("db") / "e2e.sqlite3")


@pytest.fixture(scope="session")
def browser_type_launch_args():
    # concord.lan stands for a server in a local network, which is no secure context.
    lan = "--host-resolver-rules=MAP concord.lan 127.0.0.1"
    return {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox", lan]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def sign_in(page, client, live_server, settings):
    """Return a function that signs the browser in as a user."""

    def sign(user):
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
        page.context.add_cookies([cookie])

    return sign


@pytest.fixture(autouse=True)
def _no_fault_in_a_script(context):
    faults = []
    context.on("weberror", lambda fault: faults.append(str(fault.error)))
    yield
    assert faults == []


@pytest.fixture(scope="session")
def _door():
    with Door() as door:
        yield door


@pytest.fixture(autouse=True)
def _no_request_outlives_its_test(page, _door):
    # The tables are emptied after the test: a request at work then would lock or fill them.
    _door.open()
    yield
    for tab in page.context.pages:
        tab.goto("about:blank")
    _door.shut()


@pytest.fixture
def judging(page, live_server):
    """Return a function that opens the page of a new judge, by default of six outputs."""

    def open_page(group=None, **preferences):
        _, token = make_judge(group or make_study(), **preferences)
        return JudgePage(page, live_server, token).open()

    return open_page
