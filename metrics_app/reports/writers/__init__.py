"""A report on disk: one writer a format, all fed by the same tables and figures."""
