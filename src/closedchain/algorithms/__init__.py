"""Mechanics over numbers (floats or traced symbols): one algorithm, one file, named as in the literature."""
