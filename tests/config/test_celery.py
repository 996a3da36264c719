import subprocess
import sys

WORKER = """
import sys
import django
from config.celery import app
django.setup()
app.loader.import_default_modules()
assert "metrics_app.tasks.run_analysis_task" in app.tasks
print([name for name in ("scipy", "statsmodels", "pyarrow", "matplotlib") if name in sys.modules])
"""


def test_a_worker_begins_without_the_libraries_that_only_some_jobs_need():
    """They are larger than the rest of it, and a load of millions of rows needs the room."""
    run = subprocess.run(
        [sys.executable, "-c", WORKER], check=True, capture_output=True, text=True, timeout=120
    )

    assert run.stdout.strip() == "[]"
