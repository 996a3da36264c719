"""Writes that are compiled once, for the few that every rated output needs.

The statement of ``save`` is built anew for each row, which takes several times as long as to run
it. Like ``bulk_create`` these send no signal.
"""

from typing import Any, Generic, TypeVar

from django.db import connection, models, transaction

M = TypeVar("M", bound=models.Model)


class PreparedInsert(Generic[M]):
    """Inserts rows of one model, one at a time."""

    def __init__(self, model: type[M]) -> None:
        self._options: Any = model._meta  # noqa: SLF001 -- the documented name of this API
        self._sql = ""

    def __call__(self, row: M) -> M:
        """Insert a row that has no key yet, give it its key, and return it."""
        fields = [field for field in self._options.concrete_fields if not field.primary_key]
        self._sql = self._sql or self._compiled(fields)
        ((row.pk,),) = _run(self._sql, _values(row, fields), is_answered=True)
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 -- as ``save`` does
        return row

    def _compiled(self, fields: list[Any]) -> str:
        quote = connection.ops.quote_name
        columns = ", ".join(quote(field.column) for field in fields)
        marks = ", ".join(["%s"] * len(fields))
        target = f"{quote(self._options.db_table)} ({columns})"
        key = quote(self._options.pk.column)
        return f"INSERT INTO {target} VALUES ({marks}) RETURNING {key}"  # noqa: S608 -- names of our tables


class PreparedUpdate(Generic[M]):
    """Writes the same few fields of rows of one model, one row at a time."""

    def __init__(self, model: type[M], *names: str) -> None:
        self._options: Any = model._meta  # noqa: SLF001 -- the documented name of this API
        self._names = names
        self._sql = ""

    def __call__(self, row: M) -> None:
        """Write the fields of a stored row; nothing where it is gone."""
        fields = [self._options.get_field(name) for name in self._names]
        self._sql = self._sql or self._compiled(fields)
        _run(self._sql, [*_values(row, fields), row.pk])

    def _compiled(self, fields: list[Any]) -> str:
        quote = connection.ops.quote_name
        written = ", ".join(f"{quote(field.column)} = %s" for field in fields)
        key = quote(self._options.pk.column)
        return f"UPDATE {quote(self._options.db_table)} SET {written} WHERE {key} = %s"  # noqa: S608 -- names of our tables


def _values(row: models.Model, fields: list[Any]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


def _run(sql: str, values: list[Any], *, is_answered: bool = False) -> list[Any]:
    """Run a statement; an error leaves no transaction half done."""
    undone = transaction.mark_for_rollback_on_error(using=connection.alias)
    with undone, connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if is_answered else []
