"""Settings of the tests: no secret, no broker, fast passwords.

DATABASE_URL moves the same tests to PostgreSQL.
"""

import os
from pathlib import Path
from tempfile import gettempdir

from config.settings.base import *  # noqa: F403 -- settings are inherited by name
from config.settings.base import DATABASES

SECRET_KEY = "only for tests"  # noqa: S105 -- no secret is kept under it
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
MEDIA_ROOT = Path(gettempdir()) / "concord-test-files"
AXES_ENABLED = False
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True

_database = DATABASES["default"]
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # A file of this process: threads that race each other cannot share a database in memory.
    _file = str(Path(gettempdir()) / f"concord-test-{os.getpid()}.sqlite3")
    _database["TEST"] = {"NAME": _file}
    if not os.environ.get("DATABASE_URL"):
        # The check of the migrations, run without tests, neither needs nor touches var/.
        _database["NAME"] = _file
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
    }
