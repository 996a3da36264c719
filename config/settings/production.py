"""Settings of a server: every secret comes from the environment, every cookie over HTTPS."""

from config import env
from config.settings.base import *  # noqa: F403 -- settings are inherited by name

DEBUG = False
SECRET_KEY = env.read_required("CONCORD_SECRET_KEY")
ALLOWED_HOSTS = env.read_list("CONCORD_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if host != "*"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.read_bool("CONCORD_HTTPS", default=True)
# Monitors inside the network ask without TLS.
SECURE_REDIRECT_EXEMPT = ["^healthz$"]
SESSION_COOKIE_SECURE = SECURE_SSL_REDIRECT
CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_SSL_REDIRECT else 0
# Failed sign-ins are counted per person and address, not per proxy that everybody shares.
CONCORD_PROXIES = env.read_int("CONCORD_PROXIES", default=1)
AXES_CLIENT_IP_CALLABLE = "config.client_address.client_address"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_storage.ModuleManifestStorage"},
}
