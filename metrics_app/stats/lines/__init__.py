"""The statistics as JSON lines: one module a family, each with its table HANDLERS.

A handler takes ``(options, data)`` in the words of the worked cases and returns what exists of
``value``, ``se``, ``ci`` and ``p`` (further facts may follow), or ``undefined`` with a reason code.
It raises ValueError with a sentence for data that make no sense.
"""

from collections.abc import Callable, Mapping
from typing import Any

Handler = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
