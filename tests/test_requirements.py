"""The lock files: every package pinned with hashes, no address of any machine."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ["requirements.txt", "requirements-dev.txt"]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_file_names_no_host(name):
    text = (ROOT / name).read_text()
    assert re.findall(r"https?://|file://|--index-url|--find-links|--extra-index", text) == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_a_hash(name):
    text = (ROOT / name).read_text().replace("\\\n", " ")
    pins = [line for line in text.splitlines() if re.match(r"[a-z0-9]", line)]
    assert len(pins) > 50
    assert [line for line in pins if "==" not in line or "--hash=sha256:" not in line] == []
