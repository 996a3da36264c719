"""Colours that everybody can tell, and drawings that keep to their width."""

from itertools import pairwise

import numpy as np
import pytest

from metrics_app.reports.charts.style import (
    DIVERGING,
    GROUPS,
    ONE_COLUMN,
    RAMP,
    SERIES,
    SHAPES,
    TWO_COLUMNS,
    ramp,
)

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
# Of CIE 1976; about 2.3 is the least that an eye sees at all.
PLAIN_TO_SEE = 12.0


def _linear(colour):
    shares = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def _lab(linear):
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ratio = np.clip(np.array(to_xyz) @ linear, 0, None) / [0.9505, 1.0, 1.089]
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _difference(first, second, blindness):
    seen = [np.clip(np.array(BLIND[blindness]) @ _linear(one), 0, 1) for one in (first, second)]
    return np.linalg.norm(_lab(seen[0]) - _lab(seen[1]))


def _lightness(colour):
    return _lab(_linear(colour))[0]


@pytest.mark.parametrize("blindness", BLIND)
@pytest.mark.parametrize("palette", [SERIES, GROUPS], ids=["systems", "groups"])
def test_any_two_colours_are_told_apart(palette, blindness):
    pairs = [(a, b) for place, a in enumerate(palette) for b in palette[:place]]
    assert min(_difference(*pair, blindness) for pair in pairs) > PLAIN_TO_SEE


@pytest.mark.parametrize("blindness", BLIND)
def test_the_ends_of_the_map_are_told_apart(blindness):
    assert _difference(DIVERGING[0], DIVERGING[2], blindness) > 3 * PLAIN_TO_SEE


@pytest.mark.parametrize("n_points", [2, 3, 4, 5, 6, 7])
def test_points_of_a_scale_darken_in_grey(n_points):
    lightness = [_lightness(shade) for shade in ramp(n_points)]
    assert min(before - after for before, after in pairwise(lightness)) > 4
    assert len(ramp(len(RAMP))) == len(RAMP)


def test_groups_differ_in_grey_by_shape_and_the_first_two_by_shade():
    assert len(set(SHAPES)) == len(GROUPS)
    assert abs(_lightness(GROUPS[0]) - _lightness(GROUPS[1])) > PLAIN_TO_SEE


def test_a_panel_takes_what_its_labels_leave():
    short, long = ["ab"], ["x" * 200]
    assert TWO_COLUMNS.panel(short) > TWO_COLUMNS.panel(long) > 100
    assert TWO_COLUMNS.panel(short) > TWO_COLUMNS.panel(short, is_shared=False)
    assert ONE_COLUMN.panel([]) > ONE_COLUMN.panel(short)
