"""Writes of the annotation app: one act, one transaction."""
