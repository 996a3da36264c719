"""Every statistic by its name."""
