"""Charts of a report on its page, by the files that are there."""

from metrics_app.reports.page.figures import figure_table, shown_figures

FILES = [
    f"charts/{name}{width}.{suffix}"
    for name in ("means", "agreement")
    for width in ("", "-column")
    for suffix in ("svg", "vl.json", "pdf")
]


def test_charts_come_in_their_order_with_the_files_that_are_there():
    means, agreement = shown_figures(FILES)

    assert (means.name, agreement.name) == ("means", "agreement")
    assert means.drawings == ("charts/means.svg", "charts/means-column.svg")
    assert means.specifications == ("charts/means.vl.json", "charts/means-column.vl.json")
    assert [label for label, _ in means.downloads] == [
        "SVG, two columns", "PDF, two columns", "JSON, two columns",
        "SVG, one column", "PDF, one column", "JSON, one column", "CSV",
    ]  # fmt: skip


def test_a_report_without_narrow_charts_shows_no_figures():
    assert shown_figures(["charts/means.svg", "charts/means.vl.json"]) == []


def test_rows_behind_a_chart_are_rounded_for_reading_and_know_their_numbers():
    table = figure_table("system,mean,low\nA,3.6666666666666665,\n1,-0.25,2\n")

    assert table.columns == (("system", False), ("mean", True), ("low", True))
    assert table.rows == (
        (("A", False), ("3.6667", True), ("", False)),
        (("1", True), ("-0.25", True), ("2", True)),
    )
