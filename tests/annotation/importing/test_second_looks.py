import pytest

from annotation.importing import RawRow, guess_mapping


def fields_of(kind, header, *rows):
    mapping = guess_mapping(header, kind, [RawRow(at, list(row)) for at, row in enumerate(rows, 2)])
    fields = {column.name: column.field for column in mapping.columns if column.field}
    bound = {column.name: dict(column.bound) for column in mapping.columns if column.bound}
    return fields, bound, [found.kind for found in mapping.questions]


def test_ids_times_and_means_are_no_ratings():
    header = ["Tale ID", "model", "worker_id", "WorkTimeInSeconds", "grit", "grit_mean", "_trust"]

    fields, bound, asked = fields_of(
        "ratings", header, ["1", "bart", "w1", "30", "4", "3.5", "0.9"]
    )

    assert bound == {"grit": {"dimension": "grit"}}
    assert fields["Tale ID"] == "item_id"
    assert asked == ["wide_ratings_mapping", "columns_unclear"]


def test_one_of_two_identifiers_is_not_chosen():
    fields, _, _ = fields_of(
        "outputs", ["tale_id", "site_id", "model", "text"], ["1", "2", "b", "c"]
    )

    assert fields == {"model": "system", "text": "output"}


@pytest.mark.parametrize(
    ("name", "cell", "is_rated"),
    [
        ("tone", "3 - ok", True),
        ("tone", "5 : perfect", True),
        ("tone", "Yes", True),
        ("tone", "TRUE", True),
        ("tone", "3 people came to the show, and then some more people came there", False),
        ("tone", "warm", False),
        ("question1", "No", True),
        ("Input.length", "312", False),
    ],
)
def test_answers_with_labels_and_yes_or_no_are_ratings(name, cell, is_rated):
    _, bound, _ = fields_of("ratings", ["id", "model", "rater", name], ["1", "b", "r1", cell])

    assert (name in bound) is is_rated


def test_text_beside_ratings_is_what_was_rated_and_quality_is_rated():
    header = ["id", "model", "rater", "text", "quality"]

    fields, bound, _ = fields_of("ratings", header, ["1", "b", "r1", "A text.", "4"])

    assert fields["text"] == "output"
    assert bound == {"quality": {"dimension": "quality"}}


def test_text_of_a_long_table_stays_a_comment():
    header = ["id", "model", "rater", "dimension", "text"]

    fields, _, _ = fields_of("ratings", header, ["1", "b", "r1", "remarks", "Nicely said."])

    assert (fields["dimension"], fields["text"]) == ("dimension", "text")


def test_numbered_questions_are_no_sources():
    header = ["id", "model", "summary", "question1", "question2"]

    fields, _, _ = fields_of("outputs", header, ["1", "b", "A text.", "Yes", "No"])

    assert "source" not in fields.values()


def test_scale_in_a_name_is_no_part_of_the_dimension():
    header = ["id", "model", "rater", "Fluency (1-5)"]

    _, bound, asked = fields_of("ratings", header, ["1", "b", "r1", "4"])

    assert (bound, asked) == ({"Fluency (1-5)": {"dimension": "Fluency"}}, [])
