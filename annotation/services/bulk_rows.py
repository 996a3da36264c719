"""Many rows at once: COPY on PostgreSQL, one prepared INSERT on SQLite.

`bulk_create` builds an object a row and a statement a batch; a load of millions of rows has no
use for either. The rows are plain tuples here, and the caller knows the keys beforehand.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection, models

# Bytes of SQLite's file that are mapped, and its cache (in KiB where it is negative).
SPARING = {"mmap_size": 0, "cache_size": -16_384}
# The random keys of three million places take 200 MB of an index.
ROOMY = {"cache_size": -256 * 1024}
# So many new rows make another table of the one that the database has planned for.
MANY = 10_000
Row = Sequence[Any]
Convert = Callable[[Any], Any]


@contextmanager
def sparing_memory() -> Iterator[None]:
    """Let SQLite work in a small cache alone: a pass over all of it would map all of it as well."""
    with _set_meanwhile(SPARING):
        yield


@contextmanager
def room_for_keys() -> Iterator[None]:
    """Let SQLite hold the pages that millions of random keys go to, for one long transaction.

    With its usual room it writes them out and reads them back again for every other key.
    """
    with _set_meanwhile(ROOMY):
        yield


@contextmanager
def _set_meanwhile(pragmas: Mapping[str, int]) -> Iterator[None]:
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        usual = {name: (cursor.execute(f"PRAGMA {name}").fetchone() or (0,))[0] for name in pragmas}
        for name, value in pragmas.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        try:
            yield
        finally:
            for name, value in usual.items():
                cursor.execute(f"PRAGMA {name} = {int(value)}")


def count_anew(n_new: int, *grown: type[models.Model]) -> None:
    """Let PostgreSQL take new statistics of tables that have grown by many rows.

    It would by itself, a minute later: until then it plans for the table that was, and looks for
    the next of a hundred thousand new places by reading them all.
    """
    if n_new < MANY or connection.vendor != "postgresql":
        return
    tables = (connection.ops.quote_name(model._meta.db_table) for model in grown)  # noqa: SLF001 -- the documented name of this API
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(tables)}")


def reserve_ids(model: type[models.Model], n: int) -> list[int]:
    """Return n primary keys that nobody else will use; gaps are harmless.

    Call it inside a transaction, and insert before the next call for the same model: SQLite
    knows only the largest key so far, and its one writer is this transaction.
    """
    table = model._meta.db_table  # noqa: SLF001 -- the documented name of this API
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The sequence is looked up once; beside nextval it would be for every key.
            cursor.execute(
                "SELECT nextval(sequence) FROM generate_series(1, %s), "
                "(SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence OFFSET 0) AS one",
                [n, f'"{table}"'],
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    first = (found[0] if found else 0) + 1
    return list(range(first, first + n))


def check_keys() -> None:
    """Let PostgreSQL look up the foreign keys of the rows written so far, rather than at the end.

    It would keep one note for each key of millions of rows until the transaction ends, and then
    look them all up in one go, which nobody can follow and nothing can cancel.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows whose cells stand in the order of ``names``.

    Parameters
    ----------
    model : type of Model
        The table.
    names : sequence of str
        Names of the columns' attributes, such as ``unit_id``. A column that is not named gets
        the default of its field, one value for all rows, or null.
    rows : iterable of sequences
        Values as Python has them: aware moments, UUIDs, lists for JSON. A moment or UUID may come
        as text already, from `stored_moment` or `random_handles`, which is cheaper.
    """
    options = model._meta  # noqa: SLF001 -- the documented name of this API
    fields = [options.get_field(name) for name in names]
    rest = [
        field
        for field in options.concrete_fields
        if field.attname not in names and not field.null and not field.primary_key
    ]
    constants = [field.get_default() for field in rest]
    converters = [_converter(field) for field in (*fields, *rest)]
    columns = [str(field.column) for field in (*fields, *rest) if isinstance(field, models.Field)]
    filled: Iterable[Row] = ((*row, *constants) for row in rows) if rest else rows
    active = [(at, convert) for at, convert in enumerate(converters) if convert is not None]
    if active:
        filled = (_converted(row, active) for row in filled)
    _write(options.db_table, columns, filled)


def _write(table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    quote = connection.ops.quote_name
    target = f"{quote(table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor, connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {target} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns))
        statement = f"INSERT INTO {target} VALUES ({marks})"  # noqa: S608 -- names of our tables
        cursor.executemany(statement, rows)  # type: ignore[arg-type]  # any iterable will do


def _converted(row: Row, converters: Iterable[tuple[int, Convert]]) -> Row:
    cells = list(row)
    for at, convert in converters:
        if cells[at] is not None:
            cells[at] = convert(cells[at])
    return cells


def _converter(field: object) -> Convert | None:
    """Return what makes a value one that the driver stores as Django would."""
    if isinstance(field, models.JSONField):
        return json.dumps
    if connection.vendor == "postgresql":
        return None
    if isinstance(field, models.DateTimeField):
        return lambda value: value if isinstance(value, str) else stored_moment(value)
    if isinstance(field, models.UUIDField):
        return lambda value: value if isinstance(value, str) else value.hex
    return None


def stored_moment(moment: datetime) -> str:
    """Return a moment as the database takes it; worth while for one that many rows have."""
    if connection.vendor == "postgresql":
        return moment.isoformat()
    return str(connection.ops.adapt_datetimefield_value(moment))


def random_handles(n: int) -> list[str]:
    """Return n random UUIDs of version 4 as 32 hexadecimal digits each."""
    digits = os.urandom(16 * n).hex()
    parts = (digits[at : at + 32] for at in range(0, 32 * n, 32))
    return [f"{part[:12]}4{part[13:16]}a{part[17:]}" for part in parts]
