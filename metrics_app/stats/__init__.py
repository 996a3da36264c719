"""Statistics of human evaluation: agreement, comparison, correlation, ranking. No Django."""
