"""A large evaluation as a stored study, loaded by COPY on PostgreSQL, and its report from there.

``DATABASE_URL`` says which database; without it SQLite is used. Started as a process of its own by
the bench ``reports``, so that its memory is its own too: ``python -m tests.benchmarks.large_study``
prints seconds from request to done, of the clock and of the worker's CPU; the same until the rows
were read; seconds of the page; and peak MB.
"""

import datetime as dt
import os
import resource
import tempfile
import time
from itertools import repeat
from pathlib import Path

import numpy as np

NINE_SECONDS = dt.timedelta(seconds=9)


def load(evaluation):
    """Store an evaluation as a study whose every rating was collected here, and return it."""
    from annotation.models import (
        Assignment,
        Rating,
        RatingEvent,
        ScalePoint,
        Visit,
    )  # fmt: skip
    from annotation.services.bulk_rows import random_handles
    from tests.factories import (
        NOON,
        DimensionFactory,
        JudgeFactory,
        JudgeGroupFactory,
        PhaseFactory,
        ScaleFactory,
        StudyFactory,
    )  # fmt: skip

    rows, scores = evaluation.judgements, evaluation.scores
    study = StudyFactory(slug=evaluation.study, state="closed")
    phase, scale = PhaseFactory(study=study), ScaleFactory(study=study)
    ScalePoint.objects.create(scale=scale, position=5, value=5, label="Best")
    dimensions = [DimensionFactory(phase=phase, scale=scale, key=k).pk for k in rows.dimension.keys]
    group = JudgeGroupFactory(study=study, key=rows.group.keys[0])
    judges = [JudgeFactory(study=study, group=group, pseudonym=k).pk for k in rows.judge.keys]
    units, versions = _material(study, rows)
    n_works = len(units) * len(judges)
    moments = [NOON + NINE_SECONDS * k for k in range(n_works)]
    works = _insert(
        Assignment,
        ("unit_id", "group_id", "judge_id", "slot", "handle", "submitted_at"), n_works,
        np.repeat(units, len(judges)).tolist(), repeat(group.pk), judges * len(units),
        [*range(1, len(judges) + 1)] * len(units), random_handles(n_works), moments,
    )  # fmt: skip
    _insert(Visit, ("assignment_id", "phase_id", "position", "opened_at", "active_ms"), n_works,
            works, repeat(phase.pk), range(n_works), moments, repeat(9_000))  # fmt: skip
    cell = rows.item.codes * len(rows.system.keys) + rows.system.codes
    place = cell * len(judges) + rows.judge.codes
    order = np.argsort(place, kind="stable")
    _insert(Rating, ("assignment_id", "dimension_id", "value", "rated_at"), rows.n_rows,
            np.array(works)[place[order]].tolist(),
            np.array(dimensions)[rows.dimension.codes[order]].tolist(),
            rows.value[order].tolist(), repeat(NOON))  # fmt: skip
    RatingEvent.objects.create(
        study=study, assignment_id=works[0], dimension_id=dimensions[0], source="key", at=NOON
    )
    _scores(study, scores, versions)
    return study


def _material(study, rows):
    """Store items, systems and outputs; return keys of units and versions, by item and system."""
    from annotation.models import Item, Output, OutputVersion, Unit
    from tests.factories import SystemFactory

    systems = [SystemFactory(study=study, key=key).pk for key in rows.system.keys]
    n_items = len(rows.item.keys)
    items = _insert(
        Item, ("study_id", "key", "position", "source"), n_items,
        repeat(study.pk), rows.item.keys, range(n_items), repeat(["A source."]),
    )  # fmt: skip
    n = n_items * len(systems)
    of_item, of_system = np.repeat(items, len(systems)).tolist(), systems * n_items
    outputs = _insert(Output, ("item_id", "system_id"), n, of_item, of_system)
    versions = _insert(OutputVersion, ("output_id", "text", "checksum"), n,
                       outputs, repeat("What the system wrote."), repeat("0" * 64))  # fmt: skip
    units = _insert(Unit, ("study_id", "item_id", "output_version_id", "system_id"), n,
                    repeat(study.pk), of_item, versions, of_system)  # fmt: skip
    return units, versions


def _scores(study, scores, versions):
    from metrics_app.models import Metric, Score

    metrics = [
        Metric.objects.create(study=study, key=key, position=place).pk
        for place, key in enumerate(scores.metric.keys)
    ]
    output = scores.item.codes * len(scores.system.keys) + scores.system.codes
    _insert(Score, ("metric_id", "output_version_id", "value"), scores.value.size,
            np.array(metrics)[scores.metric.codes].tolist(),
            np.array(versions)[output].tolist(), scores.value.tolist())  # fmt: skip


def _insert(model, names, n, *columns):
    from annotation.services.bulk_rows import insert_rows, reserve_ids

    keys = reserve_ids(model, n)
    insert_rows(model, ("id", *names), zip(keys, *columns, strict=False))
    return keys


def main():
    """Build the study in a database made for it, ask for its report, run the task, get the page."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    django.setup()
    from django.db import connection, transaction

    name = f"bench_{os.getpid()}"
    is_postgres = connection.vendor == "postgresql"
    connection.settings_dict["TEST"]["NAME"] = (
        name if is_postgres else str(Path(tempfile.gettempdir()) / name)
    )
    old = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0)
    try:
        from tests.benchmarks.reports import evaluation

        with transaction.atomic():
            study = load(evaluation())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        found = (*_report(study), _page(study))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(*(f"{seconds:.3f}" for seconds in found), peak)
    finally:
        connection.creation.destroy_test_db(old, verbosity=0)


def _report(study):
    """Return seconds of the clock and of CPU from request to done, and until rows were read."""
    from django.utils import timezone

    from annotation.selectors.doors import study_named
    from jobs.services import Progress
    from metrics_app.services.analyses import request_analysis
    from metrics_app.tasks import run_analysis_task

    moments = []
    plain = Progress.__call__

    def watched(self, done, total, stage):
        moments.append((stage, time.perf_counter() - start, time.process_time() - cpu))
        return plain(self, done, total, stage)

    Progress.__call__ = watched
    start, cpu = time.perf_counter(), time.process_time()
    analysis = request_analysis(study_named(study.slug), at=timezone.now())
    run_analysis_task.delay(analysis.job_id)
    done, spent = time.perf_counter() - start, time.process_time() - cpu
    Progress.__call__ = plain
    analysis.refresh_from_db()
    assert analysis.result["overview"]["n_ratings"] > 0, analysis.job.state
    _, reading, reading_cpu = next(moment for moment in moments if moment[0] == "Means")
    return done, spent, reading, reading_cpu


def _page(study):
    """Return the median seconds in which the server answers with the report page, warm."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    address = reverse("metrics_app:report", args=[study.slug])
    seconds = []
    for _ in range(7):
        start = time.perf_counter()
        response = client.get(address)
        seconds.append(time.perf_counter() - start)
        assert response.status_code == 200
    return float(np.median(seconds[1:]))


if __name__ == "__main__":
    main()
