"""Queries that are compiled once, for the few that every rated output needs.

Django builds and compiles a query anew each time, which takes several times as long as to run it:
half of all that a rated output cost.
"""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

R = TypeVar("R")


class Parameter(models.Expression):
    """A value that is not known before the query runs: which one, counted from 0."""

    def __init__(self, index: int) -> None:
        super().__init__(output_field=models.Field())
        self.index = index

    def as_sql(  # type: ignore[override]  # a marker stands where values will
        self,
        compiler: SQLCompiler,  # noqa: ARG002 -- the framework's signature
        connection: BaseDatabaseWrapper,  # noqa: ARG002 -- the framework's signature
    ) -> tuple[str, list["Parameter"]]:
        """Stand for itself until there is a value."""
        return "%s", [self]


class prepared(threading.local, Generic[R]):  # noqa: N801 -- it decorates functions
    """Decorates a function that returns a queryset; calling it then returns the list of rows.

    The function is called once for each thread and number of arguments, with a Parameter in the
    place of each value. Values are whole numbers, moments and UUIDs, and none is None.
    """

    def __init__(self, build: Callable[..., models.QuerySet[Any, R]]) -> None:
        self._build = build
        self._compiled: dict[int, _Compiled] = {}

    def __call__(self, *values: object) -> list[R]:
        """Run the query with these values."""
        if len(values) not in self._compiled:
            queryset = self._build(*map(Parameter, range(len(values))))
            self._compiled[len(values)] = _Compiled(queryset)
        return self._compiled[len(values)].rows(values)


class _Compiled:
    """A queryset that keeps its compiler, and with it the SQL."""

    def __init__(self, queryset: models.QuerySet[Any, Any]) -> None:
        self.queryset = queryset
        self.compiler: Any = queryset.query.get_compiler(queryset.db)
        self.sql, self.parameters = self.compiler.as_sql()
        self.values: tuple[object, ...] = ()
        self.compiler.as_sql = self._as_sql
        converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])
        self.compiler.get_converters = lambda _columns: converters
        query: Any = queryset.query
        query.get_compiler = lambda *_args, **_kwargs: self.compiler

    def rows(self, values: tuple[object, ...]) -> list[Any]:
        self.values = values
        # The queryset's own way to make rows; any other would copy it, and compile anew.
        iterable: Any = self.queryset._iterable_class  # noqa: SLF001
        return list(iterable(self.queryset))

    def _as_sql(self, *_args: object, **_kwargs: object) -> tuple[str, list[object]]:
        connection = connections[self.queryset.db]
        return self.sql, [self._bound(one, connection) for one in self.parameters]

    def _bound(self, parameter: object, connection: BaseDatabaseWrapper) -> object:
        if not isinstance(parameter, Parameter):
            return parameter
        value = self.values[parameter.index]
        if isinstance(value, datetime):
            return connection.ops.adapt_datetimefield_value(value)
        if isinstance(value, UUID):
            return _UUID.get_db_prep_value(value, connection)
        return value


_UUID = models.UUIDField()
