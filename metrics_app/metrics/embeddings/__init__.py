"""Vectors of words, and the distances between texts that are made of them."""
