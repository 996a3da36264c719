"""One module a family of metrics; each lists its own in METRICS, and the registry finds them."""
