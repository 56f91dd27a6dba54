"""The same mechanisms in other programs, each a script that reads the mechanism from standard input."""
