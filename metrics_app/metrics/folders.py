"""What a folder of a model is called in a signature: its name, and a digest of what it holds."""

import hashlib
from functools import lru_cache
from pathlib import Path

# Parameters that may name a folder.
FOLDERS = ("model", "wordnet")
_DIGITS = 8

# A file's path in its folder, its size and its time.
File = tuple[str, int, int]


def name_of_folder(folder: str) -> str:
    """Return ``name-digest``; a name alone where there is no such folder.

    The digest is the begin of the SHA-256 of every file's path and bytes, so that two models in
    folders of one name are told apart. Notes (``.md``) and hidden files do not count. A folder is
    read once in a process, and again when a file's size or time has changed.
    """
    path = Path(folder)
    if not path.is_dir():
        return path.name
    files = tuple(_facts(path, file) for file in sorted(path.rglob("*")) if _counts(path, file))
    return f"{path.name}-{_digest(path, files)}"


def _facts(folder: Path, file: Path) -> File:
    found = file.stat()
    return file.relative_to(folder).as_posix(), found.st_size, found.st_mtime_ns


def _counts(folder: Path, file: Path) -> bool:
    parts = file.relative_to(folder).parts
    is_hidden = any(part.startswith(".") for part in parts)
    return not is_hidden and file.suffix.lower() != ".md" and file.is_file()


@lru_cache(maxsize=32)
def _digest(folder: Path, files: tuple[File, ...]) -> str:
    whole = hashlib.sha256()
    for name, *_ in files:
        with (folder / name).open("rb") as content:
            part = hashlib.file_digest(content, "sha256").hexdigest()
        whole.update(f"{name}\n{part}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()[:_DIGITS]
