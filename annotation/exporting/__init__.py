"""From rows to files: one writer a format. Pure: no Django."""
