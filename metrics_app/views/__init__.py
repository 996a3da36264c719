"""Pages of the metrics app."""
