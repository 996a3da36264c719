"""Parquet and Arrow files, and the folders of the Hugging Face library."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from annotation.importing.findings import UnreadableFile, finding
from annotation.importing.json_records import Values, reading_of
from annotation.importing.reading import Reading, ReadOptions

BATCH = 2_000
SUFFIXES = frozenset((".parquet", ".arrow"))


def read_columnar(path: Path, options: ReadOptions) -> Reading:
    """Understand a Parquet or Arrow file, or a folder of them; needs the extra ``parquet``."""
    files = [path] if path.is_file() else columnar_files(path)
    size = sum(file.stat().st_size for file in files)
    if size > options.limits.size:
        raise UnreadableFile("too_large", f"The files have {size:,} bytes.")
    name = "Parquet" if all(file.suffix != ".arrow" for file in files) else "Arrow"
    return reading_of(name, path, _records(files))


def columnar_files(folder: Path) -> list[Path]:
    """Return the data files of a folder, one split after the other."""
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES)


def _records(files: list[Path]) -> Callable[[], Values]:
    arrow = _pyarrow()

    def values() -> Values:
        number = 0
        for file in files:
            try:
                for record in _file_records(arrow, file):
                    number += 1
                    yield number, {name: as_written(value) for name, value in record.items()}
            except (arrow.ArrowException, OSError, ValueError, KeyError):
                yield finding("damaged_file", f"{file.name} is damaged.")
                return

    return values


def _pyarrow() -> ModuleType:
    try:
        import pyarrow as arrow  # noqa: PLC0415  # an extra that may not be installed
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise UnreadableFile("missing_extra", "Reading Parquet needs pyarrow.") from error
    return arrow  # type: ignore[no-any-return]  # pyarrow ships no types


def _file_records(arrow: ModuleType, file: Path) -> Iterator[dict[str, object]]:
    if file.suffix == ".arrow":
        with arrow.memory_map(str(file)) as source, arrow.ipc.open_stream(source) as stream:
            for batch in stream:
                yield from batch.to_pylist()
        return
    with arrow.parquet.ParquetFile(file) as parquet:
        for batch in parquet.iter_batches(BATCH):
            yield from batch.to_pylist()


def as_written(value: object) -> object:
    """Return a value with its numbers as text, like those of the other formats."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dict):
        return {name: as_written(entry) for name, entry in value.items() if entry is not None}
    if isinstance(value, list):
        return [as_written(entry) for entry in value]
    return str(value)
