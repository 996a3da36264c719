"""Settings of the tests: no secret, no broker, fast passwords."""

from pathlib import Path
from tempfile import gettempdir

from config.settings.base import *  # noqa: F403 -- settings are inherited by name

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
