"""From files to clean rows: readers, mapping, checking. Pure: no Django."""
