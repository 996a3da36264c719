"""Make the static files that come out of installed packages: Vega, which draws on the page."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import vl_convert
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Write ``static/generated/vega.js``; where it is of the installed version, do nothing."""

    help = "Write the script that draws charts in the browser, out of the installed vl-convert."

    def handle(self, **_options: Any) -> None:  # noqa: ANN401 -- Django's signature
        """Write the file under another name first, so that nobody is served a half."""
        target = Path(settings.STATICFILES_DIRS[0]) / "generated" / "vega.js"
        head = f"// From vl-convert-python {version('vl-convert-python')}\n"
        if target.exists() and target.read_text(encoding="utf-8").startswith(head):
            return
        target.parent.mkdir(exist_ok=True)
        draft = target.with_suffix(".new")
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        draft.write_text(head + script, encoding="utf-8")
        draft.replace(target)
