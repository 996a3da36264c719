"""How a page is looked at: by axe, at each size, light and dark, and by a person who wants to."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

SIZES = [(1366, 768), (390, 844)]
NARROWEST = (320, 640)


def faults(page):
    """Return what axe finds on the page: each rule with where it is broken."""
    return [
        (fault["id"], [node["target"] for node in fault["nodes"]])
        for fault in Axe().run(page).response["violations"]
    ]


def look(page, name, *, sizes=SIZES):
    """Hold the page to axe and its width, to 320 pixels; SHOTS names a folder for pictures."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            if folder := os.environ.get("SHOTS"):
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=str(path), full_page=True)
            found = faults(page)
            assert not found, (name, width, scheme, found)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
    page.set_viewport_size({"width": NARROWEST[0], "height": NARROWEST[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST[0], name
    # What comes next is done at a desk.
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
