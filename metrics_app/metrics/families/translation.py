"""BLEU, chrF, chrF++ and TER as sacrebleu computes them, on its scale of 0 to 100."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from metrics_app.metrics.contract import Batch, Example, Metric, Policy, Score, Undefined
from metrics_app.metrics.policies import over_references
from metrics_app.metrics.ter import edits

# Shifts of every run of words are tried, each over the whole text: two such texts take seconds.
LONGEST_FOR_TER = 5_000
POLICIES: tuple[Policy, ...] = ("joint", "best", "mean", "each")

Make = Callable[..., Any]


def _bleu(*, smoothing: str, tokenizer: str, max_n: int, lowercase: bool, whole: bool) -> Any:  # noqa: ANN401 -- sacrebleu has no types
    # A sentence shorter than max_n words has no n-grams of that order; sacrebleu's advice for
    # sentences is to leave out the orders without a match (effective order).
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415 -- slow to load

    return BLEU(
        smooth_method=smoothing,
        tokenize=tokenizer,
        max_ngram_order=max_n,
        lowercase=lowercase,
        effective_order=not whole,
    )


def _chrf(*, char_order: int, word_order: int, beta: int, lowercase: bool, whole: bool) -> Any:  # noqa: ANN401 -- sacrebleu has no types
    del whole  # chrF is the same for a sentence and a corpus
    from sacrebleu.metrics.chrf import CHRF  # noqa: PLC0415 -- slow to load

    return CHRF(char_order=char_order, word_order=word_order, beta=beta, lowercase=lowercase)


def _ter(*, case_sensitive: bool, normalized: bool, whole: bool) -> Any:  # noqa: ANN401 -- sacrebleu has no types
    del whole  # TER is the same for a sentence and a corpus
    from sacrebleu.metrics.ter import TER  # noqa: PLC0415 -- slow to load

    class _Ter(TER):
        """sacrebleu's TER, which finds the same edits many times faster."""

        def _compute_segment_statistics(
            self, hypothesis: str, ref_kwargs: dict[str, Any]
        ) -> list[float]:
            references = ref_kwargs["ref_words"]
            words = hypothesis.split()
            n_words = sum(map(len, references)) / len(references)
            return [min(edits(words, reference) for reference in references), n_words]

    return _Ter(case_sensitive=case_sensitive, normalized=normalized)


@lru_cache(maxsize=32)
def _program(make: Make, params: tuple[tuple[str, Any], ...], *, whole: bool) -> Any:  # noqa: ANN401 -- sacrebleu has no types
    return make(**dict(params), whole=whole)


def _prepared(make: Make, metric: Metric, *, whole: bool) -> Any:  # noqa: ANN401 -- sacrebleu has no types
    return _program(make, tuple(metric.params.items()), whole=whole)


def _sentence(make: Make) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        program = _prepared(make, metric, whole=False)
        return [_one(program, example, metric) for example in batch]

    return score


def _one(program: Any, example: Example, metric: Metric) -> Score:  # noqa: ANN401 -- sacrebleu has no types
    gap = _gap(example, metric)
    if gap:
        return gap

    def pair(reference: str) -> Score:
        if not reference.strip() and metric.key != "ter":
            return Undefined("empty_reference")
        return float(program.sentence_score(example.output, [reference]).score)

    if metric.policy == "joint":
        return float(program.sentence_score(example.output, list(example.references)).score)
    lower = metric.direction == "lower"
    return over_references(example.references, metric.policy, pair, lower=lower)


def _gap(example: Example, metric: Metric) -> Undefined | None:
    if metric.key != "ter":
        has_text = any(reference.strip() for reference in example.references)
        return None if has_text else Undefined("empty_reference")
    longest = max(len(text.split()) for text in (example.output, *example.references))
    if longest > LONGEST_FOR_TER:
        return Undefined("too_long", f"{longest} words; TER takes up to {LONGEST_FOR_TER}.")
    # An edit rate needs words to divide by; of two empty texts it is 0 by convention.
    if example.output.strip() and not any(text.strip() for text in example.references):
        return Undefined("empty_reference")
    return None


def _corpus(make: Make) -> Callable[[Batch, Metric], Score]:
    def corpus(batch: Batch, metric: Metric) -> Score:
        if not batch or not any(example.references for example in batch):
            return Undefined("no_reference")
        n_references = {len(example.references) for example in batch}
        if len(n_references) > 1:
            raise ValueError("a corpus score needs the same number of references for every output")
        streams = zip(*(example.references for example in batch), strict=True)
        outputs = [example.output for example in batch]
        program = _prepared(make, metric, whole=True)
        return float(program.corpus_score(outputs, list(map(list, streams))).score)

    return corpus


def _metric(key: str, label: str, make: Make, params: Mapping[str, Any], **rest: Any) -> Metric:  # noqa: ANN401 -- parts of Metric
    return Metric(
        key=key,
        label=label,
        family="translation",
        score=_sentence(make),
        corpus=_corpus(make),
        params=params,
        policy="joint",
        policies=POLICIES,
        libraries=("sacrebleu",),
        **rest,
    )


CHRF_PARAMS = {"char_order": 6, "word_order": 0, "beta": 2, "lowercase": False}
METRICS = (
    _metric(
        "bleu",
        "BLEU",
        _bleu,
        {"smoothing": "exp", "tokenizer": "13a", "max_n": 4, "lowercase": False},
        choices={
            "smoothing": ("exp", "floor", "add-k", "none"),
            "tokenizer": ("13a", "intl", "char", "zh", "none"),
            "max_n": (1, 2, 3, 4),
        },
        cost=3e-4,
        source="Papineni et al. 2002; Post 2018 (sacrebleu)",
    ),
    _metric("chrf", "chrF", _chrf, CHRF_PARAMS, cost=2e-3, source="Popović 2015"),
    _metric(
        "chrf++",
        "chrF++",
        _chrf,
        {**CHRF_PARAMS, "word_order": 2},
        cost=2e-3,
        source="Popović 2017",
    ),
    _metric(
        "ter",
        "TER",
        _ter,
        {"case_sensitive": False, "normalized": False},
        direction="lower",
        cost=2.5e-3,
        source="Snover et al. 2006, as Tercom computes it",
    ),
)
