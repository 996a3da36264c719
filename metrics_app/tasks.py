"""Background work of the metrics app: one fetch, one call."""
