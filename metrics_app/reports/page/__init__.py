"""What the report page shows: the rows of ``report.json`` as words, figures and drawings."""
