"""JSON lines, a folder that the Hugging Face library loads with one call, Label Studio JSON."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from itertools import groupby
from pathlib import Path

from annotation.exporting.records import (
    TIDY_FIELDS,
    CodebookEntry,
    ItemBundle,
    ItemRecord,
    TidyRating,
    plain,
)

TYPES = {
    **dict.fromkeys(("value", "active_seconds"), "float64"),
    **dict.fromkeys(("output_version", "position", "revision"), "int64"),
    **dict.fromkeys(("is_check", "valid", "late"), "bool"),
    **dict.fromkeys(("opened_at", "submitted_at"), "timestamp[us, tz=UTC]"),
}


def tidy_jsonl(ratings: Iterable[TidyRating]) -> Iterator[str]:
    """Yield one line a rating, with the fields of the tidy table."""
    for row in ratings:
        yield _line({name: plain(getattr(row, name)) for name in TIDY_FIELDS})


def items_jsonl(bundles: Iterable[ItemBundle]) -> Iterator[str]:
    """Yield one line an item: its texts, an object of outputs, its ratings nested."""
    for bundle in bundles:
        yield _line(
            {
                **asdict(bundle.item),
                "outputs": bundle.outputs,
                "ratings": [
                    {name: plain(getattr(row, name)) for name in TIDY_FIELDS}
                    for row in bundle.ratings
                ],
            }
        )


def outputs_jsonl(bundles: Iterable[ItemBundle]) -> Iterator[str]:
    """Yield one line an output, with the texts of its item; what an empty study can be given."""
    for bundle in bundles:
        about = asdict(bundle.item)
        for system, text in bundle.outputs.items():
            yield _line(
                {
                    **about,
                    "system": system,
                    "system_kind": bundle.kinds.get(system, "machine"),
                    "output": text,
                    "output_version": bundle.versions.get(system, 1),
                }
            )


def write_data_set(
    folder: Path,
    *,
    name: str,
    bundles: Iterable[ItemBundle],
    codebook: Iterable[CodebookEntry] = (),
    licence: str = "other",
) -> None:
    """Write a folder for ``datasets.load_dataset(folder, "ratings")``: two tables and a card.

    The configuration ``ratings`` is the tidy table, ``outputs`` has one row an output.
    """
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    systems: set[str] = set()
    n_items = n_ratings = 0
    with (
        (data / "ratings.jsonl").open("w", encoding="utf-8", newline="\n") as ratings,
        (data / "outputs.jsonl").open("w", encoding="utf-8", newline="\n") as outputs,
    ):
        for bundle in bundles:
            n_items += 1
            n_ratings += len(bundle.ratings)
            systems.update(bundle.outputs)
            ratings.writelines(tidy_jsonl(bundle.ratings))
            outputs.writelines(outputs_jsonl([bundle]))
    sizes = f"{n_items} items, {len(systems)} systems, {n_ratings} ratings"
    card = _card(name, sizes, list(codebook), licence)
    (folder / "README.md").write_text(card, encoding="utf-8")


def _card(name: str, sizes: str, codebook: list[CodebookEntry], licence: str) -> str:
    lines = [
        "---",
        f"license: {json.dumps(licence)}",
        f"pretty_name: {json.dumps(name)}",
        *_features(),
        "configs:",
        "- config_name: ratings",
        "  data_files: data/ratings.jsonl",
        "  default: true",
        "- config_name: outputs",
        "  data_files: data/outputs.jsonl",
        "---",
        "",
        f"# {name}",
        "",
        f"Human ratings of generated text: {sizes}. Judges bear pseudonyms.",
        "",
        "`ratings` has a row for each rating, `outputs` for each output;",
        "`item_id` and `system` join them. Comparisons of outputs, where the study asks for them,",
        "are not in this folder: they are exported as comparisons.csv and comparisons.jsonl.",
        "",
        "## Dimensions",
        "",
    ]
    for entry in codebook:
        points = ", ".join(f"{value:g} = {label}" for value, label in entry.points)
        lines += [
            f"- **{entry.dimension}**: {entry.question or entry.definition} {points}".rstrip()
        ]
    return "\n".join([*lines, ""])


def _features() -> list[str]:
    """Declare the columns: the loader would guess from the first rows, and guess wrongly."""
    lists = {"source", "references", "prior_references", "facts"}
    outputs = [entry.name for entry in fields(ItemRecord)]
    outputs += ["system", "system_kind", "output", "output_version"]
    lines = ["dataset_info:", "- config_name: ratings", "  features:"]
    for name in TIDY_FIELDS:
        lines += [f"  - name: {name}", f"    dtype: {TYPES.get(name, 'string')}"]
    lines += ["- config_name: outputs", "  features:"]
    for name in outputs:
        kind = "sequence" if name in lists else "dtype"
        lines += [f"  - name: {name}", f"    {kind}: {TYPES.get(name, 'string')}"]
    return lines


def label_studio_json(bundles: Iterable[ItemBundle]) -> Iterator[str]:
    """Yield, piece by piece, a JSON list of Label Studio tasks, one an output."""
    yield "["
    number = 0
    for bundle in bundles:
        for system, text in bundle.outputs.items():
            yield (
                ("," if number else "")
                + "\n"
                + json.dumps(_task(number := number + 1, bundle, system, text), ensure_ascii=False)
            )
    yield "\n]\n"


def _task(number: int, bundle: ItemBundle, system: str, text: str) -> dict[str, object]:
    rows = sorted(
        (row for row in bundle.ratings if row.system == system), key=lambda row: row.judge
    )
    return {
        "id": number,
        "data": {
            "item_id": bundle.item.item_id,
            "system": system,
            "source": list(bundle.item.source),
            "output": text,
        },
        "annotations": [
            _annotation(judge, list(group)) for judge, group in groupby(rows, lambda row: row.judge)
        ],
    }


def _annotation(judge: str, rows: list[TidyRating]) -> dict[str, object]:
    return {
        "completed_by": {"username": judge, "email": f"{judge}@judges.invalid"},
        "created_at": plain(rows[0].submitted_at),
        "lead_time": rows[0].active_seconds,
        "was_cancelled": False,
        "ground_truth": False,
        "result": [_result(row) for row in rows if row.value is not None or row.text],
    }


def _result(row: TidyRating) -> dict[str, object]:
    named = {"from_name": row.dimension, "to_name": "output"}
    if row.value is None:
        return {**named, "type": "textarea", "value": {"text": [row.text]}}
    return {**named, "type": "number", "value": {"number": plain(row.value)}}


def _line(record: dict[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
