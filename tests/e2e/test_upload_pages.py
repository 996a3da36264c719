"""Uploads and exports by hand: looked at by axe, and none scrolls sideways."""

import pytest
from django.urls import reverse

from annotation.models import OutputVersion, Upload
from tests.e2e.looks import look
from tests.factories import StudyFactory, StudyMemberFactory

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
FIRST = "item_id,source,system,output\n" + "".join(
    f"m{n},A mail about the car {n}.,{system},{system} says the car {n} is late.\n"
    for n in range(1, 9)
    for system in ("Quill", "Lumen")
)
SECOND = FIRST.replace("car 3 is late", "car 3 is <unk> early") + ",A mail.,Quill,No id.\n"


@pytest.fixture
def study(sign_in, settings, tmp_path):
    """Return a study whose owner is signed in to the browser."""
    settings.MEDIA_ROOT = tmp_path / "files"
    study = StudyFactory(state="draft", title="Subject lines", slug="subject-lines")
    sign_in(StudyMemberFactory(study=study).user)
    return study


def upload(page, live_server, study, text, folder):
    path = folder / "outputs.csv"
    path.write_text(text, encoding="utf-8")
    page.goto(live_server.url + reverse("annotation:uploads", args=[study.slug]))
    page.get_by_label("File", exact=True).set_input_files(path)
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/uploads/*/")
    return Upload.objects.latest("pk")


def test_an_owner_loads_a_file_and_a_changed_one(page, live_server, study, tmp_path):
    upload(page, live_server, study, FIRST, tmp_path)
    look(page, "check-good")
    page.get_by_role("button", name="Load 16 rows").click()
    page.get_by_text("Loaded.", exact=True).wait_for()
    look(page, "loaded")

    second = upload(page, live_server, study, SECOND, tmp_path)
    look(page, "check-bad")
    page.set_viewport_size({"width": 390, "height": 844})  # where the steps are signs alone
    page.get_by_role("link", name="Columns").click()
    look(page, "columns")
    page.get_by_role("button", name="Use these columns and check").click()
    page.get_by_label("Leave out rows with errors and load the others").check()
    page.get_by_role("button", name="Check with these choices").click()
    page.get_by_role("link", name="See the changes").click()
    look(page, "changes")
    page.get_by_role("button", name="Load 16 good rows").click()
    page.get_by_text("Loaded.", exact=True).wait_for()

    second.refresh_from_db()
    assert second.report["loaded"] == {"new": 0, "changed": 2, "unchanged": 14}
    assert OutputVersion.objects.filter(is_current=True, text__contains="<unk>").count() == 2


def test_the_pages_of_files_and_exports_are_in_order(page, live_server, study):
    page.goto(live_server.url + reverse("annotation:uploads", args=[study.slug]))
    look(page, "files")

    page.goto(live_server.url + reverse("annotation:exports", args=[study.slug]))
    page.get_by_role("button", name="Write Tidy CSV").click()
    page.get_by_text("kept until").wait_for()
    look(page, "exports")


def test_a_column_is_said_to_be_of_a_system(page, live_server, study, tmp_path):
    upload(page, live_server, study, "who,first\ni1,One.\ni2,Two.\n", tmp_path)
    page.get_by_role("link", name="See the columns").click()
    page.get_by_label("who", exact=True).select_option("item_id")
    page.get_by_label("first", exact=True).select_option("")
    bonds = page.locator(".bonds summary").filter(visible=True)
    assert bonds.count() == 0

    page.get_by_label("first", exact=True).select_option("output")
    bonds.click()
    page.get_by_label("system", exact=True).filter(visible=True).fill("T5")
    look(page, "bond")
    page.get_by_role("button", name="Use these columns and check").click()
    page.get_by_role("button", name="Load 2 rows").click()
    page.get_by_text("Loaded.", exact=True).wait_for()

    assert set(OutputVersion.objects.values_list("output__system__key", flat=True)) == {"T5"}
