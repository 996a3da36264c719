"""Meanings of English words from a WordNet folder that the administrator names.

The index files are read directly: they alone say which words share a synset, they load in a
moment, and no other program's idea of a data folder is needed. Base forms follow morphy(7WN).
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

ENDINGS = {
    "noun": (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
Meanings = Callable[[str], frozenset[str]]


@lru_cache(maxsize=2)
def meanings(folder: str) -> Meanings:
    """Return a function from a word to its synsets, those of its base forms included.

    A synset is named by its part of speech and its offset in the data file.

    Raises
    ------
    ValueError
        Where the folder is absent or holds no WordNet database.
    """
    root = Path(folder)
    if not root.is_dir():
        raise ValueError(f"the WordNet folder {folder} does not exist")
    absent = [f"index.{kind}" for kind in ENDINGS if not (root / f"index.{kind}").is_file()]
    if absent:
        raise ValueError(f"{folder} is no WordNet folder: it lacks {', '.join(absent)}")
    index = {kind: _index(root / f"index.{kind}", kind) for kind in ENDINGS}
    exceptions = {kind: _exceptions(root / f"{kind}.exc") for kind in ENDINGS}

    @lru_cache(maxsize=50_000)
    def of(word: str) -> frozenset[str]:
        found = frozenset[str]()
        for kind, table in index.items():
            for form in (word, *_base_forms(word, kind, exceptions[kind])):
                found |= table.get(form, frozenset())
        return found

    return of


def _base_forms(word: str, kind: str, exceptions: dict[str, list[str]]) -> list[str]:
    if word in exceptions:
        return exceptions[word]
    return [word.removesuffix(end) + stem for end, stem in ENDINGS[kind] if word.endswith(end)]


def _lines(path: Path) -> Iterator[list[str]]:
    """Yield the fields of each line; the licence above stands on lines that begin with spaces."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.startswith(" ") and line.strip():
                yield line.split()


def _index(path: Path, kind: str) -> dict[str, frozenset[str]]:
    # lemma, part of speech, number of synsets, ..., and as many offsets at the end.
    try:
        return {
            fields[0]: frozenset(kind + offset for offset in fields[-int(fields[2]) :])
            for fields in _lines(path)
        }
    except (IndexError, ValueError) as fault:
        raise ValueError(f"{path} is no WordNet index: {fault}") from fault


def _exceptions(path: Path) -> dict[str, list[str]]:
    return {form: base for form, *base in _lines(path)} if path.is_file() else {}
