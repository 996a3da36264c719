"""How texts of others are shown: escaped, in paragraphs, Markdown only after sanitising."""

import re
from datetime import datetime

import nh3
from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from annotation.forms.judging import plain

register = template.Library()
register.filter("plain", plain)

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
# No link, no image: instructions send nobody elsewhere, and fetch nothing.
_TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre"),
    *("code", "em", "strong", "del", "table", "thead", "tbody", "tr", "th", "td"),
}
_BREAK = re.compile(r"\s*\n\s*")


@register.filter
def paragraphs(text: str) -> SafeString:
    """Return each line as a paragraph of its own, so that each finds its own direction.

    A text without any letter is said to be empty: a blank sheet could be a fault of the page.
    """
    lines = [line for line in _BREAK.split(text.strip()) if line]
    if not lines:
        words = _("(The text is empty.)")
        return format_html('<p class="quiet" dir="auto" lang="{}">{}</p>', get_language(), words)
    return format_html_join("\n", '<p dir="auto">{}</p>', ((line,) for line in lines))


@register.filter
def is_line(text: str) -> bool:
    """Return whether a text is one short line, such as a subject line, and is set larger."""
    return len(text) <= 120 and "\n" not in text.strip()


@register.filter
def lang(code: str) -> SafeString:
    """Return the lang attribute of a text whose language is known, else nothing."""
    return format_html(' lang="{}"', code) if code else SafeString("")


@register.filter
def markdown(text: str) -> SafeString:
    """Return Markdown as sanitised HTML; headings begin below the page's own."""
    html = re.sub(r"<(/?)h1>", r"<\1h2>", str(_MARKDOWN.render(text)))
    clean = nh3.clean(html, tags=_TAGS, attributes={})
    return mark_safe(re.sub(r"<(p|li|h[2-6])>", r'<\1 dir="auto">', clean))  # noqa: S308 -- sanitised just above


@register.filter
def moment(at: datetime) -> SafeString:
    """Return a moment in universal time, which a script tells in the reader's own."""
    text = f"{date_format(at, 'DATETIME_FORMAT')} (UTC)"
    return format_html('<time datetime="{}" data-moment>{}</time>', at.isoformat(), text)
