import pytest

from metrics_app.metrics.choices import read_choice
from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.crew import crew
from metrics_app.metrics.registry import compute

BATCH = [
    *(Example(f"a cat {'sat ' * n}\n\u2028 \ud800", ("the cat sat",)) for n in range(5)),
    Example("", ("the cat sat",)),
    Example("no reference"),
]


def test_a_crew_scores_as_one_process_does_in_the_same_order():
    metric = read_choice("ter(case_sensitive=yes)")

    with crew(2) as members:
        found = members.score(metric, BATCH)
        alone = members.score(metric, BATCH[:1])

    assert found == list(compute(metric, BATCH).values)
    assert found[6] == Undefined("no_reference")
    assert alone == found[:1]


def test_a_member_that_dies_is_an_error_and_no_endless_wait():
    with crew(1) as members:
        members.score(read_choice("length"), BATCH[:1])
        member = members._idle.get()
        member.kill()
        member.wait()
        members._idle.put(member)

        with pytest.raises(RuntimeError, match="has ended"):
            members.score(read_choice("length"), BATCH[:1])
