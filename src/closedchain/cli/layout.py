"""Text in columns of a terminal, where a Chinese sign is two columns wide."""

import unicodedata

# Chinese stops and closing signs, which no line begins with.
STOPS = "，。；：、）！？”"


def width(text: str) -> int:
    """Columns that a text takes on a terminal.

    >>> width("abc"), width("机构"), width("q̇")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def left(text: str, columns: int) -> str:
    """The text, filled with blanks on its right."""
    return text + " " * max(columns - width(text), 0)


def right(text: str, columns: int) -> str:
    """The text, filled with blanks on its left."""
    return " " * max(columns - width(text), 0) + text


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns; broken at blanks, in Chinese after any sign but not before a stop.

    >>> wrapped("one two three", 8)
    ['one two', 'three']
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if line and width(line) + width(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> list[str]:
    """The text cut where a line may end, blanks kept at the end of the piece before them."""
    found = [""]
    before = ""
    for sign in text:
        wide, after_wide = width(sign) == 2 and sign not in STOPS, width(before) == 2 and sign.isalnum()
        if before and (wide or after_wide or (before == " " and sign != " ")):
            found.append("")
        found[-1] += sign
        before = sign
    return found
