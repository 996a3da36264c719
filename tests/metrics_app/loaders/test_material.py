import pytest

from annotation.models import Reference
from metrics_app.loaders.material import content_hash, scorable_outputs
from tests.metrics_app.material import new_version, study_with_texts

pytestmark = pytest.mark.django_db


def hashes(study, signature="length"):
    return {
        (out.item, out.system): content_hash(signature, out) for out in scorable_outputs(study.pk)
    }


def test_equal_texts_have_equal_hashes_in_every_study():
    study = study_with_texts()

    assert hashes(study) == hashes(study_with_texts())
    assert len(set(hashes(study).values())) == 4
    assert not set(hashes(study).values()) & set(hashes(study, "length|unit").values())


def test_a_changed_text_changes_the_hashes_of_the_outputs_it_belongs_to():
    study = study_with_texts()
    before = hashes(study)
    new_version(study, "i0", "A", "one two")
    Reference.objects.filter(item__key="i1", role="reference").update(role="prior", position=2)

    after = hashes(study)

    assert [key for key in before if before[key] == after[key]] == [("i0", "B")]
