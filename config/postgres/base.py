"""Django's PostgreSQL backend; this module's place and name are what ENGINE asks for."""

import time
from typing import Any

from django.db.backends.postgresql import base

# A connection that served a request so lately is not asked whether it lives: four questions for
# every rated output. Where it has died meanwhile, one request fails, as any does that runs then.
SECONDS_OF_TRUST = 1.0


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose health is checked only after it has rested."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- Django's signature
        super().__init__(*args, **kwargs)
        self._used_at = float("-inf")

    def close_if_unusable_or_obsolete(self) -> None:
        """Do as Django does before and after every request, and note when it was."""
        super().close_if_unusable_or_obsolete()
        now = time.monotonic()
        if now - self._used_at < SECONDS_OF_TRUST:
            self.health_check_done = True
        self._used_at = now
