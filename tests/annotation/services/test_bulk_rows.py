import datetime as dt
import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Output, Unit
from annotation.services import bulk_rows
from annotation.services.bulk_rows import (
    MANY,
    check_keys,
    count_anew,
    insert_rows,
    random_handles,
    reserve_ids,
    room_for_keys,
    sparing_memory,
    stored_moment,
)
from annotation.services.loading import Source, load_file
from annotation.services.loading_outputs import CHUNK
from annotation.services.place_making import make_places
from tests.annotation.services.test_places import make_study
from tests.factories import DimensionFactory, JudgeFactory, StudyFactory, UnitFactory

pytestmark = pytest.mark.django_db


def test_handles_are_uuids_of_version_4_and_all_different():
    handles = random_handles(1000)

    assert len(set(handles)) == 1000
    assert {uuid.UUID(handle).version for handle in handles} == {4}
    assert {uuid.UUID(handle).variant for handle in handles} == {uuid.RFC_4122}


@pytest.mark.parametrize("as_text", [True, False])
def test_moments_and_handles_are_stored_alike_as_values_and_as_text(as_text):
    judge, unit = JudgeFactory(), UnitFactory()
    at = dt.datetime(2026, 3, 1, 12, 30, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    (handle,) = random_handles(1)
    told = (handle, stored_moment(at)) if as_text else (uuid.UUID(handle), at)

    with transaction.atomic():
        (pk,) = reserve_ids(Assignment, 1)
        insert_rows(
            Assignment,
            ("id", "unit_id", "judge_id", "group_id", "handle", "submitted_at", "origin"),
            [(pk, unit.pk, judge.pk, judge.group_id, *told, "imported")],
        )

    stored = Assignment.objects.get(pk=pk)
    assert (stored.handle, stored.submitted_at) == (uuid.UUID(handle), at)


def mapped():
    with connection.cursor() as cursor:
        return (cursor.execute("PRAGMA mmap_size").fetchone() or (None,))[0]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL maps nothing into us")
def test_sqlite_is_not_mapped_while_memory_is_spared_and_is_again_after():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA mmap_size = 1048576")
    usual = mapped()

    with sparing_memory():
        assert mapped() == (None if usual is None else 0)

    assert mapped() == usual


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite is given room")
def test_room_for_keys_is_given_back_even_after_an_error():
    def room():
        with connection.cursor() as cursor:
            return cursor.execute("PRAGMA cache_size").fetchone()[0]

    usual = room()
    given = []

    def interrupted():
        with transaction.atomic(), room_for_keys():
            given.append(room())
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        interrupted()

    assert (given, room()) == ([-256 * 1024], usual)


@pytest.mark.django_db(transaction=True)
def test_keys_are_looked_up_when_asked_rather_than_at_the_end():
    with pytest.raises(IntegrityError), transaction.atomic():  # noqa: PT012 -- where it is raised
        insert_rows(Output, ("id", "item_id", "system_id"), [(1, 10**9, 10**9)])
        check_keys()
        if connection.vendor == "postgresql":
            pytest.fail("The keys of a row without an item were not looked up.")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite looks keys up at the end")
def test_a_load_leaves_no_keys_to_be_looked_up_at_its_end(tmp_path):
    path = tmp_path / "outputs.csv"
    rows = "".join(f"i{n},A,Text {n}.\n" for n in range(CHUNK + 1))
    path.write_text(f"item_id,system,output\n{rows}")

    with CaptureQueriesContext(connection) as queries:
        load_file(StudyFactory(), Source(path, "outputs"), at=timezone.now())

    said = [query["sql"] for query in queries if "SET CONSTRAINTS" in query["sql"]]
    assert said == ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"] * 2


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite plans without counts")
def test_the_planner_knows_of_new_rows_at_once():
    UnitFactory.create_batch(7)

    count_anew(MANY, Unit)

    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [Unit._meta.db_table])
        assert cursor.fetchone() == (7,)


@pytest.mark.parametrize(("many", "is_told"), [(8, True), (9, False)])
def test_it_is_told_of_many_places_alone(monkeypatch, many, is_told):
    monkeypatch.setattr(bulk_rows, "MANY", many)
    study = make_study().study
    Assignment.objects.all().delete()

    with CaptureQueriesContext(connection) as asked:
        assert make_places(study) == 8

    assert _is_counted(asked) == (is_told and connection.vendor == "postgresql")


@pytest.mark.parametrize(("many", "is_told"), [(2, True), (3, False)])
@pytest.mark.parametrize("kind", ["outputs", "ratings"])
def test_it_is_told_of_many_loaded_rows_alone(monkeypatch, tmp_path, kind, many, is_told):
    monkeypatch.setattr(bulk_rows, "MANY", many)
    study = StudyFactory()
    DimensionFactory(phase__study=study, key="fluency")
    outputs, ratings = tmp_path / "outputs.csv", tmp_path / "ratings.csv"
    outputs.write_text("item_id,system,output\ni1,A,One.\ni2,A,Two.\n")
    ratings.write_text("item_id,system,judge,dimension,value\ni1,A,a,fluency,1\ni2,A,a,fluency,2\n")
    if kind == "ratings":
        load_file(study, Source(outputs, "outputs"), at=timezone.now())

    with CaptureQueriesContext(connection) as asked:
        load_file(study, Source(tmp_path / f"{kind}.csv", kind), at=timezone.now())

    assert _is_counted(asked) == (is_told and connection.vendor == "postgresql")


def _is_counted(asked):
    return any(query["sql"].startswith("ANALYZE") for query in asked)
