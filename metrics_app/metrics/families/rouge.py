"""ROUGE-1, -2, -3, -L, -Lsum, -S4, -SU4 and -BE."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from metrics_app.metrics.contract import Batch, Example, Metric, Policy, Score, Undefined
from metrics_app.metrics.policies import combine
from metrics_app.metrics.rouge.batch import KINDS, LONGEST_SUBSEQUENCE, shared
from metrics_app.metrics.rouge.overlap import NOTHING, Overlap, overlap
from metrics_app.metrics.rouge.pairs import counted, pooled, shared_ngrams, skip_bigrams
from metrics_app.metrics.rouge.positions import Reference
from metrics_app.metrics.rouge.sentences import rouge_lsum, sentences
from metrics_app.metrics.tokens import TOKENIZERS, kept_tokens, ngrams, tokenize, unicode_tokens

SOURCE = "Lin 2004, ROUGE: a package for automatic evaluation of summaries"
PARAMS = {"measure": "f", "stem": True, "tokenizer": "latin"}
CHOICES = {"measure": ("p", "r", "f"), "stem": (True, False), "tokenizer": tuple(TOKENIZERS)}
POLICIES: tuple[Policy, ...] = ("best", "mean", "jackknife", "each")

# Every line is compared with every line, each over the whole of both.
LONGEST, MOST_PAIRS_OF_LINES = {"rougeL": LONGEST_SUBSEQUENCE, "rougeLsum": 20_000}, 1_000_000
# Above, counting n-grams is faster than masks of their places, whose time grows with the square.
LONGEST_BY_MASKS = 1_000

Compare = Callable[[str, str, Metric], Overlap]
Scorer = Callable[[Batch, Metric], list[Score]]
Parts = Callable[[Sequence[str]], Iterable[Hashable]]


@lru_cache(maxsize=2048)
def _reference(text: str, tokenizer: str, stem: bool) -> Reference:  # noqa: FBT001 -- a cache key
    return Reference(kept_tokens(text, tokenizer, stem))


def _tokens(text: str, metric: Metric) -> tuple[str, ...]:
    return kept_tokens(text, metric.params["tokenizer"], metric.params["stem"])


def _rouge_n(n: int) -> Compare:
    def compare(output: str, reference: str, metric: Metric) -> Overlap:
        words, others = _tokens(output, metric), _tokens(reference, metric)
        if max(len(words), len(others)) > LONGEST_BY_MASKS:
            lengths = (max(len(text) - n + 1, 0) for text in (words, others))
            return overlap(shared_ngrams(words, others, n), *lengths)
        index = _reference(reference, metric.params["tokenizer"], metric.params["stem"])
        return index.rouge_n(index.positions(words), n)

    return compare


def _rouge_l(output: str, reference: str, metric: Metric) -> Overlap:
    index = _reference(reference, metric.params["tokenizer"], metric.params["stem"])
    return index.rouge_l(index.positions(_tokens(output, metric)))


def _rouge_lsum(output: str, reference: str, metric: Metric) -> Overlap:
    def split(text: str) -> list[tuple[str, ...]]:
        return [_tokens(line, metric) for line in sentences(text)]

    return rouge_lsum(split(reference), split(output))


def _together(kind: str, compare: Compare, parts: Parts | None) -> Scorer:
    """Return a scorer that takes all pairs at once where the fast way knows the tokenizer."""
    one_by_one = _scorer(compare, parts)

    def score(batch: Batch, metric: Metric) -> list[Score]:
        if metric.policy == "set_union" or metric.params["tokenizer"] != "latin":
            return one_by_one(batch, metric)
        pairs = [(example.output, text) for example in batch for text in example.references]
        outputs, references = zip(*pairs, strict=True)
        found = shared(outputs, references, stem=metric.params["stem"], lcs=kind == "rougeL")
        measures = found.measures()[:, KINDS.index(kind)]
        reported = measures["prf".index(metric.params["measure"])].tolist()
        shorter = np.minimum(found.n_output, found.n_reference)
        longer = np.maximum(found.n_output, found.n_reference)
        doubtful = (shorter == 0) | (longer > LONGEST.get(kind, math.inf))
        scores: list[Score] = [
            (_gap(*pair, metric) if is_doubtful else None) or value
            for pair, value, is_doubtful in zip(pairs, reported, doubtful.tolist(), strict=True)
        ]
        return _regrouped(batch, scores, measures[2].tolist(), metric.policy)

    return score


def _regrouped(
    batch: Batch, scores: list[Score], ranks: list[float], policy: Policy
) -> list[Score]:
    combined, first = [], 0
    for example in batch:
        last = first + len(example.references)
        combined.append(combine(scores[first:last], policy, ranks=ranks[first:last]))
        first = last
    return combined


def _skips(*, max_gap: int | None, unigrams: bool) -> Callable[[Sequence[str]], Counter[Hashable]]:
    def parts(tokens: Sequence[str]) -> Counter[Hashable]:
        return skip_bigrams(tokens, max_gap=max_gap, unigrams=unigrams)

    return parts


def _by_parts(parts: Callable[[Sequence[str]], Counter[Hashable]]) -> Compare:
    def compare(output: str, reference: str, metric: Metric) -> Overlap:
        return counted(parts(_tokens(reference, metric)), parts(_tokens(output, metric)))

    return compare


def _scorer(compare: Compare, parts: Parts | None = None) -> Scorer:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        if metric.policy == "set_union" and parts:
            return [_pooled(example, metric, parts) for example in batch]
        return [_best_of(example, metric, compare) for example in batch]

    return score


def _best_of(example: Example, metric: Metric, compare: Compare) -> Score:
    scores: list[Score] = []
    ranks: list[float] = []
    for reference in example.references:
        gap = _gap(example.output, reference, metric)
        found = NOTHING if gap else compare(example.output, reference, metric)
        scores.append(gap or getattr(found, metric.params["measure"]))
        ranks.append(found.f)
    return combine(scores, metric.policy, ranks=ranks)


def _pooled(example: Example, metric: Metric, parts: Parts) -> Score:
    gaps = [_gap(example.output, reference, metric) for reference in example.references]
    kept = [
        parts(_tokens(reference, metric))
        for reference, gap in zip(example.references, gaps, strict=True)
        if gap is None
    ]
    if not kept:
        return gaps[0] or Undefined("no_reference")
    found = pooled(kept, parts(_tokens(example.output, metric)))
    return float(getattr(found, metric.params["measure"]))


def _gap(output: str, reference: str, metric: Metric) -> Undefined | None:
    """Return why nothing can be compared; an output without words can be, and scores 0."""
    for text, empty in ((reference, True), (output, False)):
        n_words = len(_tokens(text, metric))
        if n_words > LONGEST.get(metric.key, math.inf):
            detail = f"{n_words} words; {metric.label} takes up to {LONGEST[metric.key]}."
            return Undefined("too_long", detail)
        if not n_words:
            if unicode_tokens(text):
                return Undefined("erased_by_tokenizer")
            if empty:
                return Undefined("empty_reference")
    return _gap_of_lines(output, reference) if metric.key == "rougeLsum" else None


def _gap_of_lines(output: str, reference: str) -> Undefined | None:
    n_pairs = len(sentences(output)) * len(sentences(reference))
    if n_pairs <= MOST_PAIRS_OF_LINES:
        return None
    return Undefined("too_long", f"ROUGE-Lsum would compare {n_pairs} pairs of lines.")


def _dependencies(text: str, metric: Metric) -> Counter[Hashable]:
    stem, relation = metric.params["stem"], metric.params["match"] == "hmr"
    found: Counter[Hashable] = Counter()
    for head, modifier, name in metric.params["parser"](text):
        pair = tuple(" ".join(tokenize(word, "unicode", stem=stem)) for word in (head, modifier))
        found[(*pair, name) if relation else pair] += 1
    return found


def _rouge_be(batch: Batch, metric: Metric) -> list[Score]:
    if metric.params["parser"] is None:
        needs_parser = Undefined("not_configured", "ROUGE-BE needs a dependency parser")
        return [needs_parser] * len(batch)
    return [_best_of_dependencies(example, metric) for example in batch]


def _best_of_dependencies(example: Example, metric: Metric) -> Score:
    output = _dependencies(example.output, metric)
    references = [_dependencies(reference, metric) for reference in example.references]
    found = [counted(reference, output) for reference in references]
    scores: list[Score] = [
        getattr(each, metric.params["measure"]) if reference else Undefined("empty_reference")
        for each, reference in zip(found, references, strict=True)
    ]
    return combine(scores, metric.policy, ranks=[each.f for each in found])


def _metric(key: str, label: str, compare: Compare, parts: Parts | None = None) -> Metric:
    return Metric(
        key=key,
        label=label,
        family="rouge",
        score=_together(key, compare, parts) if key in KINDS else _scorer(compare, parts),
        params=PARAMS,
        choices=CHOICES,
        policy="best",
        policies=(*POLICIES, "set_union") if parts else POLICIES,
        libraries=("nltk",),
        cost=1e-4,
        source=SOURCE,
    )


def _grams(n: int) -> Parts:
    return lambda tokens: ngrams(tokens, n)


_SKIPS = {
    "rougeS4": ("ROUGE-S4", _skips(max_gap=4, unigrams=False)),
    "rougeSU4": ("ROUGE-SU4", _skips(max_gap=4, unigrams=True)),
}

METRICS = (
    *(_metric(f"rouge{n}", f"ROUGE-{n}", _rouge_n(n), _grams(n)) for n in (1, 2, 3)),
    _metric("rougeL", "ROUGE-L", _rouge_l),
    _metric("rougeLsum", "ROUGE-Lsum", _rouge_lsum),
    *(_metric(key, label, _by_parts(parts), parts) for key, (label, parts) in _SKIPS.items()),
    Metric(
        key="rougeBE",
        label="ROUGE-BE",
        family="rouge",
        score=_rouge_be,
        params={"measure": "f", "stem": True, "match": "hm", "parser": None},
        choices={"measure": ("p", "r", "f"), "stem": (True, False), "match": ("hm", "hmr")},
        policy="best",
        policies=POLICIES,
        libraries=("nltk",),
        cost=5e-2,
        source="Hovy, Lin, Zhou and Fukumoto 2006, Automated evaluation with basic elements",
        extra="a dependency parser: a function from a text to (head, modifier, relation) triples",
    ),
)
