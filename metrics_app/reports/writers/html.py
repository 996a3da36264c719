"""The report as one HTML file that needs nothing beside it."""

from itertools import product
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from metrics_app.reports.contract import Report
from metrics_app.reports.page.page import Page, report_page

_STYLES = ("css/tokens.css", "css/components.css", "css/report.css")


def write_html(report: Report, folder: Path) -> None:
    """Write ``report.html``: the page of the study, with every ranking below each other."""
    plain = report.as_json()
    page = report_page(plain)
    context = {"page": page, "views": _views(plain, page), "style": _style()}
    text = render_to_string("metrics_app/standalone.html", context)
    (folder / "report.html").write_text(text.lstrip(), encoding="utf-8")


def _views(plain: dict[str, object], page: Page) -> list[Page]:
    """Return the page for each dimension and group that has a ranking."""
    choices = product(page.reading.dimensions, page.reading.groups)
    views = [report_page(plain, dimension=dimension, group=group) for dimension, group in choices]
    return [view for view in views if view.ranking is not None]


def _style() -> str:
    root = Path(settings.BASE_DIR) / "static"
    text = "\n".join((root / path).read_text(encoding="utf-8") for path in _STYLES)
    return mark_safe(text)  # noqa: S308 -- our own style sheets, no word of anybody in them
