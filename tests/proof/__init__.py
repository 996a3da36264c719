"""Proofs that take minutes: servers and databases are killed under load. Run by ``make proof``."""
