"""Language models as judges: how each is asked, and every answer it gave."""

from django.db import models
from django.db.models import Q

from annotation.models.judge import Judge
from annotation.models.study import Study


class ModelJudge(models.Model):
    """How one judge of kind model is asked. It never changes: other settings, another judge."""

    judge = models.OneToOneField(Judge, on_delete=models.CASCADE, related_name="model")
    # The administrator's name for the endpoint; its key stays in the environment.
    endpoint = models.CharField(max_length=60)
    provider = models.CharField(max_length=300)
    model = models.CharField(max_length=200)
    temperature = models.FloatField(default=0.0)
    n_samples = models.PositiveSmallIntegerField(default=1)
    asks_logprobs = models.BooleanField(default=True)
    max_tokens = models.PositiveIntegerField(default=8)
    template = models.TextField()
    prompt_hash = models.CharField(max_length=64)
    parser = models.CharField(max_length=40)
    # Price of a million tokens, in whatever currency the provider charges.
    price_in = models.FloatField(default=0.0)
    price_out = models.FloatField(default=0.0)
    requests_per_minute = models.PositiveIntegerField(default=0)
    n_parallel = models.PositiveSmallIntegerField(default=4)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(n_samples__gte=1, n_parallel__gte=1, max_tokens__gte=1),
                name="model_judge_is_asked_at_least_once",
            ),
            models.CheckConstraint(
                condition=Q(temperature__gte=0, price_in__gte=0, price_out__gte=0),
                name="model_judge_has_no_negative_setting",
            ),
        ]

    def __str__(self) -> str:
        return self.model


class CallOutcome(models.TextChoices):
    """What became of a question put to a language model."""

    ANSWERED = "answered", "Answered"
    REFUSED = "refused", "Refused"
    UNPARSABLE = "unparsable", "Not a number of the scale"
    FAILED = "failed", "No answer"


class ModelCall(models.Model):
    """One question put to a language model, and all that came back. Equal questions are one row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="model_calls")
    # Of provider, model, parameters and prompt.
    content_hash = models.CharField(max_length=64)
    parameters = models.JSONField()
    prompt = models.TextField()
    answers = models.JSONField(default=list)
    outcome = models.CharField(max_length=10, choices=CallOutcome)
    value = models.FloatField(null=True, blank=True)
    error = models.TextField(blank=True)
    n_attempts = models.PositiveSmallIntegerField(default=1)
    n_tokens_in = models.PositiveIntegerField(default=0)
    n_tokens_out = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    seconds = models.FloatField(default=0.0)
    asked_at = models.DateTimeField()
    # Of a pair or set of outputs: the same question with them in the opposite order.
    swapped = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "content_hash"], name="one_call_per_question_in_study"
            ),
            models.CheckConstraint(
                condition=Q(outcome=CallOutcome.ANSWERED, value__isnull=False)
                | (~Q(outcome=CallOutcome.ANSWERED) & Q(value__isnull=True)),
                name="answered_call_has_a_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.outcome}: {self.content_hash[:8]}"
