import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import to_locale

from annotation.forms.judging_words import page_heading, script_words
from tests.annotation.judging_studies import make_judge, make_study

TEMPLATES = Path(settings.BASE_DIR) / "templates" / "annotation" / "judge"
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
PLACES = re.compile(r"\{\w+\}|%\(\w+\)s")


def asked_for():
    """Return every message of the judge's templates and script."""
    found = set(script_words().values())
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'{% translate "([^"]+)" %}', text))
        found |= set(re.findall(r"{% translate '([^']+)' %}", text))
        for block in re.findall(r"{% blocktranslate[^%]*%}(.+?){% endblocktranslate", text, re.S):
            one = block.split("{% plural %}")[0]
            found.add(re.sub(r"{{ (\w+) }}", r"%(\1)s", one))
    return found


def catalogue(code):
    path = Path(settings.LOCALE_PATHS[0]) / to_locale(code) / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)._catalog


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_of_the_judge_is_translated(code):
    known = catalogue(code)

    missing = [text for text in asked_for() if text not in known and (text, 0) not in known]

    assert len(asked_for()) > 100
    assert missing == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_every_place_to_be_filled(code):
    wrong = [
        (text, translated)
        for text, translated in catalogue(code).items()
        if isinstance(text, str) and text
        if sorted(PLACES.findall(text)) != sorted(PLACES.findall(translated))
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("code", "heading"),
    [("en", "Output 3 of 40"), ("de", "Ausgabe 3 von 40"), ("ja", "出力 3／40")],
)
def test_the_heading_is_in_the_judges_language(code, heading):
    with translation.override(code):
        assert page_heading(3, 3, 40) == heading


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "header", "words"),
    [
        ("", "fr", "Enregistrer et continuer"),  # the browser's language
        ("de", "fr", "Speichern und weiter"),  # the judge's own choice goes first
        ("ar", "en", 'dir="rtl"'),
    ],
)
def test_the_page_speaks_the_judges_language(language, header, words):
    _, token = make_judge(make_study(), language=language)
    client = Client(headers={"accept-language": header})

    html = client.get(f"/j/{token}/", follow=True).content.decode()

    assert words in html


@pytest.mark.django_db
def test_one_judges_language_is_not_the_next_ones():
    group = make_study()
    _, arabic = make_judge(group, language="ar")
    _, english = make_judge(group)
    client = Client(headers={"accept-language": "en"})
    client.get(f"/j/{arabic}/", follow=True)

    assert "Save and next" in client.get(f"/j/{english}/", follow=True).content.decode()
