"""The Human Evaluation Datasheet, version 3.0: filled from what is stored, the rest left open."""
