"""Commands that are no analyses: one file each, the function named as the file; their docstring is their help."""
