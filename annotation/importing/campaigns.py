"""Answers of judges as campaigns of other tools keep them: Argilla, factgenie, Pearmut, Prodigy."""

from collections.abc import Callable, Iterator

Record = dict[str, object]
Named = Callable[[Record], Record]
# What a judge left or threw away in Argilla is no answer.
LEFT = frozenset({"draft", "discarded", "pending"})
RESPONSES, USERS, STATUS = ".responses", ".responses.users", ".responses.status"
# Lists of answers of factgenie, each with a label and a value, and where their values belong.
ANSWERS = {
    "sliders": "value", "options": "value", "flags": "value", "text_fields": "answer_text",
}  # fmt: skip


def of_campaign(record: Record, named: Named) -> tuple[str, Iterator[Record]] | None:
    """Return the shape of a record that such a tool wrote, and its rows; None for others.

    Parameters
    ----------
    record : dict
    named : callable
        Gives what a record says of its output the names of our fields.
    """
    if isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), list | dict):
        return "argilla", _argilla(record, named)
    questions = [key.removesuffix(USERS) for key in record if key.endswith(USERS)]
    if questions:
        return "argilla", _argilla_columns(record, questions, named)
    if "setup_id" in record and any(isinstance(record.get(key), list) for key in ANSWERS):
        return "factgenie", _factgenie(record, named)
    if isinstance(record.get("annotation"), list) and isinstance(record.get("item"), list):
        return "pearmut", _pearmut(record)
    if "_task_hash" in record and "answer" in record:
        return "prodigy", _prodigy(record, named)
    return None


def _argilla(record: Record, named: Named) -> Iterator[Record]:
    fields, metadata = record["fields"], record.get("metadata")
    base = named({**_plain(metadata), **_plain(fields)})
    base.setdefault("item_id", record.get("external_id") or record.get("id"))
    responses = record["responses"]
    given = list(_given(responses))
    yield from ({**base, **answer} for answer in given)
    if not given:
        yield base


def _given(responses: object) -> Iterator[Record]:
    """Yield the answers of a record of Argilla: by question in version 2, by judge before."""
    if isinstance(responses, dict):
        for question, answers in responses.items():
            for answer in _records(answers):
                if answer.get("status") not in LEFT:
                    yield _said(answer.get("user_id"), question, answer.get("value"))
        return
    for response in _records(responses):
        values = response.get("values")
        if response.get("status") not in LEFT and isinstance(values, dict):
            for question, answer in values.items():
                value = answer.get("value") if isinstance(answer, dict) else answer
                yield _said(response.get("user_id"), question, value)


def _argilla_columns(record: Record, questions: list[str], named: Named) -> Iterator[Record]:
    """Yield the answers of a record of Argilla in columns, as its data sets are published."""
    base = named({
        key: value
        for key, value in record.items()
        if not any(key.startswith(f"{question}.") for question in questions)
    })  # fmt: skip
    rows = [
        {**base, **_said(user, question, value)}
        for question in questions
        for user, value, status in _in_columns(record, question)
        if status not in LEFT
    ]
    yield from rows or [base]


def _in_columns(record: Record, question: str) -> Iterator[tuple[object, object, object]]:
    columns = [record.get(question + name) for name in (USERS, RESPONSES, STATUS)]
    users, values, statuses = (entry if isinstance(entry, list) else [] for entry in columns)
    for at, (user, value) in enumerate(zip(users, values, strict=False)):
        yield user, value, statuses[at] if at < len(statuses) else ""


def _factgenie(record: Record, named: Named) -> Iterator[Record]:
    base = named(_plain(record))
    campaign = _plain(record.get("metadata"))
    base |= {
        "judge": campaign.get("annotator_id", record.get("annotator_id")),
        "judge_group": campaign.get("annotator_group", record.get("annotator_group")),
    }
    answers = [
        {"dimension": answer.get("label"), held: answer.get("value")}
        for key, held in ANSWERS.items()
        for answer in _records(record.get(key))
    ]
    yield from ({**base, **answer} for answer in answers)
    if not answers:
        yield base


def _pearmut(record: Record) -> Iterator[Record]:
    """Yield the scores of each item of a document, by system."""
    items, answers = _records(record["item"]), _records(record["annotation"])
    for item, by_system in zip(items, answers, strict=False):
        texts = item.get("tgt")
        for system, said in by_system.items():
            base = {
                "item_id": item.get("item_id"), "system": system, "source": item.get("src"),
                "output": texts.get(system) if isinstance(texts, dict) else None,
                "judge": record.get("user_id"),
            }  # fmt: skip
            for name, value in _plain(said).items():
                yield {**base, "dimension": name, "value": value}


def _prodigy(record: Record, named: Named) -> Iterator[Record]:
    """Yield what a judge of Prodigy chose, or whether it was accepted; nothing where ignored."""
    if record["answer"] == "ignore":
        return
    about = {key: value for key, value in _plain(record).items() if not key.startswith("_")}
    about.pop("answer")
    chosen = record.get("accept")
    value = ", ".join(map(str, chosen)) if isinstance(chosen, list) else record["answer"]
    judge = record.get("_annotator_id") or record.get("_session_id")
    yield {**named({**_plain(record.get("meta")), **about}), "judge": judge, "value": value}


def _said(judge: object, question: object, value: object) -> Record:
    """Return an answer; several at once stand in one text."""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return {"judge": judge, "dimension": question, "value": value}


def _plain(record: object) -> Record:
    """Return the values of a record that are neither lists nor objects."""
    if not isinstance(record, dict):
        return {}
    return {key: value for key, value in record.items() if not isinstance(value, dict | list)}


def _records(entries: object) -> list[Record]:
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]
