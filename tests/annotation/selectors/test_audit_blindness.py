import pytest

from annotation.selectors.audit_blindness import is_named, tell_tales
from tests.annotation.judging_studies import make_study


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lead", "Lead is one of the systems.", True),
        ("lead", "Compare it with lead-7.", True),
        ("lead", "As Lead2 I wrote this.", True),
        ("lead", "It may mislead its readers.", False),
        ("lead", "It may mislead, as LEAD does.", True),
        ("lead", "leading and misleading", False),
        ("v12", "v123", False),
        ("v12", "v12", True),
        ("t5_base", "made by t5_base.", True),
        ("aba", "xaba aba", True),
        ("通义千问", "我是通义千问模型", True),
        ("نموذج", "والنموذج", True),
        ("Bär", "Bären", False),
    ],
)
def test_a_name_is_found_as_a_word_and_not_inside_one(name, text, expected):
    assert is_named(name, text) is expected


@pytest.mark.django_db
def test_an_output_with_the_name_inside_a_word_tells_nothing():
    study = make_study().study
    system = study.systems.first()
    system.key = "lead"
    system.save()
    told, untold = study.units.filter(system=system).select_related("output_version")[:2]
    for unit, text in ((told, "I am Lead."), (untold, "They mislead.")):
        unit.output_version.text = text
        unit.output_version.save()

    found = [deviation.where for deviation in tell_tales(study, [])]

    assert found == [told.item.key]
