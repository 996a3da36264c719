"""The rating API."""
