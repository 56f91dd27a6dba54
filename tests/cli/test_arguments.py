import pytest

import closedchain as cc
from closedchain.cli.files import safe_name
from closedchain.cli.studies import studies
from closedchain.cli.studies.arguments import ArgumentProblem, Choice, Quantity, Values, Whole, Words

NAMES = {"l": 0.5}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("2", 2.0), (2, 2.0), ("20 ms", 0.02), ("2*l", 1.0), ("1 min", 60.0), ("1e-3", 1e-3)],
)
def test_quantities(raw, expected):
    assert Quantity("s").read(raw, NAMES) == pytest.approx(expected)


@pytest.mark.parametrize("raw", ["2 kg", "t", "w", "", True, [1.0], "1/0"])
def test_wrong_quantities_are_problems(raw):
    with pytest.raises((ArgumentProblem, cc.MechanismError)):
        Quantity("s").read(raw, NAMES)


def test_lists_come_as_lists_or_with_commas():
    assert Quantity("s", many=True).read(["1, 2", "min(3, 4)"], NAMES) == [1.0, 2.0, 3.0]
    assert Quantity("s", many=True).read((1, "2 s"), NAMES) == [1.0, 2.0]
    assert Words(many=True).read("A1, A2", NAMES) == ["A1", "A2"]


def test_whole_numbers():
    assert Whole(2).read("10", NAMES) == 10
    for raw in (1, 2.5, "x"):
        with pytest.raises(ArgumentProblem):
            Whole(2).read(raw, NAMES)


def test_values_of_coordinates():
    assert Values().read(["A=90 deg", "S=2*l", "Q=1,0,0,0"], NAMES) == {
        "A": pytest.approx(1.5707963267948966),
        "S": 1.0,
        "Q": [1.0, 0.0, 0.0, 0.0],
    }
    assert Values().read({"A": "1 rad", "Q": (0, 0, 1)}, NAMES) == {"A": 1.0, "Q": [0.0, 0.0, 1.0]}
    with pytest.raises(ArgumentProblem, match="NAME=VALUE"):
        Values().read(["A"], NAMES)


@pytest.mark.parametrize("name", studies())
def test_every_study_keeps_its_contract(name):
    study = studies()[name]
    assert study.name == name
    assert study.meaning
    words = [argument.name for argument in study.arguments]
    assert len(set(words)) == len(words)
    with pytest.raises(cc.MechanismError, match=r"studies\.x\.nonsense"):
        study.read({"nonsense": 1}, "studies.x", {})
    for argument in study.arguments:
        assert argument.meaning
        assert argument.default is None or argument.kind.read(argument.default, {}) == argument.default


@pytest.mark.parametrize(
    ("text", "expected"),
    [("../../etc/x", "etc_x"), ("nul", "nul_"), ("", "mechanism"), ("a b/c", "a_b_c"), ("<script>", "script")],
)
def test_names_of_users_become_safe_file_names(text, expected):
    assert safe_name(text) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(True, True), ("false", False), (["true"], True), (("B1", "B2"), ["B1", "B2"]), ("B1,B2", ["B1", "B2"])],
)
def test_yes_no_or_names(raw, expected):
    assert Choice().read(raw, NAMES) == expected


def test_neither_yes_no_nor_names():
    with pytest.raises(ArgumentProblem, match="true, false or names"):
        Choice().read([1.0, 2.0], NAMES)


def test_pairs_stand_in_one_option_or_in_several():
    read = Values().read
    assert read("A=1, B=2,3", {}) == {"A": 1.0, "B": [2.0, 3.0]}
    assert read(["A=1", "B=2"], {}) == {"A": 1.0, "B": 2.0}
    with pytest.raises(ArgumentProblem):
        read("1, A=2", {})
