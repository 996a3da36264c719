"""The commands of docs/studies.md: each published study runs from its file to its tables."""

import csv
import json
import random
import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Rating

pytestmark = pytest.mark.django_db(transaction=True)
DOCUMENT = Path(__file__).resolve().parents[2] / "docs/studies.md"
WORDS = ["quick", "brown", "fox", "jumps", "over", "lazy", "dog", "small", "birds", "sing", "in"]
COMMANDS = [
    line.removeprefix("manage.py ")
    for block in re.findall(r"```\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]
# A test needs the tables, not the precision of their intervals.
FEWER = {"report": ["--resamples", "20"]}


def text(rng, n=9):
    return " ".join(rng.choices(WORDS, k=n)).capitalize() + "."


def outputs(name, *, n_items, systems, **more):
    """Return rows of outputs, the same each time."""
    rng = random.Random(name)  # noqa: S311 -- made-up texts
    rows = []
    for item in range(n_items):
        shared = {"item_id": f"{name}-{item:02d}", "source": text(rng, 40), "reference": text(rng)}
        shared |= {key: make(rng) for key, make in more.items()}
        rows += [shared | {"system": system, "output": text(rng)} for system in systems]
    return rows


def write_material(folder):
    """Write the files that the commands name."""
    kinds = [f"m{n}" for n in range(8)]
    files = {
        "aeslc.jsonl": outputs("mail", n_items=8, systems=["lead", "seq2seq", "human"]),
        "opinions.csv": outputs("place", n_items=20, systems=["a", "b", "c", "d"]),
        "facts.jsonl": outputs(
            "facts",
            n_items=6,
            systems=["gru", "t5"],
            facts=lambda rng: [text(rng, 4) for _ in "ab"],
        ),
        "updates.jsonl": outputs(
            "update", n_items=6, systems=kinds, prior_references=lambda rng: [text(rng)]
        ),
    }
    for name, rows in files.items():
        path = folder / name
        if path.suffix == ".jsonl":
            path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        else:
            write_csv(path, rows)
    scores = [
        {"item_id": row["item_id"], "system": row["system"]}
        | {f"metric{n}": len(row["output"]) * n % 7 for n in (1, 2)}
        for row in files["opinions.csv"]
    ]
    write_csv(folder / "opinions-scores.csv", scores)


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.DictWriter(file, fieldnames=list(rows[0]))
        lines.writeheader()
        lines.writerows(rows)


def commands_of(slug):
    return [words for words in map(shlex.split, COMMANDS) if slug in words]


@pytest.mark.parametrize(
    ("slug", "n_ratings", "tables"),
    [
        ("aeslc", 24 * 3 * 3, {"agreement", "means", "metrics", "systems"}),
        ("opinions", 80 * 2 * 4, {"agreement", "means", "summary_level", "system_level"}),
        (
            "facts",
            12 * 12 * (1 + 2 + 2),
            {"coverage", "groups_on_facts", "groups_on_ratings", "means"},
        ),
        (
            "updates",
            48,
            {
                *("bootstrap", "coefficients", "half_split", "metric_gap"),
                *("published_coefficients", "system_level"),
            },
        ),
    ],
)
def test_a_published_study_runs_from_its_file_to_its_tables(
    slug, n_ratings, tables, tmp_path, monkeypatch, settings
):
    settings.MEDIA_ROOT = tmp_path / "files"
    monkeypatch.chdir(tmp_path)
    write_material(tmp_path)

    for words in commands_of(slug):
        call_command(*words, *FEWER.get(words[0], []))

    assert Rating.objects.filter(assignment__unit__study__slug=slug).count() == n_ratings
    written = (tmp_path / f"report-{slug}" / "preset").iterdir()
    n_rows = {path.stem: len(path.read_text().splitlines()) - 1 for path in written}
    assert set(n_rows) == tables
    assert min(n_rows.values()) > 0


def test_every_command_of_the_document_is_run():
    run = [
        words for slug in ("aeslc", "opinions", "facts", "updates") for words in commands_of(slug)
    ]

    assert sorted(run) == sorted(map(shlex.split, COMMANDS))
