"""Settings that every installation shares."""

from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.contrib.messages.constants import ERROR, SUCCESS, WARNING

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.read_text("CONCORD_VAR", default=str(BASE_DIR / "var")))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "axes",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "jobs",
    "annotation",
    "metrics_app",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
DATABASES = {"default": env.read_database("DATABASE_URL", default=VAR_DIR / "concord.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt", "Português"),
    ("zh-hans", "简体中文"),
    ("ja", "日本語"),
    ("ar", "العربية"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "static_built"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = VAR_DIR / "files"
# Files of 2.5 MB and more go to disk while they are received; nothing larger is accepted.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
CONCORD_MAX_UPLOAD_BYTES = env.read_int("CONCORD_MAX_UPLOAD_BYTES", default=2 * 1024**3)

# Folders of language models that metrics may use, by the name under which people choose them.
CONCORD_MODELS = env.read_pairs("CONCORD_MODELS")
# The function that finds dependencies for ROUGE-BE, as package.module.function.
CONCORD_DEPENDENCY_PARSER = env.read_text("CONCORD_DEPENDENCY_PARSER", default="")
# Endpoints of language models that may judge, by name; the key of each is CONCORD_LLM_KEY_<NAME>.
# Only who runs the installation names them, so that no key is ever sent to another address.
CONCORD_LLM_ENDPOINTS = env.read_pairs("CONCORD_LLM_ENDPOINTS")
CONCORD_LLM_KEYS = {
    name: env.read_text(f"CONCORD_LLM_KEY_{name.upper().replace('-', '_')}", default="")
    for name in CONCORD_LLM_ENDPOINTS
}
# How many processes share the slow metrics of one run.
CONCORD_METRIC_PROCESSES = env.read_int("CONCORD_METRIC_PROCESSES", default=2)
# Exports hold scores of metrics, which the app that writes them does not know.
CONCORD_EXPORTED_SCORES = "metrics_app.loaders.releases.exported_scores"

LOGIN_URL = "annotation:sign_in"
LOGIN_REDIRECT_URL = "annotation:study_list"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# How many seconds an invitation to an account is good for: a week.
PASSWORD_RESET_TIMEOUT = 7 * 24 * 3600
# What messages are called by the notices of the style sheet.
MESSAGE_TAGS = {SUCCESS: "good", WARNING: "warn", ERROR: "bad"}
SESSION_COOKIE_NAME = "concord_session"
CSRF_COOKIE_NAME = "concord_csrf"
SESSION_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# How many proxies of ours stand between a visitor and the web server.
CONCORD_PROXIES = env.read_int("CONCORD_PROXIES", default=0)
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_TEMPLATE = "annotation/locked_out.html"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
        "worker-src": [SELF],
    },
}

# Everything goes to standard error: the launcher, or the container, keeps it.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "[{asctime}: {levelname}] {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "jobs": {"level": "INFO"},
        "annotation": {"level": "INFO"},
        "metrics_app": {"level": "INFO"},
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "annotation.api.schema.Schema",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Concord",
    "VERSION": "1",
    "DESCRIPTION": "What programs may read of a study, and what the judge's page calls.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
}

REDIS_URL = env.read_text("REDIS_URL", default=env.read_file(VAR_DIR / "broker.url"))
# `make run` writes down where its own broker listens, so that manage.py finds it too.
# A queue of its own keeps two installations on one Redis apart.
CELERY_BROKER_URL = REDIS_URL or "redis://localhost:6379/0"
CELERY_TASK_DEFAULT_QUEUE = env.read_text("CONCORD_QUEUE", default="concord")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# In kB. A process that a large job has filled ends after it, and gives its memory back.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 400_000
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A job's own row and its heartbeat say what is lost; the broker's redelivery is the second net.
# It must be longer than any job, else a long job would be handed out twice.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 6 * 3600,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    # A page that finds no broker must say so at once, not after six seconds; a job that could
    # not be sent waits in the database. Workers and beat retry by rules of their own.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
CELERY_BEAT_SCHEDULE = {
    "sweep-lost-jobs": {
        "task": "jobs.tasks.sweep_jobs_task",
        "schedule": 5.0,
        # Busy workers shall not find a heap of old sweeps when they are free again.
        "options": {"expires": 15},
    },
}
