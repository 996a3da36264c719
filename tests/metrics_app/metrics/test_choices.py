import pytest

from metrics_app.metrics.choices import name_of, read_choice, read_choices
from metrics_app.metrics.registry import REGISTRY


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rouge1", "rouge1"),
        ("rouge1_f", "rouge1"),
        ("rouge1_r", "rouge1(measure=r)"),
        (" bleu( max_n=2 , smoothing=floor )", "bleu(smoothing=floor,max_n=2)"),
        ("rouge2(stem=no,policy=mean)", "rouge2(stem=no,policy=mean)"),
        ("meteor(alpha=0.8)", "meteor(alpha=0.8)"),
    ],
)
def test_a_name_says_what_differs_from_the_registered_metric(text, name):
    metric = read_choice(text)

    assert name_of(metric) == name
    assert read_choice(name) == metric


def test_every_registered_metric_is_its_key():
    assert [name_of(metric) for metric in REGISTRY.values()] == list(REGISTRY)


def test_a_list_keeps_each_metric_once_and_commas_inside_brackets():
    metrics = read_choices("rouge1_f,rouge1,bleu(max_n=2,smoothing=floor),")

    assert [name_of(metric) for metric in metrics] == ["rouge1", "bleu(smoothing=floor,max_n=2)"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "No metric is named"),
        ("rouge9", "no metric 'rouge9'"),
        ("length_f", "no metric 'length_f'"),
        ("bleu(max_n=two)", "max_n must be a number, not 'two'"),
        ("bleu(max_n=9)", "max_n must be one of 1, 2, 3, 4"),
        ("rouge1(stem=perhaps)", "stem must be yes or no"),
        ("rouge1(stem)", "write stem=value"),
        ("rouge1(policy=sum)", "reference policy must be one of"),
        ("rouge1(a)b", "is no metric"),
    ],
)
def test_what_is_wrong_is_said(text, problem):
    with pytest.raises(ValueError, match=problem.replace("(", r"\(")):
        read_choices(text)
