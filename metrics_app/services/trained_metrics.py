"""Metrics trained on a study's own ratings: only held-out predictions become scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from jobs.models import Job
from jobs.services import Progress, create_job
from metrics_app.loaders.human_means import HumanMeans, human_means
from metrics_app.loaders.material import Scorable, scorable_outputs
from metrics_app.loaders.studies import StudyRow
from metrics_app.metrics.contract import Score, Undefined
from metrics_app.metrics.fitted_nouveau import fit_nouveau
from metrics_app.metrics.folders import name_of_folder
from metrics_app.metrics.quality_estimator import Floats, features, held_out_predictions
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.services.metric_setup import located, model_names
from metrics_app.services.stored_metrics import MetricFacts, NewScore, declare_metric, store_scores
from metrics_app.services.trained_evaluation import by_output, by_system

TASK = "metrics_app.tasks.train_metric_task"
KIND = "trained-metric"
Method = Literal["estimator", "nouveau"]
VARIANTS = ("1", "2", "SU4")


@dataclass(frozen=True, slots=True)
class Training:
    """What is trained: a quality estimator with an embedding model, or Nouveau-ROUGE's weights."""

    method: Method
    dimension: str
    model: str = ""
    variant: str = "2"

    @property
    def key(self) -> str:
        """Return the metric's name."""
        if self.method == "nouveau":
            return f"nouveau_rouge{self.variant} fitted ({self.dimension})"
        return f"estimator{'+' if self.model else ''}{self.model} ({self.dimension})"


def request_training(study: StudyRow, training: Training, *, by: User | None = None) -> Job:
    """Store the request to train a metric; the caller enqueues the job on commit."""
    if training.model and training.model not in model_names():
        known = ", ".join(model_names()) or "none"
        raise ValidationError(f"There is no model {training.model!r} here (known: {known}).")
    if training.variant not in VARIANTS:
        raise ValidationError(f"There is no Nouveau-ROUGE-{training.variant} to fit.")
    return create_job(
        KIND,
        label=f"Train {training.key}"[:200],
        task=TASK,
        arguments={
            "method": training.method,
            "dimension": training.dimension,
            "model": training.model,
            "variant": training.variant,
        },
        study_id=study.id,
        created_by=by,
    )


def train_metric(study: StudyRow, training: Training, *, progress: Progress) -> dict[str, Any]:
    """Train on what people said, store the held-out predictions, return how good they are.

    Raises
    ------
    ValueError
        Where there are too few rated items, or texts that the method needs are missing.
    """
    outputs = scorable_outputs(study.id)
    progress(0, 3, "Reading ratings")
    people = human_means(study, training.dimension)
    ratings = np.array(
        [people.means.get((out.item, out.system), np.nan) for out in outputs], dtype=np.float64
    )
    progress(1, 3, "Computing features")
    work = _nouveau if training.method == "nouveau" else _estimator
    predictions, said, more = work(training, outputs, ratings, people, study.seed)
    progress(2, 3, "Storing held-out predictions")
    signature = f"{said}|dimension:{training.dimension}|ratings:{people.digest}|seed:{study.seed}"
    with transaction.atomic():
        progress.hold()
        facts = MetricFacts(training.key, signature, targets=training.dimension)
        row = declare_metric(study.id, facts)
        row.scores.all().delete()
        store_scores(
            row,
            [
                NewScore(out.version_id, _score(value))
                for out, value in zip(outputs, predictions.tolist(), strict=True)
            ],
        )
    progress(3, 3, "Done")
    return {
        "predicted": int((~np.isnan(predictions)).sum()),
        **by_output(predictions, ratings),
        **more,
    }


def _score(value: float) -> Score:
    return Undefined("no_prior") if np.isnan(value) else value


Found = tuple[Floats, str, dict[str, Any]]


def _estimator(
    training: Training, outputs: Sequence[Scorable], ratings: Floats, _people: HumanMeans, seed: int
) -> Found:
    model = training.model
    if model:
        # The same names of models as the embedding metrics have.
        model = located(REGISTRY["embedding_average"].configure(model=model)).params["model"]
    table = features([out.example for out in outputs], model=model)
    rng = np.random.default_rng(seed)
    found = held_out_predictions(table, ratings, [out.item for out in outputs], rng=rng)
    named = name_of_folder(model) if model else "none"
    said = f"quality_estimator|features:{table.shape[1]}|model:{named}"
    return (
        found.predictions,
        f"{said}|folds:{len(found.penalties)}|held-out",
        {"method": found.method},
    )


def _nouveau(
    training: Training, outputs: Sequence[Scorable], ratings: Floats, people: HumanMeans, seed: int
) -> Found:
    batch = [out.example for out in outputs]
    names = [f"rouge{training.variant}_{part}" for part in ("ab", "bb")]
    columns = [compute(REGISTRY[name], batch).values for name in names]
    parts = np.array(
        [[score if isinstance(score, float) else np.nan for score in column] for column in columns]
    ).T
    if np.isnan(parts).any(axis=1).all():
        raise ValueError("Nouveau-ROUGE needs prior references and references; upload them first.")
    rng = np.random.default_rng(seed)
    found = fit_nouveau(parts, ratings, [out.item for out in outputs], rng=rng)
    weights = ",".join(f"{weight:.4f}" for weight in found.coefficients)
    said = f"nouveau_rouge{training.variant}|fitted|weights:{weights}|held-out"
    systems = [out.system for out in outputs]
    more = by_system(parts, ratings, systems, people.human_systems, rng=rng)
    return found.predictions, said, {"weights": weights, "method": found.method, **more}
