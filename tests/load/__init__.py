"""Judges at work over HTTP and the server they work on, for the bench and for the proofs."""
