"""Dependency parsers as an administrator may name them; a word depends on the one before it."""

from itertools import pairwise

NO_FUNCTION = "words"


def parse(text):
    return [(head, word, "next") for head, word in pairwise(text.split())]


def fall_over(_text):
    raise RuntimeError("no model loaded")
