"""The door out: plain frozen rows of ratings and of material, for the metrics app."""
