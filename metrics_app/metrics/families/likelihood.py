"""Perplexity, BARTScore and a Prism-like score over a language model in a local folder."""

import math
from collections.abc import Callable

from metrics_app.metrics.contract import Batch, Example, Metric, Need, Policy, Score, Undefined
from metrics_app.metrics.likelihood import LanguageModel, NoLanguageModelError, open_language_model
from metrics_app.metrics.policies import over_references

Measure = Callable[[LanguageModel, Example, Metric], Score]
EXTRA = "transformers, torch and a model folder"


def _defined(value: float | None) -> Score:
    return Undefined("too_short") if value is None else value


def _perplexity(model: LanguageModel, example: Example, metric: Metric) -> Score:
    given = "\n".join(example.sources) if metric.params["given"] == "source" else ""
    if metric.params["given"] == "source" and not given.strip():
        return Undefined("no_source")
    found = model.log_likelihood(given, example.output)
    return Undefined("too_short") if found is None else math.exp(-found)


def _from_source(model: LanguageModel, example: Example, _metric: Metric) -> Score:
    return _defined(model.log_likelihood("\n".join(example.sources), example.output))


def _with_reference(model: LanguageModel, example: Example, metric: Metric) -> Score:
    def pair(reference: str) -> Score:
        precision = model.log_likelihood(reference, example.output)
        recall = model.log_likelihood(example.output, reference)
        if precision is None or recall is None:
            return Undefined("too_short")
        return {"p": precision, "r": recall, "f": (precision + recall) / 2}[
            metric.params["measure"]
        ]

    return over_references(example.references, metric.policy, pair)


def _scorer(measure: Measure) -> Callable[[Batch, Metric], list[Score]]:
    def score(batch: Batch, metric: Metric) -> list[Score]:
        if not metric.params["model"]:
            return [Undefined("not_configured", f"It needs {EXTRA}.")] * len(batch)
        try:
            model = open_language_model(metric.params["model"])
        except NoLanguageModelError as fault:
            return [Undefined("not_configured", str(fault))] * len(batch)
        return [
            measure(model, example, metric) if example.output.strip() else Undefined("empty_output")
            for example in batch
        ]

    return score


def _metric(key: str, label: str, measure: Measure, source: str, *needs: Need) -> Metric:
    policies: tuple[Policy, ...] = ("best", "mean", "each") if "reference" in needs else ()
    choices: dict[str, tuple[str, ...]] = {"measure": ("f", "p", "r")} if policies else {}
    if key == "perplexity":
        choices = {"given": ("nothing", "source")}
    return Metric(
        key=key,
        label=label,
        family="likelihood",
        score=_scorer(measure),
        direction="lower" if key == "perplexity" else "higher",
        needs=needs,
        params={"model": "", **{name: values[0] for name, values in choices.items()}},
        choices=choices,
        policy="best" if policies else "none",
        policies=policies,
        libraries=("transformers", "torch"),
        cost=1.0,
        source=source,
        extra=EXTRA,
    )


METRICS = (
    _metric("perplexity", "Perplexity", _perplexity, "exp of the mean negative log-likelihood"),
    _metric(
        "bart_score_source",
        "BARTScore, source to output",
        _from_source,
        "Yuan, Neubig and Liu 2021",
        "source",
    ),
    _metric(
        "bart_score",
        "BARTScore with references (Prism-like with a paraphrase model)",
        _with_reference,
        "Yuan, Neubig and Liu 2021; Thompson and Post 2020",
        "reference",
    ),
)
