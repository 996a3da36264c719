import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CASES = """
import pytest

@pytest.mark.e2e
def test_browser():
    pytest.skip("no chromium")

@pytest.mark.services
@pytest.mark.skipif(True, reason="no redis")
def test_services():
    pass

@pytest.mark.services
@pytest.mark.xfail
def test_known_fault():
    assert False

def test_other():
    pytest.skip("no data")
"""


@pytest.mark.parametrize(
    ("setting", "counts"),
    [("1", "1 failed, 1 skipped, 1 xfailed, 1 error"), ("", "3 skipped, 1 xfailed")],
)
def test_skips_of_marked_tests_are_failures_where_asked(tmp_path, setting, counts):
    file = tmp_path / "test_cases.py"
    file.write_text(CASES)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.no_skips",
        "-p",
        "no:randomly",
        "-p",
        "no:django",
    ]
    # The project's own settings choose by marks; here all cases are wanted.
    options = ["-c", os.devnull, "--rootdir", str(tmp_path), "-W", "ignore", str(file)]

    done = subprocess.run(
        [*command, *options],
        cwd=ROOT,
        env={**os.environ, "CONCORD_NO_SKIPS": setting},
        capture_output=True,
        text=True,
        check=False,
    )

    assert counts in done.stdout
