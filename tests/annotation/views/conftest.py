import pytest

from tests.factories import StudyFactory, StudyMemberFactory, UserFactory


@pytest.fixture
def owner_client(client):
    """Return a client signed in as the owner of a study, and the study."""

    def make(role="owner", **study):
        row = StudyMemberFactory(role=role, study=StudyFactory(**study))
        client.force_login(row.user)
        return client, row.study

    return make


@pytest.fixture
def stranger_client(client):
    client.force_login(UserFactory())
    return client
