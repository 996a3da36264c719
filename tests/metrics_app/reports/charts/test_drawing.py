"""Charts in every format and at both widths."""

import csv
import io
import json
import xml.etree.ElementTree as ET

import altair as alt
import pytest

from metrics_app.reports.charts.drawing import DRAWINGS, figures
from metrics_app.reports.charts.figure import Figure
from metrics_app.reports.charts.style import ONE_COLUMN, WIDTHS, styled
from metrics_app.reports.charts.words import FIGURES
from metrics_app.reports.writers.vector import draw, write_charts
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.hostile import hostile_report
from tests.metrics_app.reports.reports import built

# What marks at the edge and slanted labels may add.
BEYOND = 1.15
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def report():
    return hostile_report()


@pytest.fixture(scope="module")
def charts(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("charts")
    write_charts(report, folder)
    return folder / "charts"


def test_every_chart_comes_in_every_format_at_both_widths(charts):
    names = {path.name for path in charts.iterdir()}

    assert len(FIGURES) == len(DRAWINGS)
    assert names == {f"{name}.csv" for name in FIGURES} | {
        f"{name}{width.suffix}.{suffix}"
        for name in FIGURES
        for width in WIDTHS
        for suffix in ("svg", "pdf", "png", "vl.json")
    }


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", WIDTHS, ids=["two-columns", "one-column"])
def test_a_drawing_is_vector_says_what_it_shows_and_keeps_to_its_width(charts, name, width):
    root = ET.parse(charts / f"{name}{width.suffix}.svg").getroot()  # noqa: S314 -- our own file

    assert 0.75 * width.points < float(root.get("width")) < BEYOND * width.points
    assert not list(root.iter(f"{SVG}image"))
    assert len(list(root.iter(f"{SVG}path"))) > 3
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == FIGURES[name].alt_text


@pytest.mark.parametrize("name", FIGURES)
def test_the_pdf_is_vector_and_its_fonts_are_embedded(charts, name):
    content = (charts / f"{name}.pdf").read_bytes()

    assert b"/Subtype /Image" not in content
    assert b"/FontFile" in content


@pytest.mark.parametrize("name", FIGURES)
def test_the_png_has_two_pixels_a_point(charts, name):
    content = (charts / f"{name}.png").read_bytes()
    root = ET.parse(charts / f"{name}.svg").getroot()  # noqa: S314 -- our own file

    assert content.startswith(b"\x89PNG")
    pixels = int.from_bytes(content[16:20], "big")
    assert pixels == pytest.approx(2 * float(root.get("width")), abs=2)


def test_the_specification_holds_the_rows_of_the_table_beside_it(report, charts):
    for figure in figures(report):
        specification = json.loads((charts / f"{figure.name}.vl.json").read_text())
        table = list(csv.DictReader(io.StringIO((charts / f"{figure.name}.csv").read_text())))
        assert specification["description"] == figure.alt_text
        assert '"$schema"' in json.dumps(specification)
        assert len(table) == len(figure.rows) > 0
        assert [len(rows) for rows in specification["datasets"].values()] == [len(table)]


def test_a_name_that_is_cut_inside_an_emoji_is_drawn_all_the_same():
    # One of the two is cut between the halves of a letter, whatever the fonts of the machine.
    rows = [{"system": start + "\N{GRINNING FACE}" * 60, "mean": 3} for start in ("", "a")]
    chart = alt.Chart({"values": rows}).mark_point().encode(x="mean:Q", y="system:N")

    drawing = draw(Figure("means", styled(chart, ONE_COLUMN), rows))

    assert drawing.count("<text") > 2


@pytest.mark.parametrize("n_points", [1, 2, 3])
def test_shares_are_drawn_of_however_few_points(n_points):
    ratings = grid(2, 3, 2, lambda j, i, s: 1 + (i + j + s) % n_points)
    evaluation = evaluation_of(ratings, scale=Scale.points(range(1, n_points + 1)))

    (shares,) = [one for one in figures(built(evaluation)) if one.name == "distributions"]

    assert len({row["point"] for row in shares.rows}) == n_points
    assert "share of ratings" in draw(shares)
