"""Forms of the metrics app."""
