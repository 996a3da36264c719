"""The metrics as JSON lines: handlers by name, in the words of the worked cases."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from metrics_app.metrics.bleu import bleu, modified_precision
from metrics_app.metrics.contract import Example, Metric, Undefined
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.metrics.rouge.pairs import counted, skip_bigrams
from metrics_app.metrics.tokens import tokenize, unicode_tokens
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
    asked = {"stem": False, **options}
    if asked.pop("beta", 1) != 1:
        raise ValueError("ROUGE is answered with F1 (beta 1) only")
    metric = configured(REGISTRY[key], asked)
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
    if not one.references:
        return answer(Undefined("no_reference"))
    if len(one.references) > 1:
        raise ValueError("rougeS takes one reference")
    asked = str(options.get("tokenize", "latin"))
    written = (one.references[0], one.output)
    words = [
        tokenize(text, TOKENIZERS.get(asked, asked), stem=options.get("stemmer") == "porter")
        for text in written
    ]
    if any(unicode_tokens(text) and not found for text, found in zip(written, words, strict=True)):
        return answer(Undefined("erased_by_tokenizer"))
    if not words[0]:
        return answer(Undefined("empty_reference"))
    max_gap = options.get("max_gap")
    pairs = [skip_bigrams(found, max_gap=max_gap, unigrams=False) for found in words]
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


def papineni(options: Options, data: Data) -> dict[str, Any]:
    """Answer with BLEU as its paper defines it, unsmoothed (``scale`` 1 or 100)."""
    if options.get("smoothing") is not None:
        raise ValueError("bleu is unsmoothed; sentence_bleu has smoothing exp, floor and add-k")
    one, tokens = example(data), _spaced(options)
    references = [tokens(reference) for reference in one.references]
    if not any(references):
        return answer(_nothing_in(references))
    found = bleu(references, tokens(one.output), max_n=options.get("max_n", 4))
    return answer(found * options.get("scale", 1))


def precision(options: Options, data: Data) -> dict[str, Any]:
    """Answer with BLEU's modified n-gram precision (``n``, 1 where it is not given)."""
    one, tokens = example(data), _spaced(options)
    references = [tokens(reference) for reference in one.references]
    if not any(references):
        return answer(_nothing_in(references))
    return answer(modified_precision(references, tokens(one.output), options.get("n", 1)))


def _nothing_in(references: Sequence[object]) -> Undefined:
    return Undefined("empty_reference" if references else "no_reference")


def _spaced(options: Options) -> Callable[[str], list[str]]:
    asked, lowercase = str(options.get("tokenize", "space")), options.get("lowercase", False)

    def tokens(text: str) -> list[str]:
        return tokenize(text.lower() if lowercase else text, TOKENIZERS.get(asked, asked))

    return tokens


def sentence(key: str, options: Options, data: Data) -> dict[str, Any]:
    """Answer with a sentence's score on the ``scale`` asked for, 100 where none is."""
    asked = dict(options)
    scale = asked.pop("scale", 100)
    found = by_key(key, _smoothed(asked), data)
    return found | {"value": found["value"] * scale / 100} if "value" in found else found


def corpus(key: str, options: Options, data: Data) -> dict[str, Any]:
    """Answer with the score of all candidates at once; references come as streams."""
    asked = dict(options)
    scale = asked.pop("scale", 100)
    metric = configured(REGISTRY[key], _smoothed(asked))
    candidates, streams = texts(data, "candidates"), data["references"]
    if isinstance(streams, str) or any(isinstance(stream, str) for stream in streams):
        raise ValueError("references are one list of texts per reference set, not texts")
    if not streams:
        return answer(Undefined("no_reference"))
    for number, stream in enumerate(streams, start=1):
        if len(stream) != len(candidates):
            raise ValueError(
                f"reference set {number} has {len(stream)} texts for {len(candidates)} candidates; "
                "references are one list per reference set, each as long as the candidates"
            )
    batch = [Example(*pair) for pair in zip(candidates, zip(*streams, strict=True), strict=True)]
    found = metric.corpus(batch, metric) if metric.corpus else Undefined("not_configured")
    scaled = found if isinstance(found, Undefined) else found * scale / 100
    return answer(scaled, signature=metric.signature)


def _smoothed(options: Options) -> dict[str, Any]:
    if "smoothing" in options and options["smoothing"] is None:
        return {**options, "smoothing": "none"}
    return dict(options)


def aligned(options: Options, data: Data) -> dict[str, Any]:
    """Answer with METEOR; ``matchers`` is exact only, exact+stem or exact+stem+synonym."""
    asked = dict(options)
    if "matchers" in asked:
        asked["stages"] = str(asked.pop("matchers")).removesuffix(" only")
    asked.pop("alignment", None)  # there is only one: most matches, then fewest chunks
    return by_key("meteor", asked, data)


BY_SACREBLEU = ("bleu", "chrf", "chrf++", "ter")
HANDLERS: Mapping[str, Handler] = {
    **{key: partial(by_key, key) for key in REGISTRY},
    **{key: partial(overlaps, key) for key, metric in REGISTRY.items() if metric.family == "rouge"},
    "rougeS": skips,
    "rougeSU4": skips_and_words,
    **{f"sentence_{key}": partial(sentence, key) for key in BY_SACREBLEU},
    **{f"corpus_{key}": partial(corpus, key) for key in BY_SACREBLEU},
    "bleu": papineni,
    "bleu_modified_precision": precision,
    "meteor": aligned,
}
