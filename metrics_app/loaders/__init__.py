"""Rows from the door, or from a file, as what the statistics read."""
