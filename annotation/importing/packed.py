"""Zip archives: looked at before they are unpacked, and unpacked where they can do no harm."""

import shutil
import tempfile
import weakref
import zipfile
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath

from annotation.importing.findings import UnreadableFile
from annotation.importing.reading import Limits

JUNK = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
LINK = 0xA000
CHUNK = 1 << 20


def inspect(path: Path, limits: Limits) -> list[zipfile.ZipInfo]:
    """Return the members of an archive that are worth reading; refuse a dangerous one unread."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableFile("damaged_file", "The archive is damaged or cut off.") from error
    if len(members) > limits.members:
        raise UnreadableFile("too_large", f"The archive holds {len(members):,} files.")
    size = sum(member.file_size for member in members)
    packed = max(1, path.stat().st_size)
    if size > limits.size or (size > 10_000_000 and size > limits.ratio * packed):
        raise UnreadableFile("too_large", f"The archive unpacks to {size:,} bytes.")
    for member in members:
        _refuse_unsafe(member)
    _refuse_twice(members)
    return [member for member in members if not member.is_dir() and not _is_junk(member.filename)]


def _refuse_unsafe(member: zipfile.ZipInfo) -> None:
    if member.flag_bits & 1:
        raise UnreadableFile("encrypted_file", "The archive is protected by a password.")
    if not member.filename:
        raise UnreadableFile("damaged_file", "A file in the archive has no name.")
    name = PurePosixPath(member.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in member.filename or "\x00" in str(name):
        raise UnreadableFile("unsafe_archive", f"A path leads outside: {member.filename!r}.")
    if (member.external_attr >> 16) & 0xF000 == LINK:
        raise UnreadableFile("unsafe_archive", f"The archive holds a link: {member.filename!r}.")


def _refuse_twice(members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would lose the first of two files of one name."""
    counts = Counter(member.filename for member in members if not member.is_dir())
    if twice := [name for name, n in counts.items() if n > 1]:
        reason = f"The archive holds {counts[twice[0]]} files of the name {twice[0]!r}."
        raise UnreadableFile("damaged_file", reason, mend="Pack the files again, each once.")


def _is_junk(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    is_hidden = any(part.startswith(".") for part in path.parts)
    return is_hidden or any(part in name for part in JUNK) or path.name.startswith("~$")


class Unpacked:
    """A folder with the files of an archive; it is removed with the last user of this object."""

    def __init__(self, path: Path, limits: Limits) -> None:
        members = inspect(path, limits)
        self.folder = Path(tempfile.mkdtemp(prefix="concord-upload-"))
        self._remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        try:
            with zipfile.ZipFile(path) as archive:
                for member in members:
                    self._unpack(archive, member)
        except UnreadableFile:
            self._remove()
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            self._remove()
            raise UnreadableFile("damaged_file", "The archive is damaged.") from error
        except NotImplementedError as error:
            self._remove()
            raise UnreadableFile("not_a_table", "The way of packing is not known.") from error

    def _unpack(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
        """Write one file, and no more of it than the archive has declared."""
        target = self.folder / member.filename.replace("\\", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        left = member.file_size
        with archive.open(member) as source, target.open("wb") as sink:
            while block := source.read(CHUNK):
                left -= len(block)
                if left < 0:
                    raise UnreadableFile("unsafe_archive", "A file is larger than it says.")
                sink.write(block)
