"""What the words of an output show without any model: length, copying, novelty, variety.

All count the lower-case words of the Unicode tokenizer, unstemmed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from metrics_app.metrics.contract import Batch, Example, Metric, Score, Undefined
from metrics_app.metrics.rouge.positions import Reference
from metrics_app.metrics.tokens import kept_tokens, ngrams

Measure = Callable[[Example, Metric], Score]
ORDERS = (1, 2, 3, 4)


def _words(text: str) -> tuple[str, ...]:
    return kept_tokens(text, "unicode")


def _grams(example: Example, metric: Metric) -> list[tuple[str, ...]]:
    return ngrams(_words(example.output), metric.params["n"])


def _found_in(texts: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {gram for text in texts for gram in ngrams(_words(text), n)}


def _too_short(example: Example) -> Undefined:
    return Undefined("too_short" if _words(example.output) else "empty_output")


def _length(example: Example, metric: Metric) -> Score:
    unit = metric.params["unit"]
    return float(len(example.output if unit == "characters" else _words(example.output)))


def _compression(example: Example, _metric: Metric) -> Score:
    n_source = sum(len(_words(source)) for source in example.sources)
    return len(_words(example.output)) / n_source if n_source else Undefined("empty_source")


def _copy_rate(example: Example, metric: Metric) -> Score:
    grams = _grams(example, metric)
    if not any(map(_words, example.sources)):
        return Undefined("empty_source")
    found = _found_in(example.sources, metric.params["n"])
    return sum(gram in found for gram in grams) / len(grams) if grams else _too_short(example)


def _copy_density(example: Example, _metric: Metric) -> Score:
    words = _words(example.output)
    if not any(map(_words, example.sources)):
        return Undefined("empty_source")
    if not words:
        return Undefined("empty_output")
    # No word is a newline, so no fragment runs from one source into the next.
    joined = [word for source in example.sources for word in (*_words(source), "\n")]
    positions = Reference(joined).positions(words)
    return sum(length**2 for length in _fragments(positions)) / len(words)


def _fragments(positions: Sequence[int]) -> list[int]:
    """Return the lengths of the longest copied runs, taken greedily from the left."""
    lengths = []
    run, length = 0, 0
    for here in positions:
        longer = (run << 1) & here
        if length and not longer:
            lengths.append(length)
            length = 0
        run = longer or here
        length += bool(run)
    return [*lengths, length] if length else lengths


def _novelty(example: Example, metric: Metric) -> Score:
    grams = _grams(example, metric)
    known = _found_in(example.priors, metric.params["n"])
    return sum(gram not in known for gram in grams) / len(grams) if grams else _too_short(example)


def _redundancy(example: Example, metric: Metric) -> Score:
    grams = Counter(_grams(example, metric))
    if not grams:
        return _too_short(example)
    n = metric.params["n"]
    repeated = [(grams & Counter(ngrams(_words(prior), n))).total() for prior in example.priors]
    return max(repeated) / grams.total()


def _repetition(example: Example, metric: Metric) -> Score:
    grams = _grams(example, metric)
    return 1 - len(set(grams)) / len(grams) if grams else _too_short(example)


def _type_token_ratio(example: Example, _metric: Metric) -> Score:
    words = _words(example.output)
    return len(set(words)) / len(words) if words else Undefined("empty_output")


def _each(measure: Measure) -> Callable[[Batch, Metric], list[Score]]:
    return lambda batch, metric: [measure(example, metric) for example in batch]


def _metric(key: str, label: str, measure: Measure, source: str, **rest: Any) -> Metric:  # noqa: ANN401 -- parts of Metric
    params = rest.pop("params", {})
    return Metric(
        key=key,
        label=label,
        family="surface",
        score=_each(measure),
        params=params,
        choices={"n": ORDERS} if "n" in params else rest.pop("choices", {}),
        libraries=("regex",),
        cost=5e-5,
        source=source,
        **{"direction": "none", "needs": (), **rest},
    )


GRUSKY = "Grusky, Naaman and Artzi 2018, Newsroom"
METRICS = (
    _metric(
        "length",
        "Length",
        _length,
        "number of words or characters",
        params={"unit": "words"},
        choices={"unit": ("words", "characters")},
    ),
    _metric(
        "compression",
        "Compression",
        _compression,
        "words of the output over words of the source",
        needs=("source",),
    ),
    _metric(
        "copy_rate",
        "Copy rate",
        _copy_rate,
        f"{GRUSKY}: coverage, for n-grams",
        needs=("source",),
        params={"n": 1},
    ),
    _metric("copy_density", "Copy density", _copy_density, f"{GRUSKY}: density", needs=("source",)),
    _metric(
        "novelty",
        "Novelty",
        _novelty,
        "share of n-grams that no prior reference has",
        direction="higher",
        needs=("prior",),
        params={"n": 2},
    ),
    _metric(
        "redundancy",
        "Redundancy",
        _redundancy,
        "clipped n-gram precision against the closest prior reference",
        direction="lower",
        needs=("prior",),
        params={"n": 1},
    ),
    _metric(
        "repetition",
        "Repetition",
        _repetition,
        "share of n-grams that the output had before",
        direction="lower",
        params={"n": 3},
    ),
    _metric("type_token_ratio", "Type-token ratio", _type_token_ratio, "Templin 1957"),
)
