"""The metrics as JSON lines: handlers by name, in the words of the worked cases."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from metrics_app.metrics.contract import Example, Metric, Undefined
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.metrics.rouge.pairs import counted, skip_bigrams
from metrics_app.metrics.tokens import tokenize
from metrics_app.stats.lines import Handler

Options = Mapping[str, Any]
Data = Mapping[str, Any]
TOKENIZERS = {
    "lowercase, [a-z0-9]+": "latin",
    "unicode words": "unicode",
    "13a": "13a",
}


def texts(data: Data, name: str) -> tuple[str, ...]:
    """Return a list of texts from the data; one text alone is refused, since it hides a mistake."""
    found = data.get(name, [])
    if isinstance(found, str) or not all(isinstance(text, str) for text in found):
        raise ValueError(f"{name} must be a list of texts")
    return tuple(found)


def example(data: Data) -> Example:
    """Return the example that the data of a line describe."""
    candidate = data["candidate"]
    if not isinstance(candidate, str):
        raise TypeError("candidate must be a text")
    return Example(candidate, *(texts(data, name) for name in ("references", "sources", "priors")))


def configured(metric: Metric, options: Options) -> Metric:
    """Return the metric as a line's options ask for it; unknown options are an error."""
    asked = {
        name: TOKENIZERS.get(value, value) if name == "tokenizer" else value
        for name, value in _own_names(options).items()
    }
    policy = asked.pop("policy", None)
    return metric.configure(policy=policy, **asked)


def _own_names(options: Options) -> dict[str, Any]:
    asked = dict(options)
    if asked.pop("beta", 1) != 1:
        raise ValueError("only F1 (beta 1) is computed")
    if "stemmer" in asked:
        stemmer = asked.pop("stemmer")
        if stemmer not in (None, "porter"):
            raise ValueError(f"no stemmer {stemmer!r}; there is 'porter', or null")
        asked["stem"] = stemmer is not None
    if "tokenize" in asked:
        asked["tokenizer"] = asked.pop("tokenize")
    return asked


def answer(found: object, **facts: object) -> dict[str, Any]:
    """Return the answer of a line."""
    if isinstance(found, Undefined):
        return {"undefined": found.reason, "detail": found.detail or None, **facts}
    return {"value": found, **facts}


def by_key(key: str, options: Options, data: Data) -> dict[str, Any]:
    """Answer with one number of a registered metric."""
    metric = configured(REGISTRY[key], options)
    scores = compute(metric, [example(data)])
    return answer(scores.values[0], signature=scores.signature)


def overlaps(key: str, options: Options, data: Data) -> dict[str, Any]:
    """Answer with precision, recall and F of a ROUGE metric."""
    metric = configured(REGISTRY[key], {"stem": False, **options})
    one = [example(data)]
    found = {
        measure: compute(metric.configure(measure=measure), one).values[0] for measure in "prf"
    }
    return answer(
        found["f"] if isinstance(found["f"], Undefined) else found, signature=metric.signature
    )


def skips(options: Options, data: Data) -> dict[str, Any]:
    """Answer with ROUGE-S of any gap (``max_gap``, null for none) against one reference."""
    one = example(data)
    if len(one.references) != 1:
        raise ValueError("rougeS takes one reference")
    asked = str(options.get("tokenize", "latin"))
    pairs = [
        skip_bigrams(
            tokenize(text, TOKENIZERS.get(asked, asked), stem=options.get("stemmer") == "porter"),
            max_gap=options.get("max_gap"),
            unigrams=False,
        )
        for text in (one.references[0], one.output)
    ]
    return answer(counted(*pairs)._asdict())


def skips_and_words(options: Options, data: Data) -> dict[str, Any]:
    """Answer with ROUGE-SU4, the unigrams counted directly."""
    asked = dict(options)
    if (
        asked.pop("max_gap", 4) != 4
        or asked.pop("unigrams", "counted directly") != "counted directly"
    ):
        raise ValueError("rougeSU4 has a gap of 4 and counts its unigrams directly")
    return overlaps("rougeSU4", asked, data)


HANDLERS: Mapping[str, Handler] = {
    **{key: partial(by_key, key) for key in REGISTRY},
    **{key: partial(overlaps, key) for key in REGISTRY if key.startswith("rouge")},
    "rougeS": skips,
    "rougeSU4": skips_and_words,
}
