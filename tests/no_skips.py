"""Where CONCORD_NO_SKIPS is set, a skipped browser or services test is a failed one."""

import os

import pytest

NEVER_SKIPPED = ("e2e", "services")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Turn a skip into a failure that tells its reason."""
    report = yield
    marked = any(item.get_closest_marker(name) for name in NEVER_SKIPPED)
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if os.environ.get("CONCORD_NO_SKIPS") == "1" and marked and is_skip:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} must not be skipped here: {report.longrepr}"
    return report
