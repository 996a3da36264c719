"""Commands of the metrics app."""
