"""Rules of the design: who sees what, and who passes. Pure: no Django."""
