"""Records of other tools in JSON: Label Studio, Potato, SummEval, Argilla, campaigns, models."""

import re
from collections import Counter
from collections.abc import Iterator

from annotation.importing.campaigns import of_campaign
from annotation.importing.dialect import fold
from annotation.importing.model_runs import of_model_run
from annotation.importing.synonyms import fields_by_name

Record = dict[str, object]
ANNOTATIONS = "_annotations"
LAST_NUMBER = re.compile(r"(\d+(\.\d+)?)$")


def of_other_tool(record: Record) -> tuple[str, Iterator[Record]] | None:
    """Return the shape of a record that another tool wrote, and its rows; None for our own."""
    if run := of_model_run(record):
        return run
    if is_summeval(record):
        return "summeval", summeval_rows(record)
    if is_label_studio(record):
        return "label_studio", label_studio_rows(record)
    if is_potato(record):
        return "potato", potato_rows(record)
    if is_doccano(record):
        return "doccano", iter([doccano_row(record)])
    return of_campaign(record, _named)


def is_label_studio(record: Record) -> bool:
    """Whether a record is a task of Label Studio."""
    return isinstance(record.get("data"), dict) and isinstance(
        record.get("annotations", record.get("completions")), list
    )


def label_studio_rows(task: Record) -> Iterator[Record]:
    """Yield one row for each answer of each annotation; a task without any gives its data."""
    data = task["data"]
    base = _named(data if isinstance(data, dict) else {})
    base.setdefault("item_id", task.get("id"))
    annotations = task.get("annotations", task.get("completions"))
    rows = [
        {**base, **answer}
        for annotation in (annotations if isinstance(annotations, list) else [])
        if isinstance(annotation, dict) and annotation.get("was_cancelled") is not True
        for answer in _answers(annotation)
    ]
    yield from rows or [base]


def _named(data: Record) -> Record:
    """Return the data of a task with the names of our fields."""
    fields = fields_by_name([*data], "outputs")
    n_columns = Counter(fields.values())  # several references keep their own names
    return {
        fields[at] if n_columns[fields.get(at, "")] == 1 else key: value
        for at, (key, value) in enumerate(data.items())
    }


def _answers(annotation: Record) -> Iterator[Record]:
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("username") or who.get("email") or who.get("id")
    about = {
        "judge": who,
        "submitted_at": annotation.get("created_at"),
        "active_seconds": annotation.get("lead_time"),
    }
    results = annotation.get("result")
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict) and isinstance(result.get("value"), dict):
            value, text = _answer(result["value"])
            question = result.get("from_name")
            yield {
                **about,
                "dimension": question,
                "value": value,
                "answer_text": text,
            }


def _answer(value: Record) -> tuple[object, object]:
    """Return an answer as (value, text)."""
    for key in ("rating", "number"):
        if key in value:
            return value[key], None
    choices, text = value.get("choices"), value.get("text")
    if isinstance(choices, list) and choices:
        return choices[0] if len(choices) == 1 else ", ".join(map(str, choices)), None
    return None, "\n".join(map(str, text)) if isinstance(text, list) else text


def is_potato(record: Record) -> bool:
    """Whether a record is an annotated instance of Potato."""
    return isinstance(record.get("label_annotations"), dict)


def potato_rows(instance: Record) -> Iterator[Record]:
    """Yield one row for each question an annotator answered about an instance."""
    labels = instance.get("label_annotations")
    base = {key: value for key, value in instance.items() if not isinstance(value, dict | list)}
    for question, answers in (labels if isinstance(labels, dict) else {}).items():
        for label, value in answers.items() if isinstance(answers, dict) else ():
            yield {**base, "dimension": question, "value": one_hot(str(label), value)}


def one_hot(label: str, cell: object) -> str:
    """Return the answer that a filled one-hot cell stands for: the number its label ends in."""
    found = LAST_NUMBER.search(label)
    if found:
        return found[1]
    text = str(cell)
    return label if text.lower() in {"true", "1", "on"} else text


def is_doccano(record: Record) -> bool:
    """Whether a record is a text of doccano with its labels."""
    return isinstance(record.get("label"), list) and "id" in record and _text_of(record) != ""


def doccano_row(record: Record) -> Record:
    """Return a text and the label it was given; several labels stand in one text."""
    labels = record["label"]
    rest = {key: value for key, value in record.items() if not isinstance(value, dict | list)}
    text = rest.pop(_text_of(record))
    value = ", ".join(map(str, labels)) if isinstance(labels, list) else labels
    return {**_named(rest), "output": text, "value": value}


def _text_of(record: Record) -> str:
    return next((key for key in ("text", "data") if isinstance(record.get(key), str)), "")


def is_summeval(record: Record) -> bool:
    """Whether a record holds lists of judges' answers, as the release of SummEval does."""
    return any(_is_judged_list(key, entry) for key, entry in record.items())


def summeval_rows(record: Record) -> Iterator[Record]:
    """Yield one row for each answer; a judge is known by the group and the place in the list."""
    lists = {key: entry for key, entry in record.items() if _is_judged_list(key, entry)}
    base = _named({key: entry for key, entry in record.items() if key not in lists})
    for key, entries in lists.items():
        group = fold(key).removesuffix(ANNOTATIONS)
        for number, answers in enumerate(entries if isinstance(entries, list) else [], start=1):
            judge = {"judge": f"{group}-{number}", "judge_group": group}
            for dimension, value in answers.items():
                yield {**base, **judge, "dimension": dimension, "value": value}


def _is_judged_list(key: str, entry: object) -> bool:
    return (
        fold(key).endswith(ANNOTATIONS)
        and isinstance(entry, list)
        and bool(entry)
        and all(isinstance(answers, dict) and answers for answers in entry)
    )
