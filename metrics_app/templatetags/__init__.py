"""What templates of the metrics app need."""
