"""From results to tables, charts and text."""
