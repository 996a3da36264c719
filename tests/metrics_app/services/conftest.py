"""A language model for the tests that ask one."""

import pytest

from tests.metrics_app.llm_server import llm_server


@pytest.fixture
def script(settings):
    with llm_server() as (url, script):
        settings.CONCORD_LLM_ENDPOINTS = {"local": url}
        yield script
