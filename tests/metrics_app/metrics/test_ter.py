"""Every edit count is held against sacrebleu's, which tries the same shifts one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from metrics_app.metrics import ter
from metrics_app.metrics.ter import edits

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS)
def test_short_texts(output, reference):
    assert edits(output, reference) == translation_edit_rate(output, reference)[0]


def made_up(rng, n_words, n_kinds):
    return [f"w{number}" for number in rng.integers(n_kinds, size=n_words)]


def moved(rng, words):
    """Return words after some phrases have changed places and some words have changed."""
    words = list(words)
    for _ in range(rng.integers(1, 7)):
        start, length = rng.integers(len(words)), rng.integers(1, 12)
        phrase = words[start : start + length]
        del words[start : start + length]
        place = rng.integers(len(words) + 1)
        words[place:place] = phrase
        words[rng.integers(len(words))] = str(rng.choice(["new", "w1"]))
    return words


@pytest.mark.parametrize("n_words", [8, 40, 90])
@pytest.mark.parametrize("n_kinds", [3, 30])
def test_moved_phrases(n_words, n_kinds):
    rng = np.random.default_rng(n_words + n_kinds)
    for _ in range(4):
        reference = made_up(rng, n_words, n_kinds)
        output = moved(rng, reference)
        assert edits(output, reference) == translation_edit_rate(output, reference)[0]


@pytest.mark.parametrize("sizes", [(1, 150), (150, 1), (20, 120), (120, 30)])
def test_lengths_far_apart_leave_the_diagonal(sizes):
    rng = np.random.default_rng(sum(sizes))
    output, reference = (made_up(rng, size, 20) for size in sizes)
    assert edits(output, reference) == translation_edit_rate(output, reference)[0]


def test_groups_of_tables_change_nothing(monkeypatch):
    rng = np.random.default_rng(4)
    reference = made_up(rng, 30, 9)
    output = moved(rng, reference)
    together = edits(output, reference)
    monkeypatch.setattr(ter, "CELLS_AT_ONCE", 1)
    assert edits(output, reference) == together


def test_nothing_on_either_side():
    assert edits([], []) == 0
    assert edits([], ["a", "b"]) == 2
    assert edits(["a"], []) == 1


@pytest.mark.parametrize("sizes", [(70, 60), (60, 95), (40, 110), (110, 45)])
def test_texts_whose_words_have_gone_far_from_the_diagonal(sizes):
    rng = np.random.default_rng(sum(sizes))
    words = made_up(rng, max(sizes), 40)
    turned = words[35:] + words[:35]
    output, reference = words[: sizes[0]], turned[: sizes[1]]
    assert edits(output, reference) == translation_edit_rate(output, reference)[0]
