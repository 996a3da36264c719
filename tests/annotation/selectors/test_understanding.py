import pytest

from annotation.selectors.understanding import understand
from tests.factories import DimensionFactory, StudyFactory, SystemFactory

pytestmark = pytest.mark.django_db


def bound_in(tmp_path, header, *rows):
    study = StudyFactory()
    for key in ("fluency", "self_coherence"):
        DimensionFactory(phase__study=study, key=key)
    for key in ("bart", "T5"):
        SystemFactory(study=study, key=key)
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    mapping = understand(study, file, kind="ratings", options={}).mapping
    return {column.name: dict(column.bound) for column in mapping.columns if column.bound}


def test_wide_columns_are_bound_to_the_studys_own_dimensions(tmp_path):
    bound = bound_in(
        tmp_path, "id,model,rater,FLUENCY,Self coherence rating,Grit", "1,bart,r1,4,5,2"
    )

    assert bound == {
        "FLUENCY": {"dimension": "fluency"},
        "Self coherence rating": {"dimension": "self_coherence"},
        "Grit": {"dimension": "Grit"},
    }


def test_a_name_that_the_study_has_is_not_given_to_a_second_column(tmp_path):
    bound = bound_in(tmp_path, "id,model,rater,fluency,fluency_score", "1,bart,r1,4,5")

    assert [its["dimension"] for its in bound.values()] == ["fluency", "fluency_score"]


def test_systems_in_column_names_are_the_studys_own(tmp_path):
    bound = bound_in(tmp_path, "id,rater,BART_fluency,t5_Fluency", "1,r1,4,5")

    assert bound == {
        "BART_fluency": {"system": "bart", "dimension": "fluency"},
        "t5_Fluency": {"system": "T5", "dimension": "fluency"},
    }
