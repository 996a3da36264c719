"""The door's rows as the statistics' tables."""
