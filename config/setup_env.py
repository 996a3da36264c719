"""Make the virtual environment and install what a requirements file pins.

Runs on the system's Python before anything is installed, so it uses only the standard library.
Called as ``python3 config/setup_env.py requirements.txt``.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST, FIRST_UNKNOWN = (3, 11), (3, 14)


def main(requirements: str) -> int:
    """Bring the environment up to date; return the exit status."""
    version = sys.version_info[:2]
    if not OLDEST <= version < FIRST_UNKNOWN:
        return _fail(
            f"Concord needs Python 3.11, 3.12 or 3.13; this is Python {version[0]}.{version[1]}. "
            "Name another one: make run PYTHON=python3.12"
        )
    wanted = _stamp(ROOT / requirements)
    stamp = VENV / f"{requirements}.stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    try:
        _install(ROOT / requirements)
    except (subprocess.CalledProcessError, OSError) as error:
        return _fail(f"Installing {requirements} failed: {error}")
    stamp.write_text(wanted)
    return 0


def _stamp(requirements: Path) -> str:
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    return f"{sys.version_info[0]}.{sys.version_info[1]} {digest}"


def _install(requirements: Path) -> None:
    python = VENV / "bin" / "python"
    if not python.exists():
        _say("Making the virtual environment in .venv")
        _run([sys.executable, "-m", "venv", str(VENV)])
    _say(f"Installing {requirements.name} (a few minutes the first time)")
    uv = shutil.which("uv") or _uv_from_pip(python)
    if uv:
        _run(
            [
                uv,
                "pip",
                "install",
                "-q",
                "--python",
                str(python),
                "--require-hashes",
                "-r",
                str(requirements),
            ]
        )
    else:
        _run(
            [str(python), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(requirements)]
        )


def _uv_from_pip(python: Path) -> "str | None":
    """Return the uv that pip can install, or None: then pip does all the work, slower."""
    asked = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv"]
    done = subprocess.run(asked, capture_output=True, check=False)  # noqa: S603 -- fixed arguments
    found = python.parent / "uv"
    return str(found) if done.returncode == 0 and found.exists() else None


def _run(arguments: "list[str]") -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run(arguments, check=True, env=environment)  # noqa: S603 -- fixed arguments


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def _fail(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
