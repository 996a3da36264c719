import subprocess

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

    with crew(2, BATCH) as members:
        found = members.score(metric, BATCH)
        alone = members.score(metric, BATCH[:1])

    assert found == list(compute(metric, BATCH).values)
    assert found[6] == Undefined("no_reference")
    assert alone == found[:1]


def test_a_member_that_dies_is_an_error_and_no_endless_wait():
    with crew(1, BATCH) as members:
        members.score(read_choice("length"), BATCH[:1])
        member = members._idle.get()
        member.kill()
        member.wait()
        members._idle.put(member)

        with pytest.raises(RuntimeError, match="has ended"):
            members.score(read_choice("length"), BATCH[:1])


def test_a_crew_ends_at_once_while_it_still_reads_its_texts(monkeypatch):
    started, start = [], subprocess.Popen

    def recorded(*arguments, **options):
        started.append(start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", recorded)
    more_than_a_pipe_holds = [Example("word " * 1_000_000, ("a word",))]

    with crew(2, more_than_a_pipe_holds) as members:
        members.begin(read_choice("length"), more_than_a_pipe_holds)

    assert [member.poll() for member in started] == [-9, -9]
