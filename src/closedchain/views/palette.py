"""Colours of every drawing; readers who see few colours still tell them apart."""

# Okabe & Ito, "Color universal design", 2008; yellow left out, it is weak on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
GREY = "#6b6b6b"
INK = "#202020"
OUTPUT = "#D55E00"
FORCE = "#B22222"
LINKS = (*(colour for colour in COLOURS if colour not in (OUTPUT, "#000000")), "#7A5230", "#6A51A3")
