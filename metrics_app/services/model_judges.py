"""Language models as judges: added once, with all that is needed to ask them again."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError

from annotation.services.model_ratings import NewModelJudge, add_model_judge
from metrics_app.loaders.judging import ModelJudgeRow
from metrics_app.metrics.judging.answers import PARSER
from metrics_app.metrics.judging.endpoint import Endpoint
from metrics_app.metrics.judging.question import TEMPLATE, check_template, digest

HOW = "Name endpoints in CONCORD_LLM_ENDPOINTS, for example local=http://localhost:8000/v1."
SETTINGS = (
    *("temperature", "n_samples", "asks_logprobs", "max_tokens", "price_in", "price_out"),
    *("requests_per_minute", "n_parallel"),
)


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """What people choose of a model judge; prices are of a million tokens."""

    endpoint: str
    model: str
    temperature: float = 0.0
    n_samples: int = 1
    asks_logprobs: bool = True
    max_tokens: int = 8
    price_in: float = 0.0
    price_out: float = 0.0
    requests_per_minute: int = 0
    n_parallel: int = 4
    template: str = TEMPLATE


def endpoint_names() -> list[str]:
    """Return the names of the endpoints that may be asked here."""
    return list(settings.CONCORD_LLM_ENDPOINTS)


def endpoint_named(name: str) -> Endpoint:
    """Return the endpoint with its key.

    Raises
    ------
    ValueError
        Where the administrator has named none so.
    """
    url = settings.CONCORD_LLM_ENDPOINTS.get(name)
    if url is None:
        known = ", ".join(endpoint_names()) or "none"
        raise ValueError(f"There is no endpoint {name!r} (known: {known}). {HOW}")
    return Endpoint(url, settings.CONCORD_LLM_KEYS.get(name, ""))


def register_model_judge(study_id: int, choice: JudgeChoice, *, at: datetime) -> int:
    """Add a language model to the study's judges; return the judge's id.

    Raises
    ------
    ValidationError
        For an unknown endpoint, a prompt that lacks the output, or a setting beside its bounds.
    """
    try:
        provider = endpoint_named(choice.endpoint).url
        check_template(choice.template)
    except ValueError as error:
        raise ValidationError(str(error)) from error
    new = NewModelJudge(
        endpoint=choice.endpoint,
        provider=provider,
        model=choice.model,
        template=choice.template,
        prompt_hash=digest(choice.template),
        parser=PARSER,
        settings={name: getattr(choice, name) for name in SETTINGS},
    )
    return add_model_judge(study_id, new, at=at)


def signature_of(judge: ModelJudgeRow, dimension: str) -> str:
    """Return what repeats a model's scores: model, parameters, prompt, dimension."""
    parts = [
        "llm", f"model:{judge.model}", f"provider:{judge.provider}",
        f"temperature:{judge.temperature:g}", f"n:{judge.n_samples}",
        f"logprobs:{'yes' if judge.asks_logprobs else 'no'}", f"max_tokens:{judge.max_tokens}",
        f"prompt:{judge.prompt_hash[:12]}", f"parser:{judge.parser}", f"dimension:{dimension}",
    ]  # fmt: skip
    return "|".join(parts)
