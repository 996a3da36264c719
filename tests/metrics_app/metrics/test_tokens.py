"""What the tokenizers keep."""

import sys

from metrics_app.metrics.tokens import (
    LOWERED_TO_ASCII,
    latin_tokens,
    stemmed,
    unicode_tokens,
)


def test_two_signs_alone_become_ascii_letters_when_lowered():
    found = [
        sign
        for sign in map(chr, range(128, sys.maxunicode + 1))
        if any(part.isascii() for part in sign.lower())
    ]
    assert tuple(found) == LOWERED_TO_ASCII


def test_latin():
    assert latin_tokens("Über 3 CATS\x00don't \u212aelvin \u0130x") == [
        *("ber", "3", "cats", "don", "t", "kelvin", "i", "x"),
    ]


def test_unicode():
    assert unicode_tokens("Добрый день, don't!") == ["добрый", "день", "don", "t"]
    assert unicode_tokens("किताब") == ["किताब"]  # vowel signs stay with their letters
    assert unicode_tokens("東京へ ok👍") == ["東", "京", "へ", "ok", "👍"]


def test_stems_of_longer_words_only():
    assert stemmed(["cats", "was", "running", "дома"]) == ["cat", "was", "run", "дома"]
