"""What is stored of background work."""
