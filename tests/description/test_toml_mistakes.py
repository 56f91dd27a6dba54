"""Files that are no TOML: the line at fault is quoted, the remedy is that of someone who writes mechanisms."""

import tomllib

import pytest

from closedchain.description.files.toml_mistakes import mistake


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("crank = 50 mm", '"50 mm"'),
        ("crank = -1.5e-3 m  # short", '"-1.5e-3 m"'),
        ("com = crank/2", '"crank/2"'),
        ("type = revolute", '"revolute"'),
        ("between = [ground.O, crank.A]", "in a list"),
        ("planar = True", "small letters"),
        ("a b = 3", "Correct this line"),
        ("x = 1\nx = 2\ny = 3", "stands once"),
        ("[a]\nx = 1\n[a]", "stands once"),
    ],
)
def test_remedies(line, remedy):
    text = f"before = 1\n{line}\n"
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    message, advice = mistake(text, caught.value)
    assert remedy in advice
    assert message.startswith("line ")
    assert message.split("`")[1] in text


def test_what_is_missing_at_the_end():
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads("x = [1, 2\n")
    assert mistake("x = [1, 2\n", caught.value)[1].startswith("A bracket")
