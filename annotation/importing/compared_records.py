"""Comparisons in JSON: our own export, rankings in a list, a list or an object of them per item."""

from collections.abc import Iterator

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS

Record = dict[str, object]
JUDGE_NAMES = frozenset(FIELDS["ratings"]["judge"])
RANKING_NAMES = frozenset({"ranking", "ranks", "ranked", "order", "preference_order"})
# Names of lists, and of objects by judge, that hold what was said of one item.
SETS = frozenset((
    "rankings", "ranks", "comparisons", "choices", "preferences", "pairs", "judgments",
    "judgements", "annotations", "votes", "battles", "answers",
))  # fmt: skip
TELLING = frozenset((
    *RANKING_NAMES, "members", "choice", "preference", "preferred", "winner", "system_a", "model_a",
))  # fmt: skip
LISTED = frozenset({"systems", "models"})


def compared_rows(record: Record) -> Iterator[Record] | None:
    """Return the rows of a record that tells of comparisons, or None where it tells of none."""
    key = next((key for key, entry in record.items() if _is_set(key, entry)), None)
    if key is not None:
        return _of_item(record, key)
    if _members(record) or any(_is_ranking(key, entry) for key, entry in record.items()):
        return iter([_row(record)])
    return None


def _is_set(key: str, entry: object) -> bool:
    if fold(key) not in SETS:
        return False
    if isinstance(entry, list):
        return bool(entry) and all(map(_tells, entry))
    return isinstance(entry, dict) and bool(entry) and all(map(_tells, entry.values()))


def _tells(entry: object) -> bool:
    """Whether an entry is a comparison, or a ranking by itself."""
    if isinstance(entry, dict):
        names = {fold(name) for name in entry}
        return bool(names & TELLING) or _are_ranks(entry)
    return isinstance(entry, list) and len(entry) > 1 and all(map(_is_place, entry))


def _is_place(entry: object) -> bool:
    """Whether an entry of a list is a system, or systems that are tied."""
    if isinstance(entry, list):
        return all(isinstance(name, str) for name in entry)
    return isinstance(entry, str) and not entry.isdecimal()


def _are_ranks(entry: Record) -> bool:
    """Whether an object gives ranks by name."""
    told = [rank for rank in entry.values() if rank is not None]
    return len(told) > 1 and all(
        isinstance(rank, str) and rank.replace(".", "").isdecimal() for rank in told
    )


def _is_ranking(key: str, entry: object) -> bool:
    if fold(key) not in RANKING_NAMES:
        return False
    return (isinstance(entry, dict) and _are_ranks(entry)) or (
        isinstance(entry, list) and len(entry) > 1
    )


def _of_item(record: Record, key: str) -> Iterator[Record]:
    """Yield the comparisons of one item, with what the record says about all of them."""
    base = {name: entry for name, entry in record.items() if not isinstance(entry, dict | list)}
    entries = record[key]
    if isinstance(entries, dict):
        # Of a judge who is named the names inside are those of dimensions, else of judges.
        has_judge = any(fold(name) in JUDGE_NAMES for name in base)
        for name, entry in entries.items():
            yield _row({**base, "dimension" if has_judge else "judge": name, **_said(entry)})
    elif isinstance(entries, list):
        for entry in entries:
            yield _row({**base, **_said(entry)})


def _said(entry: object) -> Record:
    is_record = isinstance(entry, dict) and bool({fold(name) for name in entry} & TELLING)
    return entry if is_record and isinstance(entry, dict) else {"ranking": entry}


def _row(record: Record) -> Record:
    """Return one comparison as a flat row: its systems by letter, or its ranking in one cell."""
    row: Record = {}
    listed = next((entry for key, entry in record.items() if fold(key) in LISTED), None)
    for key, entry in record.items():
        if _is_ranking(key, entry):
            row["ranking"] = _with_names(entry, listed)
        elif not isinstance(entry, dict | list):
            row[key] = entry
    members = _members(record)
    if members and "choice" not in row:
        row["ranking"] = {str(one.get("system")): one.get("rank") for one in members}
    else:
        for letter, one in zip("abcde", members, strict=False):
            row[f"system_{letter}"] = one.get("system")
    return row


def _members(record: Record) -> list[Record]:
    members = record.get("members")
    if not isinstance(members, list):
        return []
    found = [one for one in members if isinstance(one, dict) and "system" in one]
    return found if len(found) == len(members) else []


def _with_names(ranking: object, listed: object) -> object:
    """Return ranks that stand in the order of a list of systems by the names of these."""
    if not isinstance(ranking, list) or not isinstance(listed, list):
        return ranking
    are_numbers = all(isinstance(rank, str) and rank.isdecimal() for rank in ranking)
    if not are_numbers or len(ranking) != len(listed):
        return ranking
    return dict(zip(map(str, listed), ranking, strict=True))
