"""Charts of a report as Altair specifications: one for the page, SVG, PDF, PNG and JSON."""
