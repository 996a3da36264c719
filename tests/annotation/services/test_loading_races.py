"""A file that is loaded while the study is opened."""

import threading

import pytest
from django.db import connections

from annotation.enums import StudyState
from annotation.models import Study
from annotation.selectors.audit import audit_study
from annotation.services import loading
from annotation.services.loading import Source, load_file
from annotation.services.studies import change_state
from tests.factories import (
    NOON,
    DimensionFactory,
    JudgeGroupFactory,
    StudyFactory,
    UnitFactory,
)

OUTPUTS = "item_id,source,system,output\ni1,An e-mail.,One,First.\ni1,An e-mail.,Two,Second.\n"


@pytest.mark.django_db(transaction=True)
def test_outputs_loaded_while_the_study_opens_have_their_places(tmp_path, monkeypatch):
    study = StudyFactory(state=StudyState.DRAFT)
    DimensionFactory(phase__study=study)
    UnitFactory(output_version__output__item__study=study)
    JudgeGroupFactory(study=study, judges_per_unit=2)
    path = tmp_path / "outputs.csv"
    path.write_text(OUTPUTS, encoding="utf-8")
    is_loaded, is_opened, faults = threading.Event(), threading.Event(), []
    make_places_for = loading.make_places_for

    def then_let_it_open(study, units):
        make_places_for(study, units)
        is_loaded.set()  # stored, but not committed
        assert not is_opened.wait(timeout=1)

    def open_study():
        try:
            is_loaded.wait(timeout=60)
            change_state(Study.objects.get(pk=study.pk), StudyState.OPEN, at=NOON)
            is_opened.set()
        except Exception as fault:  # noqa: BLE001 -- a thread's fault is the test's finding
            faults.append(fault)
        finally:
            connections.close_all()

    monkeypatch.setattr(loading, "make_places_for", then_let_it_open)
    opening = threading.Thread(target=open_study)
    opening.start()
    load_file(study, Source(path, "outputs"), at=NOON)
    opening.join(timeout=60)

    (group,) = audit_study(Study.objects.get(pk=study.pk), at=NOON).groups
    assert faults == []
    assert (group.n_units, group.n_places) == (3, 6)
