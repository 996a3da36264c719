"""Commands of the annotation app."""
