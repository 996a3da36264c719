"""Automatic metrics of generated text. No Django."""
