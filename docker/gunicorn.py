# ruff: noqa: INP001 -- gunicorn reads this file; nobody imports it
"""The web server of the image; each size can be set in the environment."""

from config import env

bind = "0.0.0.0:8000"
worker_class = "gthread"
workers = env.read_int("CONCORD_WEB_PROCESSES", default=2)
threads = env.read_int("CONCORD_WEB_THREADS", default=4)
# Its files of life are touched every second: memory, not the disk of the container.
worker_tmp_dir = "/dev/shm"  # noqa: S108 -- gunicorn makes files of its own there
control_socket_disable = True
graceful_timeout = 20
accesslog = "-"
