"""What every test may use."""

import shutil
from pathlib import Path

import pytest
from django.utils import translation

from config.celery import app
from tests.no_skips import pytest_runtest_makereport  # noqa: F401 -- a hook of pytest

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@pytest.fixture(autouse=True)
def _nothing_is_remembered_of_another_test():
    # Ids come again from test to test, and all of these remember by id.
    from annotation.api.access import JudgeThrottle
    from annotation.selectors.asked import forget_asked
    from annotation.selectors.given import forget_given
    from jobs import aside

    forget_asked()
    forget_given()
    if aside.folder().name.startswith("concord-test-"):
        shutil.rmtree(aside.folder(), ignore_errors=True)
    JudgeThrottle._buckets.clear()
    # A page asked for in French leaves its thread in French.
    translation.deactivate()


@pytest.fixture(scope="session")
def study_data():
    """Return a function from a name in the shared data to its path; skip where it is absent."""

    def find(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"the shared data folder has no {name}")
        return path

    return find


@pytest.fixture(scope="session", autouse=True)
def _known_tasks():
    """Import every task, as a worker does: a job that a page enqueues is then done at once."""
    app.loader.import_default_modules()
