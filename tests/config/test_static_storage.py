import re
from pathlib import Path

from django.conf import settings
from django.core.management import call_command


def test_modules_import_each_other_by_their_hashed_names(settings, tmp_path):
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.static_storage.ModuleManifestStorage"},
    }

    call_command("collectstatic", interactive=False, verbosity=0)

    (main,) = tmp_path.glob("js/judge/main.*.js")
    imported = re.findall(r"from ?\"\./([\w.]+)\"", main.read_text(encoding="utf-8"))
    assert len(imported) > 10
    assert [name for name in imported if not re.fullmatch(r"\w+\.[0-9a-f]{12}\.js", name)] == []
    assert all((tmp_path / "js" / "judge" / name).exists() for name in imported)


def test_every_import_is_written_as_the_storage_reads_it():
    folder = Path(settings.BASE_DIR) / "static" / "js" / "judge"
    written = [
        line
        for path in folder.glob("*.js")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bfrom ['\"]", line)
    ]

    assert len(written) > 30
    assert [line for line in written if not line.rstrip().endswith('.js";')] == []
