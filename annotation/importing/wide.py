"""Wide tables: what a column stands for, read from its name and its cells."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from annotation.importing.dialect import fold
from annotation.importing.fields import QUALITIES
from annotation.importing.rankings import are_ranks
from annotation.importing.rows import Kind
from annotation.importing.values import is_missing, is_number, number, plain_answer, unwrapped

JUDGE = re.compile(
    r"(r|rater|a|ann|annot|annotator|j|judge|w|worker|e|expert|c|coder|u|user|human|evaluator"
    r"|assessor|reviewer|participant|p)_?\d+"
)
JUDGE_WORDS = re.compile(
    r"(rater|annotator|judge|worker|expert|coder|user|evaluator|human|assessor|participant)_\w{1,3}"
)
FEWEST_ROWS, LONGEST_WORD = 3, 30
RANK_WORD = re.compile(r"^rank(ing)?[\s_\-.:(]+|[\s_\-.:)]+rank(ing)?\)?$|\)$", re.IGNORECASE)
MOST_RANKED = 0.7
OUTPUT = (
    r"(model[ _-]?)?"
    r"(outputs?|summary|summaries|predictions?|responses?|hypothesis|hyp|translations?)"
)
BEFORE = re.compile(rf"{OUTPUT}[ _\-.:]*[ _\-.:(\[]\s*(?P<name>[^()\[\]]+?)[)\]]?", re.IGNORECASE)
BEHIND = re.compile(rf"(?P<name>[^()\[\]]+?)[ _\-.:]*[ _\-.:(\[]\s*{OUTPUT}[)\]]?", re.IGNORECASE)
# Several numbers in one cell: 3;4;5 or 3 | 4. Of commas there must be two, as 3,5 is a number.
NUMBERS = re.compile(
    r"\d(\.\d+)?(\s*[;|/]\s*\d(\.\d+)?|\s+\d(\.\d+)?)+|\d(\s*,\s*\d){2,}", re.ASCII
)
# A column of numbers with signs between their thousands is one of numbers; the check says which.
THOUSANDS = dict.fromkeys(map(ord, " '’\u00a0\u202f"))
# 3 - somewhat, 5: fluent, 4 (good): the check says that the label is too much.
LABELLED = re.compile(r"(?<=\d)\s*[-–=:.)(]\s*[^\W\d_].{0,40}$")
SCALE = re.compile(r"\s*[(\[]\s*\d+\s*(-|–|to|/)\s*\d+\s*[)\]]")  # fluency (1-5)
# Answers that the check asks about: which number each of them is.
YES_OR_NO = frozenset(
    ("yes", "no", "true", "false", "y", "n", "unsure", "ja", "nein", "oui", "non")
)
PLATFORM = re.compile(r"(answer|output|label)_(?P<name>.+)")


def is_measure(folded: str, kind: Kind, cells: Sequence[object]) -> bool:
    """Whether a column may hold outputs, ratings or scores, judged by its first cells."""
    texts = [cell for cell in map(plain_answer, cells) if cell and not is_missing(cell)]
    if kind == "ratings":
        texts = [LABELLED.sub("", text.strip()) for text in texts]
    if kind == "outputs":
        return not texts or not all(is_number(text) for text in texts)
    if kind == "ratings" and not texts:
        # Judge 7 may begin further down in the file.
        return folded in QUALITIES or "judge" in _parts(folded, set())
    if kind == "ratings" and {text.lower() for text in texts} <= YES_OR_NO:
        return True
    if folded in QUALITIES or (kind == "ratings" and PLATFORM.fullmatch(folded)):
        return True
    # One cell that is no number makes no column of words; the check says which cell it is.
    bare = [unwrapped(text).translate(THOUSANDS).removesuffix("%") for text in texts]
    n_numbers = sum(is_number(text) or text.lower() in {"inf", "-inf"} for text in bare)
    return n_numbers > 0 and 2 * n_numbers >= len(texts)


def bound_by_name(
    names: Sequence[str], kind: Kind, fed: set[str]
) -> tuple[dict[str, dict[str, str]], bool]:
    """Return for each wide column what its name binds, and whether that is beyond doubt."""
    if kind == "outputs":
        return ({} if "system" in fed else _bound_systems(names)), True
    if kind == "scores":
        return ({} if "metric" in fed else {name: {"metric": name} for name in names}), True
    if "dimension" in fed:
        return {}, True
    answers = {name: match["name"] for name in names if (match := PLATFORM.fullmatch(fold(name)))}
    if answers:
        return {name: {"dimension": dimension} for name, dimension in answers.items()}, True
    bound = {name: _parts(SCALE.sub("", name), fed) for name in names}
    is_sure = {"system", "judge"} <= fed and all(
        fold(SCALE.sub("", name)) in QUALITIES for name in names
    )
    return bound, is_sure


def _bound_systems(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Bind columns of outputs to systems: by their names, or what stands beside ``output`` there.

    ``output_bart`` and ``t5 (summary)`` are such names; all columns must be of one form.
    """
    for form in (BEFORE, BEHIND):
        found = [form.fullmatch(name.strip()) for name in names]
        systems = [match["name"] for match in found if match]
        if len(names) == len(set(systems)) > 0:
            return {name: {"system": its} for name, its in zip(names, systems, strict=True)}
    return {name: {"system": name} for name in names}


def bound_to_ranks(
    columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[object]]
) -> dict[int, dict[str, str]]:
    """Return, by index, the system and perhaps the dimension of columns whose cells are ranks.

    Parameters
    ----------
    columns : sequence of (name, index)
        Columns of numbers without another meaning.
    rows : sequence of cells
        Most of them must rank the systems: 1 for the best, equal ones for a tie.
    """
    bound = {index: _ranked_system(name) for name, index in columns}
    by_dimension: dict[str, list[int]] = {}
    for index, its in bound.items():
        by_dimension.setdefault(its.get("dimension", ""), []).append(index)
    told = [
        found
        for indexes in by_dimension.values()
        for row in rows
        if (found := [as_number for index in indexes if (as_number := _rank(row[index]))])
    ]
    n_right = sum(len(ranks) > 1 and are_ranks(ranks) for ranks in told)
    is_ranked = told and n_right >= MOST_RANKED * len(told)
    return bound if is_ranked and all(its["system"] for its in bound.values()) else {}


def _rank(cell: object) -> float | None:
    return number(cell, decimal_comma=True) if isinstance(cell, str) else None


def _ranked_system(name: str) -> dict[str, str]:
    parts = _parts(RANK_WORD.sub("", name.strip()), {"judge"})
    if "dimension" in parts and "system" not in parts:  # each column is a quality: no ranking
        return {"system": ""}
    return parts if "dimension" in parts else {"system": RANK_WORD.sub("", name.strip())}


def _parts(name: str, fed: set[str]) -> dict[str, str]:
    """Split a name such as ``bart_fluency_r1`` into system, dimension and judge."""
    if "judge" not in fed and _is_judge(name):
        return {"judge": name.strip()}
    tokens = [token for token in re.split(r"[\s_\-./|:()\[\]]+", name) if token]
    parts: dict[str, str] = {}
    if "judge" not in fed:
        tokens, parts = _without_judge(tokens)
    quality = next((token for token in tokens if token.lower() in QUALITIES), None)
    if quality and len(tokens) > 1 and "system" not in fed:
        tokens.remove(quality)
        parts |= {"dimension": quality, "system": "_".join(tokens)}
    elif quality or "system" in fed:
        parts["dimension"] = "_".join(tokens)
    elif tokens:
        parts["system"] = "_".join(tokens)
    return parts


def _is_judge(name: str) -> bool:
    """Whether a name is that of a judge and of nothing else: ``A1``, ``Annotator 2``."""
    folded = fold(name)
    return bool(JUDGE_WORDS.fullmatch(folded) or JUDGE.fullmatch(folded))


def _without_judge(tokens: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the parts of a name without the judge, whose word and number may be apart."""
    for at, (word, count) in enumerate(pairwise(tokens)):
        if count.isdecimal() and len(word) > 2 and JUDGE.fullmatch(f"{word}{count}".lower()):
            return [*tokens[:at], *tokens[at + 2 :]], {"judge": f"{word} {count}"}
    for place in (-1, 0):
        if len(tokens) > 1 and JUDGE.fullmatch(tokens[place].lower()):
            judge = tokens.pop(place)
            return tokens, {"judge": judge}
    return tokens, {}


def label_columns(
    columns: Iterable[tuple[str, int]], rows: Sequence[Sequence[object]]
) -> list[str]:
    """Return the columns whose cells are single words, and seem to be names rather than outputs.

    It is the same one in all rows, or other columns hold sentences.

    Parameters
    ----------
    columns : iterable of (name, index)
    rows : sequence of cells; fewer than three tell nothing
    """
    texts = {name: [str(row[index]) for row in rows] for name, index in columns}
    words = {name for name, cells in texts.items() if all(map(_is_word, cells))}
    alike = {name for name in words if len(rows) >= FEWEST_ROWS and len(set(texts[name])) == 1}
    # A word in each row beside columns of sentences.
    beside = (
        words if len(rows) >= FEWEST_ROWS and any(map(_are_sentences, texts.values())) else set()
    )
    return [name for name in texts if name in alike | beside]


def _is_word(text: str) -> bool:
    return text.isascii() and len(text) <= LONGEST_WORD and len(text.split()) == 1


def _are_sentences(cells: Sequence[str]) -> bool:
    return all(len(text.split()) > 1 for text in cells)


def list_columns(
    columns: Sequence[tuple[str, int, str]], rows: Sequence[Sequence[object]]
) -> list[str]:
    """Return the names of columns whose cells hold lists though their field takes one value.

    Parameters
    ----------
    columns : sequence of (name, index, field)
    rows : sequence of cells
    """
    takes_lists = {"source", "reference", "prior_reference", "fact", "ranking"}
    return [
        name
        for name, index, field in columns
        if field not in takes_lists and _holds_lists([row[index] for row in rows])
    ]


def _holds_lists(cells: Sequence[object]) -> bool:
    filled = [cell for cell in cells if cell not in ("", None)]
    n_lists = sum(isinstance(cell, list | dict) and plain_answer(cell) == "" for cell in filled)
    n_found = n_lists or sum(map(_is_list_text, filled))
    return (n_lists > 0 or n_found >= 2) and n_found >= 0.8 * len(filled)


def _is_list_text(cell: object) -> bool:
    if not isinstance(cell, str) or unwrapped(cell) != cell:
        return False
    text = cell.strip()
    if text.startswith("{") and text.endswith("}"):
        return ":" in text
    return (text.startswith("[") and text.endswith("]")) or bool(NUMBERS.fullmatch(text))
