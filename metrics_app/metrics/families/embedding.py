"""Metrics over word vectors: BERTScore, average, extrema, greedy matching, movers' distances.

``model`` is ``wordllama`` (one vector a token whatever its context, no torch) or the path of a
BERT or RoBERTa folder. Only with the latter are the scores those that the papers mean; the
signature says which it was.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from metrics_app.metrics.contract import Batch, Example, Metric, Score, Undefined
from metrics_app.metrics.embeddings import distances
from metrics_app.metrics.embeddings.embedder import (
    Embedded,
    Floats,
    NoModelError,
    embedded,
    open_embedder,
    whole,
)
from metrics_app.metrics.embeddings.idf import Idf
from metrics_app.metrics.policies import combine

# A transport problem between 400 and 400 tokens takes seconds, and grows with the square.
MOST_POINTS = 400

Compare = Callable[[str, str, Metric], Score]


def _vectors(text: str, metric: Metric) -> Embedded:
    return embedded(metric.params["model"], text, metric.params.get("layer", 0))


def _average(output: str, reference: str, metric: Metric) -> Score:
    pair = (_vectors(text, metric).vectors.mean(axis=0) for text in (output, reference))
    return _or_undefined(distances.cosine(*pair))


def _extrema(output: str, reference: str, metric: Metric) -> Score:
    pair = (distances.extrema(_vectors(text, metric).vectors) for text in (output, reference))
    return _or_undefined(distances.cosine(*pair))


def _or_undefined(cosine: float | None) -> Score:
    return Undefined("no_known_word") if cosine is None else cosine


def _greedy(output: str, reference: str, metric: Metric) -> Score:
    pair = (_vectors(text, metric).vectors for text in (output, reference))
    found = distances.matching(*map(distances.Side, pair))
    return (found.p + found.r) / 2


def _bertscore(output: str, reference: str, metric: Metric) -> Score:
    baseline = float(metric.params["baseline"])
    if baseline >= 1:
        return Undefined("not_configured", "The baseline must be below 1.")
    found = distances.matching(*(_side(text, metric) for text in (output, reference)))
    raw = float(getattr(found, metric.params["measure"]))
    return (raw - baseline) / (1 - baseline)


def _side(text: str, metric: Metric) -> distances.Side:
    found, idf = _vectors(text, metric), metric.params["idf"]
    weights = idf(found.tokens) if isinstance(idf, Idf) else None
    return distances.Side(found.vectors, weights, found.marks)


def _with_idf(metric: Metric, batch: Batch) -> Metric:
    """Return BERTScore with the weights that a set's references give; a model may be absent."""
    if metric.params["idf"] != "yes":
        return metric
    try:
        cut = open_embedder(metric.params["model"]).tokens
    except NoModelError:
        return metric
    texts = dict.fromkeys(text for example in batch for text in example.references)
    idf = Idf.of([cut(whole(text)) for text in texts])
    return replace(metric, params={**metric.params, "idf": idf}, fit=None)


def _mover(output: str, reference: str, metric: Metric) -> Score:
    a, b = (_vectors(text, metric).vectors for text in (output, reference))
    return _moved(a / _lengths(a), b / _lengths(b), np.ones(len(a)), np.ones(len(b)))


def _lengths(points: Floats) -> Floats:
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(np.where(lengths, lengths, 1.0))


def _sentence_mover(output: str, reference: str, metric: Metric) -> Score:
    (a, a_mass), (b, b_mass) = (_sentences(text, metric) for text in (output, reference))
    return _moved(a, b, a_mass, b_mass)


def _sentences(text: str, metric: Metric) -> tuple[Floats, Floats]:
    """Return the points of a text, its sentences and perhaps its words, each with its mass."""
    parts = [_vectors(sentence, metric).vectors for sentence in distances.split_sentences(text)]
    parts = [vectors for vectors in parts if len(vectors)] or [_vectors(text, metric).vectors]
    points = [vectors.mean(axis=0) for vectors in parts]
    # A sentence weighs as many words as it has.
    masses: list[float] = [len(vectors) for vectors in parts]
    if metric.params["unit"] == "sentence+word":
        points += [vector for vectors in parts for vector in vectors]
        masses += [1.0] * (len(points) - len(masses))
    return np.array(points), np.array(masses, dtype=np.float64)


def _moved(a: Floats, b: Floats, a_mass: Floats, b_mass: Floats) -> Score:
    longest = max(len(a), len(b))
    if longest > MOST_POINTS:
        return Undefined("too_long", f"{longest} points; up to {MOST_POINTS} are moved.")
    return math.exp(-distances.movers_distance(a, b, a_mass, b_mass))


def _scorer(compare: Compare) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        try:
            open_embedder(metric.params["model"], metric.params.get("layer", 0))
        except NoModelError as fault:
            return [Undefined("not_configured", str(fault))] * len(batch)
        return [_one(example, metric, compare) for example in batch]

    return score


def _one(example: Example, metric: Metric, compare: Compare) -> Score:
    if not _vectors(example.output, metric).tokens:
        return Undefined("empty_output")
    return combine(
        [
            compare(example.output, reference, metric)
            if _vectors(reference, metric).tokens
            else Undefined("empty_reference")
            for reference in example.references
        ],
        metric.policy,
    )


def _metric(
    key: str, label: str, compare: Compare, source: str, **choices: tuple[str, ...]
) -> Metric:
    return Metric(
        key=key,
        label=label,
        family="embedding",
        score=_scorer(compare),
        params={"model": "wordllama", **{name: values[0] for name, values in choices.items()}},
        choices=choices,
        policy="best",
        policies=("best", "mean", "each"),
        libraries=("wordllama", "tokenizers"),
        cost=0.1 if compare is _mover else 2e-3,
        source=source,
        extra="the extra 'embeddings'; for vectors in context, a BERT or RoBERTa folder",
    )


def _bertscore_metric() -> Metric:
    metric = _metric(
        "bertscore",
        "BERTScore",
        _bertscore,
        "Zhang et al. 2020",
        measure=("f", "p", "r"),
        idf=("no", "yes"),
    )
    return replace(metric, params={**metric.params, "layer": 0, "baseline": 0.0}, fit=_with_idf)


METRICS = (
    _bertscore_metric(),
    _metric("embedding_average", "Embedding average", _average, "Wieting et al. 2016"),
    _metric("vector_extrema", "Vector extrema", _extrema, "Forgues et al. 2014"),
    _metric("greedy_matching", "Greedy matching", _greedy, "Rus and Lintean 2012"),
    _metric(
        "sms",
        "Sentence mover's similarity",
        _sentence_mover,
        "Clark, Celikyilmaz and Smith 2019",
        unit=("sentence", "sentence+word"),
    ),
    _metric(
        "mover_score",
        "MoverScore",
        _mover,
        "Zhao et al. 2019: unigrams, equal weights, exp(-distance)",
    ),
)
