"""Clean values from forms."""
