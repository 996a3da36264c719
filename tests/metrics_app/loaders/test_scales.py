"""Scales as they are written on a command line."""

import pytest

from metrics_app.loaders.scales import read_scale, read_scales
from metrics_app.stats.scales import Scale


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1-5", Scale.points([1, 2, 3, 4, 5])),
        ("-2-2", Scale.points([-2, -1, 0, 1, 2])),
        ("1,2,4", Scale.points([1, 2, 4])),
        ("0-1:nominal", Scale.points([0, 1], measurement="nominal")),
        ("0..100", Scale.range(0, 100)),
        ("0..1:ratio", Scale.range(0, 1, measurement="ratio")),
    ],
)
def test_read_scale(text, scale):
    assert read_scale(text) == scale


@pytest.mark.parametrize("text", ["", "5-1", "1-", "one", "1-5:cardinal", "1-1000", "3..2", "2,1"])
def test_what_is_no_scale_is_refused_with_the_forms_that_are(text):
    with pytest.raises(ValueError, match=r"Write 1-5 for the points|is not one of nominal"):
        read_scale(text)


def test_a_scale_of_one_dimension_goes_before_the_common_one():
    scales = read_scales(["1-5", "fluency=1-6"])

    assert scales.of("fluency") == Scale.points(range(1, 7))
    assert scales.of("coherence") == Scale.points(range(1, 6))


@pytest.mark.parametrize("texts", [["1-5", "1-4"], ["a=1-5", "a=1-4"]])
def test_two_scales_for_the_same_dimensions_are_refused(texts):
    with pytest.raises(ValueError, match="second one"):
        read_scales(texts)
