"""Writes of background work."""
