"""Background work of the annotation app: one fetch, one call."""
