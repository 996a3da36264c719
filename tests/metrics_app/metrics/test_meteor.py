"""METEOR's alignment is held against trying every alignment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.metrics.contract import Example
from metrics_app.metrics.meteor import Alignment, align, meteor
from metrics_app.metrics.registry import REGISTRY, compute

WORDS = st.lists(st.sampled_from("abcd"), max_size=6)
LAVIE_2007 = {"alpha": 0.9, "beta": 3.0, "gamma": 0.5}


def itself(word):
    return (word,)


def most_then_fewest(output, reference, place=0, used=frozenset(), last=-2):
    if place == len(output):
        return 0, 0
    ways = [most_then_fewest(output, reference, place + 1, used, -2)]
    for at, word in enumerate(reference):
        if word == output[place] and at not in used:
            n, chunks = most_then_fewest(output, reference, place + 1, used | {at}, at)
            ways.append((n + 1, chunks - (at != last + 1)))
    return max(ways)


@settings(max_examples=150, deadline=None)
@given(WORDS, WORDS)
def test_alignment_has_most_matches_then_fewest_chunks(output, reference):
    n, minus_chunks = most_then_fewest(output, reference)
    assert align(output, reference, itself) == Alignment(n, -minus_chunks)


def test_moved_phrases_count_as_chunks():
    output, reference = (
        ["on", "the", "mat", "sat", "the", "cat"],
        ["the", "cat", "sat", "on", "the", "mat"],
    )
    found = align(output, reference, itself)
    assert found == Alignment(6, 3)
    assert meteor(found, 6, 6, **LAVIE_2007) == 0.9375


def test_words_that_share_a_meaning_need_not_share_all():
    meanings = {"big": ("m1",), "large": ("m1", "m2"), "wide": ("m2",)}
    keys = lambda word: (word, *meanings.get(word, ()))  # noqa: E731 -- a table as a function
    # big~large~wide: "large" may serve either, and both match only when it is left to "wide".
    assert align(["big", "large"], ["wide", "large"], keys).n_matches == 2


def score(output, *references, **params):
    metric = REGISTRY["meteor"].configure(**params)
    return compute(metric, [Example(output, references)]).values[0]


def test_stages():
    assert score("cats", "cat", stages="exact") == 0.0
    assert score("cats", "cat") == 0.5  # one match, one chunk: half the penalty's full weight
    assert score("cats", "cat", stages="exact+stem+synonym").reason == "not_configured"


def test_a_folder_that_is_no_wordnet_is_said_to_be_none(tmp_path):
    found = score("a", "a", stages="exact+stem+synonym", wordnet=str(tmp_path))
    assert found.reason == "failed"
    assert "is no WordNet folder: it lacks index.noun" in found.detail
    absent = score("a", "a", stages="exact+stem+synonym", wordnet=str(tmp_path / "absent"))
    assert "does not exist" in absent.detail


@pytest.fixture
def wordnet(tmp_path):
    """Write a WordNet of {car, auto} and {ride, drive} in the form of its own index files."""
    licence = "  1 This software and database is being provided ...  \n"
    rows = {
        "noun": "auto n 1 2 @ ~ 1 0 00000100  \ncar n 2 2 @ ~ 2 1 00000100 00000200  \n",
        "verb": "drive v 1 0 1 0 00000300  \nride v 1 0 1 0 00000300  \n",
        "adj": "",
        "adv": "",
    }
    for kind, lines in rows.items():
        (tmp_path / f"index.{kind}").write_text(licence + lines)
    (tmp_path / "verb.exc").write_text("rode ride\ndrove drive\n")
    return tmp_path


def test_synonyms_from_a_wordnet_folder(wordnet):
    params = {"stages": "exact+stem+synonym", "wordnet": str(wordnet)}
    # All three match in one chunk: autos by its ending, drove by the list of exceptions.
    assert score("the autos drove", "the car rode", **params) == 1 - 0.5 * (1 / 3) ** 3
    assert score("the autos drove", "the car rode") == pytest.approx(1 / 3 * 0.5)
    signature = REGISTRY["meteor"].configure(**params).signature
    assert f"|stages:exact+stem+synonym|alpha:0.9|beta:3.0|gamma:0.5|wordnet:{wordnet.name}-" in (
        signature
    )


def test_a_spoilt_wordnet_index_names_its_file(wordnet):
    (wordnet / "index.adj").write_text("broken\n")
    found = score("a", "a", stages="exact+stem+synonym", wordnet=str(wordnet))
    assert "index.adj is no WordNet index" in found.detail
