"""Members and accounts in a real browser: invited, taken up, changed, removed; axe on each page."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from annotation.enums import Role
from annotation.models import StudyMember
from tests.e2e.looks import look
from tests.factories import StudyMemberFactory

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
LONG = "dr.ann-katrin.von.der.laengeren.adresse@linguistics.example.org"


@pytest.fixture
def study(sign_in):
    """Return a study whose owner is signed in in the browser."""
    call_command("build_static")
    owner = StudyMemberFactory(user__username="olga", study__title="Headlines of May")
    sign_in(owner.user)
    StudyMemberFactory(study=owner.study, user__username="ravi", role=Role.RESEARCHER)
    return owner.study


def test_a_member_is_invited_comes_in_and_is_removed(page, browser, live_server, study):
    page.goto(live_server.url + reverse("annotation:study", args=[study.slug]))
    page.get_by_role("link", name="Members").click()
    page.get_by_label("User name or e-mail address").fill(LONG)
    page.locator("#id_role").select_option("monitor")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("row", name=LONG).locator("summary").click()
    link = page.get_by_label("Invitation", exact=True).input_value()
    look(page, "members-invited")

    context = browser.new_context(viewport={"width": 1366, "height": 768})
    _take_up(context.new_page(), link)
    context.close()

    page.goto(live_server.url + reverse("annotation:members", args=[study.slug]))
    _make_owner_and_remove_ravi(page)
    page.goto(live_server.url + reverse("annotation:study", args=[study.slug]))
    expect(page.get_by_text(f"{LONG} was monitor and is owner now.")).to_be_visible()
    look(page, "study-with-members")
    assert set(StudyMember.objects.values_list("user__username", "role")) == {
        ("olga", "owner"),
        (LONG, "owner"),
    }


def _take_up(theirs, link):
    theirs.goto(link)
    look(theirs, "invitation")
    theirs.get_by_label("Password", exact=True).fill("short")
    theirs.get_by_label("The same password again").fill("shorter")
    theirs.get_by_role("button", name="Save and sign in").click()
    expect(theirs.locator(".field-error")).to_have_count(1)
    look(theirs, "invitation-refused")
    theirs.get_by_label("Password", exact=True).fill("a goose on the ice")
    theirs.get_by_label("The same password again").fill("a goose on the ice")
    theirs.get_by_role("button", name="Save and sign in").click()
    expect(theirs.get_by_role("link", name="Headlines of May")).to_be_visible()
    theirs.goto(link)
    expect(theirs.get_by_role("heading", name="not valid any more")).to_be_visible()
    look(theirs, "invitation-used")


def _make_owner_and_remove_ravi(page):
    row = page.get_by_role("row", name=LONG)
    row.locator("summary").click()
    row.get_by_label("Role", exact=True).select_option("owner")
    row.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="Owner", exact=False)).to_have_count(2)
    page.get_by_role("row", name="ravi").locator("summary").click()
    look(page, "members-removing")
    page.get_by_role("row", name="ravi").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("ravi")).to_have_count(0)


def test_the_last_owner_is_told_why_they_stay(page, live_server, study):
    page.goto(live_server.url + reverse("annotation:members", args=[study.slug]))
    page.get_by_role("row", name="olga").locator("summary").click()
    page.get_by_role("row", name="olga").get_by_role("button", name="Remove").click()

    notice = page.locator(".notice[data-kind=bad]")
    expect(notice).to_contain_text("Make somebody else an owner first.")
    look(page, "members-last-owner")
    page.get_by_role("button", name="Account").click()
    page.get_by_role("link", name="Change password").click()
    page.get_by_label("Your password until now").fill("no such password")
    page.get_by_label("New password", exact=True).fill("a swan on the lake")
    page.get_by_label("The new password again").fill("a swan on the lake")
    page.get_by_role("button", name="Change password").click()
    expect(page.locator(".field-error")).to_have_count(1)
    look(page, "change-password")
