"""A page as it is seen: wide and narrow, light and dark, without a fault that axe knows."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe


def look(page, name):
    """Look at a page in two widths and two schemes; keep pictures in the folder SHOTS, if named."""
    for width, height in ((1366, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            if folder := os.environ.get("SHOTS"):
                path = str(Path(folder) / f"{name}-{width}-{scheme}.png")
                page.screenshot(path=path, full_page=True)
            faults = Axe().run(page).response["violations"]
            assert not faults, [(f["id"], [n["target"] for n in f["nodes"]]) for f in faults]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
