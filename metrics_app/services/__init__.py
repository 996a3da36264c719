"""Writes of the metrics app: one act, one transaction."""
