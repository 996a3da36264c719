"""Rows of the report's later lists, one noun a file; the first lists are in ``contract``."""
