"""The command line: one command, one file; analyses become commands and studies from one registry."""
