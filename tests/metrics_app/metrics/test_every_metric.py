"""What holds for every metric in the registry, whatever it measures."""

import math

import pytest

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.stats.undefined import REASONS

KEYS = sorted(REGISTRY)
TEXT = "The committee met on Monday. It will review the new rules next week."
SCRIPTS = {
    "cyrillic": "Комитет собрался в понедельник.",
    "devanagari": "समिति की बैठक सोमवार को हुई।",
    "chinese": "委员会于星期一开会。",
    "arabic": "اجتمعت اللجنة يوم الاثنين.",
    "thai": "คณะกรรมการประชุมวันจันทร์",
    "emoji": "👍🎉👩‍👩‍👧",
    "controls": "\x00\u202e\ufeff\ud7ff",
    "lone surrogate": "bad \udc80 byte",
}
LONG = " ".join(f"word{number % 997} of" for number in range(5000))


def score(key, output, reference=TEXT):
    texts = (reference,)
    example = Example(output, references=texts, sources=texts, priors=texts)
    return compute(REGISTRY[key], [example]).values[0]


def assert_score_or_reason(found):
    if isinstance(found, Undefined):
        assert found.reason in REASONS
        assert found.reason != "failed", found.detail
    else:
        assert isinstance(found, float)
        assert math.isfinite(found)


@pytest.mark.parametrize("key", KEYS)
def test_empty_texts(key):
    for output, reference in (("", TEXT), (TEXT, ""), ("", ""), (" \n", TEXT), ("!?", "...")):
        assert_score_or_reason(score(key, output, reference))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_other_scripts(key, script):
    assert_score_or_reason(score(key, SCRIPTS[script], SCRIPTS[script]))
    assert_score_or_reason(score(key, SCRIPTS[script], TEXT))


@pytest.mark.parametrize("key", KEYS)
def test_ten_thousand_tokens(key):
    assert_score_or_reason(score(key, LONG, LONG[100:]))


@pytest.mark.parametrize("key", KEYS)
def test_many_references(key):
    many = tuple(f"{TEXT} Version {number}." for number in range(50))
    example = Example(TEXT, references=many, sources=many, priors=many)
    assert_score_or_reason(compute(REGISTRY[key], [example]).values[0])


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_need_is_a_reason_and_the_rest_goes_on(key):
    whole = Example(TEXT, references=(TEXT,), sources=(TEXT,), priors=(TEXT,))
    bare, alone = compute(REGISTRY[key], [Example(TEXT), whole]).values
    if REGISTRY[key].needs:
        assert bare.reason == f"no_{REGISTRY[key].needs[0]}"
    assert alone == compute(REGISTRY[key], [whole]).values[0]


@pytest.mark.parametrize("key", KEYS)
def test_an_output_is_scored_alike_alone_and_among_others(key):
    texts = ("The committee met.", "Rules are reviewed next week by it.", "", TEXT)
    batch = [Example(text, (TEXT,), (TEXT,), (TEXT,)) for text in texts]
    together = compute(REGISTRY[key], batch).values
    assert together == tuple(compute(REGISTRY[key], [example]).values[0] for example in batch)


@pytest.mark.parametrize("key", KEYS)
def test_a_metric_says_what_it_is(key):
    metric = REGISTRY[key]
    assert metric.source
    assert metric.signature.startswith(f"{key}|")
    assert metric.signature.endswith(f"|refs:{metric.policy}")
    assert "absent" not in metric.signature or metric.extra
    assert metric.cost > 0
    assert metric.policy in (metric.policies or ("none",))
    assert bool(metric.policies) or "reference" not in metric.needs
    for name, values in metric.choices.items():
        assert metric.params[name] in values


def test_a_failing_output_is_listed_and_the_rest_goes_on():
    def score_unless_bad(batch, _metric):
        if any(example.output == "bad" for example in batch):
            raise RuntimeError("the library fell over")
        return [1.0] * len(batch)

    metric = REGISTRY["rouge1"]
    metric = type(metric)("probe", "Probe", "probe", score_unless_bad, needs=())
    scores = compute(metric, [Example("good"), Example("bad"), Example("good")])
    assert scores.values == (1.0, Undefined("failed", "RuntimeError: the library fell over"), 1.0)
    assert scores.failures == {
        1: "The metric failed on this output. RuntimeError: the library fell over"
    }


def test_one_text_in_the_place_of_a_list_is_refused():
    with pytest.raises(TypeError, match="references must be a sequence of texts"):
        Example("a", references="a")
