"""The analysis API."""
