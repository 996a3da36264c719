import ast
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
# What a judge is told by code: refusals and labels.
CODE = [
    "api/access.py",
    "api/judging.py",
    "api/parsing.py",
    "forms/judging.py",
    "forms/judging_choices.py",
    "services/answers.py",
    "services/hand_in.py",
    "services/judge_calls.py",
    "services/judge_preferences.py",
    "services/ratings.py",
    "services/withdrawal.py",
    "templatetags/material.py",
]
# Those whose every refusal a judge may read.
REFUSALS = {"NotAccepting", "NotGiven", "ValidationError", "Http404"}
PLACES = re.compile(r"\{\w+\}|%\(\w+\)s")


def calls(name):
    """Return the calls in a file of code: what is called, and its first argument."""
    tree = ast.parse((Path(settings.BASE_DIR) / "annotation" / name).read_text(encoding="utf-8"))
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return [(node.func.id, node.args[0]) for node in nodes if isinstance(node.func, ast.Name)]


def asked_for():
    """Return every message of the judge's templates, script and refusals."""
    found = set(script_words().values())
    for name in CODE:
        found |= {argument.value for called, argument in calls(name) if called == "_"}
    for path in [*TEMPLATES.rglob("*.html"), TEMPLATES.parents[1] / "404.html"]:
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

    assert len(asked_for()) > 150
    assert missing == []


@pytest.mark.parametrize("name", CODE)
def test_no_refusal_is_written_in_one_language_only(name):
    untold = [
        ast.unparse(sentence)
        for called, sentence in calls(name)
        if called in REFUSALS and isinstance(sentence, ast.Constant | ast.JoinedStr)
    ]

    assert untold == []


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
