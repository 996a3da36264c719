"""The demo study's material: short e-mails and subject lines, written for this project."""

from pathlib import Path

EMAILS = Path(__file__).parent / "emails.jsonl"
