"""Records of programs that run language models: batches of requests, harnesses, benchmarks."""

from collections.abc import Iterator

Record = dict[str, object]


def of_model_run(record: Record) -> tuple[str, Iterator[Record]] | None:
    """Return the shape of a record that such a program wrote, and its rows; None for others."""
    if row := _batch(record) or _chat(record):
        return "batch_answers", iter([row])
    if row := _harness(record) or _inspect(record) or _helm(record) or _turns(record):
        return "model_run", iter([row])
    if rows := _submission(record):
        return "submission", iter(rows)
    return None


def _batch(record: Record) -> Record | None:
    """Read an answer of a batch of OpenAI, Anthropic or Gemini; no text where a request failed."""
    item = record.get("custom_id", record.get("key"))
    body, message = _at(record, "response", "body"), _at(record, "result", "message")
    candidates = _at(record, "response", "candidates")
    if item is None:
        return None
    if isinstance(_at(body, "choices"), list):
        text, model = _at(body, "choices", 0, "message", "content"), _at(body, "model")
    elif isinstance(message, dict) and "content" in message:
        text, model = message["content"], message.get("model")
    elif isinstance(candidates, list):
        text = _at(candidates, 0, "content", "parts")
        model = _at(record, "response", "modelVersion")
    else:
        return None
    return {"item_id": item, "system": model, "output": _text_of(text)}


def _chat(record: Record) -> Record | None:
    """Read one answer as the interface of OpenAI gives it."""
    text = _at(record, "choices", 0, "message", "content")
    if text is None or "model" not in record:
        return None
    item = record.get("custom_id", record.get("id"))
    return {"item_id": item, "system": record["model"], "output": _text_of(text)}


def _harness(record: Record) -> Record | None:
    """Read a sample of the LM evaluation harness: its target is what was expected."""
    answers = record.get("resps")
    text = _at(answers, 0, 0)
    if "doc_id" not in record or not isinstance(text, str) or _n(answers) != 1:
        return None
    prompt = _at(record, "arguments", "gen_args_0", "arg_0") or _at(record, "arguments", 0, 0)
    rest = {name: value for name, value in record.items() if not isinstance(value, dict | list)}
    told = {"item_id": rest.pop("doc_id"), "reference": rest.pop("target", None)}
    return {**told, "source": prompt, "output": text, **rest}


def _inspect(record: Record) -> Record | None:
    """Read a sample of a log of Inspect."""
    text = _at(record, "output", "choices", 0, "message", "content")
    if text is None or "input" not in record:
        return None
    return {
        "item_id": record.get("id"),
        "system": _at(record, "output", "model"),
        "source": _text_of(record["input"]),
        "reference": record.get("target"),
        "output": _text_of(text),
    }


def _helm(record: Record) -> Record | None:
    """Read a request of a scenario of HELM."""
    text = _at(record, "result", "completions", 0, "text")
    if text is None or not isinstance(record.get("instance"), dict):
        return None
    references = _at(record, "instance", "references")
    return {
        "item_id": _at(record, "instance", "id"),
        "system": _at(record, "request", "model"),
        "source": _at(record, "instance", "input", "text"),
        "references": [
            _at(entry, "output", "text")
            for entry in (references if isinstance(references, list) else [])
            if _at(entry, "tags") == ["correct"]
        ],
        "output": text,
    }


def _turns(record: Record) -> Record | None:
    """Read an answer of MT-Bench; one of several turns stays a list."""
    turns = _at(record, "choices", 0, "turns")
    if not isinstance(turns, list) or "question_id" not in record:
        return None
    output = turns[0] if len(turns) == 1 else turns
    return {
        "item_id": record["question_id"], "system": record.get("model_id"), "output": output,
    }  # fmt: skip


def _submission(record: Record) -> list[Record] | None:
    """Read a submission to GEM: outputs by task, perhaps with their keys."""
    tasks = record.get("tasks")
    if "submission_name" not in record or not isinstance(tasks, dict):
        return None
    rows = []
    for task, held in tasks.items():
        outputs = held.get("values") if isinstance(held, dict) else held
        keys = _at(held, "keys")
        for at, output in enumerate(outputs if isinstance(outputs, list) else []):
            item = _at(keys, at) or f"{task}-{at + 1}"
            system = record["submission_name"]
            rows.append({"item_id": item, "system": system, "domain": task, "output": output})
    return rows


def _at(value: object, *path: str | int) -> object:
    """Return what stands at a path of keys and places, or None."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _n(value: object) -> int:
    """Return how many answers there are, in lists of lists."""
    return sum(map(_n, value)) if isinstance(value, list) else 1


def _text_of(content: object) -> object:
    """Return the text of a message, whose parts may stand in a list, or of its last user."""
    if not isinstance(content, list):
        return content
    users = [_text_of(_at(part, "content")) for part in content if _at(part, "role") == "user"]
    if users:
        return users[-1]
    parts = [text for part in content if isinstance(text := _at(part, "text"), str)]
    return "".join(parts) if parts else None
