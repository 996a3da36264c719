"""What is stored of metrics and analyses."""
