"""What is wrong with a file that is no TOML, in the words of someone who writes mechanisms."""

import re

UNQUOTED_UNIT = re.compile(r"\s*[\w\"'.-]+\s*=\s*([-+.\d]+(?:[eE][-+]?\d+)?\s*[A-Za-zµ°%][^#]*?)\s*(?:#.*)?")
UNQUOTED_WORDS = re.compile(r"\s*[\w\"'.-]+\s*=\s*([A-Za-z_][^\"'#\[\]{}]*?)\s*(?:#.*)?")

AGAIN = ("overwrite", "twice", "redefine", "mutate")
ONCE = "Every table and key stands once; put the keys together, or choose another name."


def mistake(text: str, error: Exception) -> tuple[str, str]:
    """The sentence that quotes the line at fault, and the remedy.

    text: the file. error: of `tomllib`, whose message names the line.

    >>> import tomllib
    >>> text = "[parameters]\\ncrank = 50 mm\\n"
    >>> try:
    ...     tomllib.loads(text)
    ... except tomllib.TOMLDecodeError as error:
    ...     print(*mistake(text, error), sep="\\n")
    line 2, `crank = 50 mm`, is not TOML: expected newline or end of document after a statement.
    A number with its unit stands in quotes: "50 mm".
    """
    said = str(error)
    found = re.fullmatch(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", said, re.DOTALL)
    what, number = (found[1], found[2]) if found else (said, None)
    what = what[:1].lower() + what[1:]
    if number is None:
        again = any(word in what for word in AGAIN)
        return (
            f"this is not TOML: {what} (at the end of document).",
            ONCE if again else "A bracket, a quote or a value is missing.",
        )
    line = text.splitlines()[int(number) - 1].strip() if int(number) <= len(text.splitlines()) else ""
    return f"line {number}, `{line[:80]}`, is not TOML: {what}.", remedy(line, what)


def remedy(line: str, what: str) -> str:
    """What to write instead."""
    if found := UNQUOTED_UNIT.fullmatch(line):
        return f'A number with its unit stands in quotes: "{found[1]}".'
    if any(word in what for word in AGAIN):
        return ONCE
    if re.search(r"=\s*(True|False)\b", line):
        return "Write true and false in small letters."
    if re.search(r"=\s*\[\s*[A-Za-z_]", line):
        return 'Names in a list stand in quotes: ["body.point", "body.point"].'
    if found := UNQUOTED_WORDS.fullmatch(line):
        return f'Words and expressions stand in quotes: "{found[1]}".'
    return "Correct this line; text stands in quotes, lists in [ ], tables in { }."
