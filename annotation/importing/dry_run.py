"""All steps of a dry run at once."""

from pathlib import Path

from annotation.importing.checking import check
from annotation.importing.collecting import seldom_collected
from annotation.importing.findings import Report, UnreadableFile
from annotation.importing.mapping import Mapping, guess_mapping
from annotation.importing.opening import read
from annotation.importing.reading import ReadOptions
from annotation.importing.rows import Kind, Rules


@seldom_collected()
def dry_run(
    path: Path,
    *,
    kind: Kind,
    mapping: Mapping | None = None,
    rules: Rules | None = None,
    options: ReadOptions | None = None,
) -> Report:
    """Read and check a file to its end and return what was found; nothing is written.

    Without a mapping the guessed one is used; what it cannot decide becomes a question.
    """
    try:
        reading = read(path, kind=kind, options=options)
        mapping = mapping or guess_mapping(reading.header, kind, reading.sample())
        return check(reading, mapping, rules).run()
    except UnreadableFile as error:
        report = Report()
        report.add(error.finding)
        return report
