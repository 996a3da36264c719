"""METEOR's alignment is held against trying every alignment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.metrics.contract import Example, Undefined
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


def most_then_fewest_then_worth(output, reference, worth, place=0, used=frozenset(), last=-2):
    if place == len(output):
        return 0, 0, 0.0
    rest = (output, reference, worth, place + 1)
    ways = [most_then_fewest_then_worth(*rest, used, -2)]
    for at, word in enumerate(reference):
        if word.lower() == output[place].lower() and at not in used:
            n, chunks, own = most_then_fewest_then_worth(*rest, used | {at}, at)
            own += worth(output[place], word)[0]
            ways.append((n + 1, chunks - (at != last + 1), own))
    return max(ways)


@settings(max_examples=150, deadline=None)
@given(*[st.lists(st.sampled_from("aAbBc"), max_size=6)] * 2)
def test_of_equally_good_alignments_the_one_worth_most_is_taken(output, reference):
    def worth(word, other):
        return (1.0, 2.0) if word == other else (0.5, 1.0)

    n, minus_chunks, own = most_then_fewest_then_worth(output, reference, worth)
    found = align(output, reference, lambda word: (word.lower(),), worth)
    assert found == Alignment(n, -minus_chunks, own, 2 * own)


def test_a_long_text_of_the_same_words_takes_no_minutes():
    words = ["of", "the"] * 5_000
    assert align(words, words, itself) == Alignment(10_000, 1)


def test_a_text_that_would_take_long_says_so():
    found = score("word " * 20_001, "a word")
    assert found == Undefined("too_long", "20001 words; METEOR takes up to 20000.")


def score_15(output, *references, **params):
    metric = REGISTRY["meteor15"].configure(**params)
    return compute(metric, [Example(output, references)]).values[0]


@pytest.mark.parametrize(
    ("output", "reference", "p", "r", "fragmentation"),
    [
        # "the" weighs .25, every other word .75; "cats" matches "cat" by its stem, .6.
        ("The cats sat quietly.", "the cat sat", 1.45 / 2.5, 1.45 / 1.75, 1 / 3),
        # On its own: all match, in three chunks.
        ("on the mat sat the cat", "the cat sat on the mat", 1.0, 1.0, 3 / 6),
        # Only a function word matches.
        ("the dog", "the cat", 0.25, 0.25, 1.0),
        # All in one chunk, though not all exactly: no penalty.
        ("cats", "cat", 0.6, 0.6, 0.0),
    ],
)
def test_meteor_15_by_hand(output, reference, p, r, fragmentation):
    f = p * r / (0.85 * p + 0.15 * r)
    expected = f * (1 - 0.6 * fragmentation**0.2)
    assert score_15(output, reference) == pytest.approx(expected, abs=1e-12)


def test_meteor_15_with_synonyms(wordnet):
    params = {"stages": "exact+stem+synonym", "wordnet": str(wordnet)}
    # auto~car and drove~rode by meaning, .8 of .75 each; "the" exactly; one chunk of all words.
    assert score_15("the autos drove", "the car rode", **params) == pytest.approx(1.45 / 1.75)
    assert score_15("the autos drove", "the car rode") < 0.2


TEXTS = st.lists(st.sampled_from(["the", "of", "cat", "cats", "sat", "mat"]), max_size=8)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS.filter(bool))
def test_meteor_15_stays_in_its_bounds_and_grows_with_its_weights(output, reference):
    output, reference = " ".join(output), " ".join(reference)
    assert score_15(reference, reference) == 1.0
    found = score_15(output, reference)
    assert 0 <= found <= 1
    assert found <= score_15(output, reference, stem=0.9) + 1e-12
    assert found <= score_15(output, reference, gamma=0.3) + 1e-12
    exact = score_15(output, reference, stages="exact", function_words="none", delta=0.5)
    plain = score(output, reference, stages="exact", alpha=0.85, beta=0.2, gamma=0.6)
    if output != reference:  # else the program takes no penalty
        assert exact == pytest.approx(plain, abs=1e-12)


def test_what_meteor_15_cannot_score_has_a_reason():
    assert score_15("", "the cat") == 0.0
    assert score_15("a cat", "...") == Undefined("empty_reference")
    assert score_15("a", "b", stages="exact+stem+synonym").reason == "not_configured"
    nothing = score_15("the cat", "of the", delta=1.0)
    assert nothing.detail == "Its words weigh nothing where delta is 1."


def test_meteor_15_says_what_it_did():
    assert REGISTRY["meteor15"].signature.startswith(
        "meteor15|stages:exact+stem|alpha:0.85|beta:0.2|gamma:0.6|delta:0.75|"
        "exact:1.0|stem:0.6|synonym:0.8|function_words:concord-1|"
    )


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
