"""Reads of the annotation app."""
