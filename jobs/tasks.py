"""Tasks that keep background work alive."""
