"""What a start does before it serves: tables, static files, the demo study (once).

Runs as a process of its own, so that the launcher stays small: ``python -m ...prepare``. With the
argument ``pages`` it only builds the static files, as the image does.
"""

import sys

import django
from django.conf import settings
from django.core.management import call_command, get_commands


def main(part: str = "all") -> None:
    """Bring database and static files up to date; doing it again changes nothing."""
    django.setup()
    _build_pages()
    if part == "pages":
        return
    call_command("migrate", interactive=False, verbosity=0)
    _make_demo_once()


def _build_pages() -> None:
    if "build_static" in get_commands():
        call_command("build_static")
    call_command("collectstatic", interactive=False, verbosity=0)


def _make_demo_once() -> None:
    # Noted beside the data rather than looked up in it: a demo that somebody deleted stays away.
    note = settings.VAR_DIR / "demo_made"
    database = str(settings.DATABASES["default"]["NAME"])
    made = note.read_text(encoding="utf-8").splitlines() if note.exists() else []
    if database in made:
        return
    call_command("load_demo")
    note.write_text("\n".join([*made, database]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
