"""The questions: one analysis, one file."""
