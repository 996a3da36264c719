"""How a page is looked at: by axe, at each size, light and dark, and by a person who wants to."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from tests.factories import StudyMemberFactory

SIZES = [(1366, 768), (390, 844)]


def look(page, name):
    """Hold the page to axe and to its width; keep a picture where SHOTS names a folder."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            if folder := os.environ.get("SHOTS"):
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=str(path), full_page=True)
            faults = [
                (fault["id"], [node["target"] for node in fault["nodes"]])
                for fault in Axe().run(page).response["violations"]
            ]
            assert faults == [], (name, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def sign_in(page, client, live_server, settings, study, role="owner"):
    """Sign the browser in as a member of the study."""
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
    page.context.add_cookies([cookie])
