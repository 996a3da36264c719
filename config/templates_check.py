"""Check the form of all templates with djlint and djade; exit 1 on the first fault."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run both checkers over templates/."""
    templates = sorted(str(path) for path in (ROOT / "templates").rglob("*.html"))
    if not templates:
        return 0
    bin_dir = Path(sys.executable).parent
    commands = [
        [str(bin_dir / "djlint"), "--lint", "--quiet", *templates],
        [str(bin_dir / "djade"), "--check", "--target-version", "5.2", *templates],
    ]
    # S603: the arguments are our own files.
    return max(subprocess.run(command, check=False).returncode for command in commands)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
