"""The items of a study in a browser: found, opened, and read on."""

import pytest
from django.urls import reverse

from annotation.models import Fact, OutputVersion, Reference
from tests.e2e.looks import look
from tests.factories import StudyMemberFactory
from tests.metrics_app.factories import rated_study

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
LONG = "Donaudampfschifffahrtsgesellschaft" * 8


def test_items_are_found_and_read(page, live_server, sign_in):
    study = rated_study(n_items=3)
    item = study.items.order_by("position")[0]
    Reference.objects.create(item=item, position=1, text="نص مرجعي")
    Fact.objects.create(item=item, position=1, key="1", text="A fact <script>alert(1)</script>")
    OutputVersion.objects.filter(output__item=item).update(text=LONG)
    sign_in(StudyMemberFactory(study=study, role="researcher").user)

    page.goto(live_server.url + reverse("annotation:study", args=[study.slug]))
    page.get_by_role("link", name="3 items").click()
    look(page, "items")
    page.get_by_label("Part of an item").fill(item.key)
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name=item.key, exact=True).first.click()
    look(page, "item")
    page.get_by_role("link", name="Next").click()
    assert page.get_by_role("heading", level=1).text_content() != item.key
