from collections import Counter

from annotation.importing import dry_run
from annotation.importing.findings import SystemFigures
from annotation.importing.lengths import histograms


def test_bars_double_in_width_and_are_the_same_for_all_systems():
    figures = {
        "short": SystemFigures(lengths=Counter({0: 1, 3: 2})),
        "long": SystemFigures(lengths=Counter({5: 4})),
    }

    found = histograms(figures)

    assert [(bar.low, bar.high) for bar in found["short"]] == [
        (0, 0), (1, 1), (2, 3), (4, 7), (8, 15), (16, 31),
    ]  # fmt: skip
    assert [bar.n for bar in found["short"]] == [1, 0, 0, 2, 0, 0]
    assert [bar.share for bar in found["short"]] == [0.5, 0.0, 0.0, 1.0, 0.0, 0.0]
    assert [(bar.n, bar.top) for bar in found["long"]][-2:] == [(0, 1.0), (4, 0.0)]


def test_without_outputs_there_are_no_bars():
    assert histograms({}) == {}


def test_lengths_are_counted_as_a_file_is_read(tmp_path):
    path = tmp_path / "outputs.csv"
    path.write_text(f"id,system,output\ni1,A,{'x' * 31}\ni2,A,{'y' * 32}\ni3,A,zzz\n")

    (bars,) = histograms(dry_run(path, kind="outputs").systems).values()

    assert {(bar.low, bar.high): bar.n for bar in bars if bar.n} == {
        (2, 3): 1,
        (16, 31): 1,
        (32, 63): 1,
    }
