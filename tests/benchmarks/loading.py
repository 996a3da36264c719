"""Loading files into the database against two peers: scripts, and Label Studio.

The scripts' way is csv.DictReader with bulk_create, which checks nothing; Label Studio takes tasks
by its API. Ours reads, checks and loads, after a dry run that is told beside it. Seconds are of
CPU, of this process and of its PostgreSQL backend together, or of Label Studio's server: a busy
machine does not change them as it changes the clock. Every measurement is a process and a database
of its own, so that memory is its own too.

PostgreSQL looks up every foreign key of every row, whether rows come by COPY or INSERT, and our
rows have no fewer keys than the scripts'. Of the 3.3 s that PostgreSQL 15 itself needs for 100,000
ratings and their 50,000 assignments those looks are two, of ours and of the scripts' alike: with
keys checked, three times the scripts' way is what COPY can reach.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

from tests.benchmarks import label_studio
from tests.load.postgres import find_binaries, private_postgres

SIZES = (10_000, 100_000, 1_000_000)
MANY_RATINGS = 3_000_000
SCRIPTS = "DictReader + bulk_create, unchecked"
LABEL_STUDIO = f"Label Studio {label_studio.VERSION}, POST of tasks"
N_SYSTEMS, N_JUDGES, DIMENSIONS = 10, 5, ("fluency", "coherence")
PER_OUTPUT = N_JUDGES * len(DIMENSIONS)


def rows():
    """Yield (work, our seconds, peer, its seconds, ratio, note)."""
    yield from rows_on("SQLite", "")
    if find_binaries() is not None:
        with private_postgres() as postgres:
            yield from rows_on("PostgreSQL", postgres.url)


def rows_on(database, url):
    """Yield the rows of one database."""
    for kind, n in product(("outputs", "ratings"), SIZES):
        dry, _ = measured("dry", kind, n, url)
        ours, memory = measured("ours", kind, n, url)
        theirs, their_memory = measured("peer", kind, n, url)
        work = f"load {n:,} {kind}, {database}"
        note = (
            f"{n / ours:,.0f} rows a second, checked as they load; the dry run before it "
            f"{dry:.1f} s; peak {memory} MB, peer {{}} MB"
        )
        yield work, ours, SCRIPTS, theirs, theirs / ours, note.format(their_memory)
        if kind == "outputs" and not url:  # as it installs itself: on SQLite
            theirs, their_memory = label_studio.import_outputs(outputs(n), n)
            yield work, ours, LABEL_STUDIO, theirs, theirs / ours, note.format(their_memory)
    ours, memory = measured("ours", "ratings", MANY_RATINGS, url)
    note = f"{MANY_RATINGS / ours:,.0f} rows a second, peak {memory} MB"
    work = f"load {MANY_RATINGS:,} ratings, {database}"
    yield work, ours, "none", float("nan"), float("nan"), note


def measured(how, kind, n, url):
    """Return the seconds and the peak memory in MB of one way to load, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.loading", how, kind, str(n)]
    out = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | {"DATABASE_URL": url}
    ).stdout
    seconds, memory = out.split()[-2:]
    return float(seconds), int(memory)


def outputs(n):
    """Yield n outputs, ten systems an item."""
    for item, system in product(range(n // N_SYSTEMS), range(N_SYSTEMS)):
        yield {
            "item_id": f"i{item}",
            "system": f"s{system}",
            "source": f"A source about the matter {item} at hand.",
            "output": f"System {system} says of {item} that it is {item * 7 % 13} and well.",
        }


def write_outputs(path, n):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ("item_id", "system", "source", "output"))
        writer.writeheader()
        writer.writerows(outputs(n))


def write_ratings(path, n):
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write("item_id,system,judge,judge_group,dimension,value\n")
        for item, system in product(range(n // N_SYSTEMS // PER_OUTPUT), range(N_SYSTEMS)):
            for judge, dimension in product(range(N_JUDGES), DIMENSIONS):
                value = 1 + (item * 31 + system * 7 + judge) % 5
                name = f"w{(item + judge * 61) % 300 + 1:03d}"
                stream.write(f"i{item},s{system},{name},crowd,{dimension},{value}\n")


def one(how, kind, n):
    """Load one file in one way into a database made for it; print seconds and peak MB."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    django.setup()
    from django.db import connection

    name = f"bench_{os.getpid()}"
    connection.settings_dict["TEST"]["NAME"] = (
        name if connection.vendor == "postgresql" else str(Path(tempfile.gettempdir()) / name)
    )
    old = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            _load(how, kind, n, Path(folder))
    finally:
        connection.creation.destroy_test_db(old, verbosity=0)


def _load(how, kind, n, folder):
    from django.core.management import call_command
    from django.utils import timezone

    from annotation.importing.plain_blocks import pyarrow
    from annotation.models import Study
    from annotation.services.loading import Source, check_file, load_checked, load_file

    pyarrow()  # what is imported once is not part of a load

    call_command("create_study", "bench", "--dimensions", ",".join(DIMENSIONS), "--scale", "1-5")
    study = Study.objects.get()
    path = folder / f"{kind}.csv"
    if kind == "ratings":
        write_outputs(folder / "outputs.csv", n // PER_OUTPUT)
        load_file(study, Source(folder / "outputs.csv", "outputs"), at=timezone.now())
        write_ratings(path, n)
    else:
        write_outputs(path, n)
    start = time.process_time() + server_seconds()
    if how == "peer":
        (peer_ratings if kind == "ratings" else peer_outputs)(study, path)
    elif how == "dry":
        assert check_file(study, Source(path, kind)).report.can_load
    else:
        load_checked(study, Source(path, kind), at=timezone.now())
    spent = time.process_time() + server_seconds() - start
    print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def server_seconds():
    """Return the CPU seconds of this connection's PostgreSQL backend; 0 on SQLite, or elsewhere."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        stat = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def peer_outputs(study, path):
    """Load as most scripts do: rows to objects, objects to bulk_create."""
    from django.db import transaction

    from annotation.models import Item, Output, OutputVersion, System, Unit

    with path.open(encoding="utf-8", newline="") as stream, transaction.atomic():
        table = list(csv.DictReader(stream))
        keys = dict.fromkeys(row["item_id"] for row in table)
        sources = {row["item_id"]: row["source"] for row in table}
        items = Item.objects.bulk_create(
            [
                Item(study=study, key=key, position=at, source=[sources[key]])
                for at, key in enumerate(keys, start=1)
            ],
            batch_size=5_000,
        )
        systems = System.objects.bulk_create(
            System(study=study, key=key, position=at)
            for at, key in enumerate(dict.fromkeys(row["system"] for row in table), start=1)
        )
        item_of, system_of = {i.key: i for i in items}, {s.key: s for s in systems}
        outputs = Output.objects.bulk_create(
            [Output(item=item_of[r["item_id"]], system=system_of[r["system"]]) for r in table],
            batch_size=5_000,
        )
        versions = OutputVersion.objects.bulk_create(
            [
                OutputVersion(output=output, text=row["output"], checksum="")
                for output, row in zip(outputs, table, strict=True)
            ],
            batch_size=5_000,
        )
        Unit.objects.bulk_create(
            [
                Unit(study=study, item=v.output.item, system=v.output.system, output_version=v)
                for v in versions
            ],
            batch_size=5_000,
        )


def peer_ratings(study, path):
    """Load as most scripts do: rows to objects, objects to bulk_create."""
    from django.db import transaction
    from django.utils import timezone

    from annotation.models import Assignment, Dimension, Judge, JudgeGroup, Rating, Unit

    now = timezone.now()
    units = {
        (item, system): pk
        for pk, item, system in Unit.objects.values_list("pk", "item__key", "system__key")
    }
    dimensions = dict(Dimension.objects.values_list("key", "pk"))
    with path.open(encoding="utf-8", newline="") as stream, transaction.atomic():
        table = list(csv.DictReader(stream))
        group = JudgeGroup.objects.create(study=study, key="peer", name="Peer")
        names = dict.fromkeys(row["judge"] for row in table)
        judges = {
            judge.pseudonym: judge
            for judge in Judge.objects.bulk_create(
                Judge(study=study, group=group, pseudonym=name, joined_at=now) for name in names
            )
        }
        works = {
            (row["item_id"], row["system"], row["judge"]): Assignment(
                unit_id=units[row["item_id"], row["system"]],
                judge=judges[row["judge"]],
                group=group,
                origin="imported",
                submitted_at=now,
            )
            for row in table
        }
        Assignment.objects.bulk_create(works.values(), batch_size=5_000)
        Rating.objects.bulk_create(
            [
                Rating(
                    assignment=works[row["item_id"], row["system"], row["judge"]],
                    dimension_id=dimensions[row["dimension"]],
                    value=float(row["value"]),
                    rated_at=now,
                )
                for row in table
            ],
            batch_size=5_000,
        )


if __name__ == "__main__":
    one(sys.argv[1], sys.argv[2], int(sys.argv[3]))
