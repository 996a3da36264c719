import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import OutputVersion, Rating
from tests.annotation.importing.test_messy_uploads import FILES, RATINGS

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path):
    """Make a study that knows the outputs which the messy ratings are about."""
    call_command("create_study", "mail", "--dimensions", "fluency", "--scale", "1-5")
    outputs = tmp_path / "outputs.csv"
    rows = [
        f"i{n},{system},Text {n} by {system}."
        for n in range(1, 9)
        for system in ("A", "bart", "t5")
    ]
    outputs.write_text("\n".join(["item_id,system,output", *rows]), encoding="utf-8")
    call_command("import_outputs", "mail", outputs)


def run(name, *args):
    """Return exit status, standard output and error of a command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(name, *args, stdout=out, stderr=err)
    except CommandError as refusal:
        return refusal.returncode, out.getvalue(), err.getvalue() + str(refusal)
    except SystemExit as end:
        return end.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def command_for(name):
    return "import_ratings" if name in RATINGS else "import_outputs"


def stored():
    return OutputVersion.objects.count(), Rating.objects.count()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("study")
def test_a_messy_file_comes_to_its_outcome_and_findings(study_data, name):
    folder = study_data("messy_uploads")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]

    status, out, err = run(command_for(name), "mail", folder / name, "--dry-run")

    told = {line.split(": ")[1] for line in err.splitlines() if line.count(": ") >= 2}
    assert f"Outcome: {expected['outcome']}." in out
    assert set(expected["findings"]) <= told
    assert status == (0 if expected["outcome"].startswith("accept") else 2)
    assert stored() == (24, 0)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("study")
def test_a_messy_file_is_loaded_or_nothing_of_it(study_data, name):
    folder = study_data("messy_uploads")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]

    status, _, err = run(command_for(name), "mail", folder / name)

    if expected["outcome"].startswith("accept"):
        assert status == 0
        assert stored() > (24, 0)
    else:
        assert (status, stored()) == (2, (24, 0))
        assert "Nothing was written" in err


@pytest.mark.parametrize(
    ("name", "args", "after"),
    [
        ("16_duplicate_headers_extra_columns.csv", ["--guess"], (25, 0)),
        ("18_ratings_wide_per_rater.csv", ["--guess"], (24, 24)),
        ("19_real_yelp_broken_utf8.csv", ["--guess", "--replace-bad-bytes"], (27, 0)),
        ("16_duplicate_headers_extra_columns.csv", ["--system", "bart", "--guess"], (25, 0)),
    ],
)
@pytest.mark.usefixtures("study")
def test_what_asks_is_one_word_from_loading(study_data, name, args, after):
    status, _, _ = run(command_for(name), "mail", study_data("messy_uploads") / name, *args)

    assert status == 0
    assert stored() == after
