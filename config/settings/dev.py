"""Settings of `make run`: one machine, the embedded broker, SQLite."""

from config import env
from config.settings.base import *  # noqa: F403 -- settings are inherited by name
from config.settings.base import VAR_DIR
from config.settings.local_secret import read_local_secret

DEBUG = env.read_bool("CONCORD_DEBUG", default=False)
SECRET_KEY = read_local_secret(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env.read_list("CONCORD_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
