"""ROUGE from its definitions, equal to rouge-score on every pair. No metric's settings here."""
