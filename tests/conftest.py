"""What every test may use."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def study_data():
    """Return a function from a name in the shared data to its path; skip where it is absent."""

    def find(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"the shared data folder has no {name}")
        return path

    return find
