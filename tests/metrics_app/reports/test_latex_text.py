"""Any text as LaTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_app.reports.writers.latex_text import declarations, escape


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50% & $1_000 #2 ~^", r"50\% \& \$1\_000 \#2 \textasciitilde{}\textasciicircum{}"),
        ("a\n\n\tb", "a b"),
        ("a\x07b\u200dc\ud800", "abc"),
        ("v--2 ---", "v-{}-2 -{}-{}-"),
        ("''``", "'{}'\\textasciigrave{}\\textasciigrave{}"),
        ("1–2 Łódź", "1–2 Łódź"),
        ("e\N{COMBINING ACUTE ACCENT}", "é"),
        ("−0.5", "$-$0.5"),
    ],
)
def test_no_command_of_a_text_is_seen(text, wanted):
    assert escape(text) == wanted


@given(st.text())
def test_braces_are_balanced_and_no_line_is_broken(text):
    escaped = escape(text)
    bare = escaped.replace(r"\{", "").replace(r"\}", "")

    assert bare.count("{") == bare.count("}")
    assert "\n" not in escaped
    assert "%" not in escaped.replace(r"\%", "")


def test_letters_that_the_fonts_lack_are_declared_and_no_other():
    assert declarations("Łódź – ħ", "系 ħ") == [
        r"\DeclareUnicodeCharacter{0127}{[U+0127]}",
        r"\DeclareUnicodeCharacter{7CFB}{[U+7CFB]}",
    ]
