"""File formats of mechanisms, one file each."""
