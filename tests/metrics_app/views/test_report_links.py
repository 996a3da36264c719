"""The report page leads to what it speaks of."""

import re

import pytest
from django.urls import reverse

from tests.factories import StudyMemberFactory
from tests.metrics_app.factories import rated_study
from tests.metrics_app.views.test_reports import _run

pytestmark = pytest.mark.django_db


def test_a_disputed_output_leads_to_its_item(client):
    study = rated_study(n_items=12)
    _run(study)
    client.force_login(StudyMemberFactory(study=study, role="researcher").user)

    page = client.get(reverse("metrics_app:report", args=[study.slug])).content.decode()

    items = reverse("annotation:items", args=[study.slug])
    links = re.findall(rf'href="({items}\?q=[^"]+)"', page)
    assert links
    found = client.get(links[0]).content.decode()
    assert any(
        reverse("annotation:item", args=[study.slug, i.pk]) in found for i in study.items.all()
    )
