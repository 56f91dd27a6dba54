"""The JSON Schema accepts what the reader accepts and refuses its plain mistakes."""

import tomllib

import jsonschema
import pytest

from closedchain.description.schema import json_schema


@pytest.fixture(scope="module")
def validator():
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_examples_are_valid(validator, root):
    files = sorted((root / "examples").glob("*/mechanism.toml"))
    assert files
    for file in files:
        errors = [
            f"{error.json_path}: {error.message}"
            for error in validator.iter_errors(tomllib.loads(file.read_text("utf-8")))
        ]
        assert not errors, (file, errors)


def test_bases_are_valid(validator, make, clearance):
    pd = {"kind": "pd", "target": "motion", "kp": 1, "feedforward": True}
    steel = {"youngs": "207 GPa", "poisson": 0.3}
    for data in (
        make("four_bar"), make("arm"), make("spatial"), make("four_bar", joints__B__clearance=clearance()),
        make("four_bar", joints__B__clearance=clearance(stiffness=None, material={"bore": steel, "journal": steel})),
        make("four_bar", actuators__motor={"joint": "A", "control": pd}),
        make("four_bar", forces__f={"kind": "spring-damper", "between": ["ground.A", "crank.B"], "stiffness": 1}),
        make("four_bar", joints__A__friction={"law": "coulomb", "mu": 0.1, "vr": 1, "load": 3}),
    ):  # fmt: skip
        assert not list(validator.iter_errors(data))


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        ("four_bar", {"bodys": {}}),
        ("four_bar", {"bodies__crank__mas": 1}),
        ("four_bar", {"bodies__crank__com": [0, 0, 0]}),
        ("spatial", {"bodies__link__com": [0, 0]}),
        ("four_bar", {"bodies__2nd": {}}),
        ("four_bar", {"bodies__crank__mass": True}),
        ("four_bar", {"joints__A__type": "revolut"}),
        ("four_bar", {"joints__A__between": ["ground.A"]}),
        ("four_bar", {"joints__A__lead": 1}),
        ("four_bar", {"joints__B__clearance": {"radial": 1e-4, "bore": 1e-2, "normal": "hertz", "mu": 0.1}}),
        ("four_bar", {"actuators__motor__control": {"kind": "pd", "target": 0}}),
        ("four_bar", {"actuators__motor__control": {"kind": "pd", "target": 0, "kp": 1, "ki": 1}}),
        ("four_bar", {"forces__f": {"kind": "moment", "on": "crank", "vector": [1, 2, 3]}}),
        ("four_bar", {"forces__f": {"kind": "moment", "vector": 1}}),
        ("four_bar", {"motions__m": {"of": "crank.B", "rotation": [0, 0, 0]}}),
        ("arm", {"chains__arm__rows": [{"alfa": 1}]}),
        ("arm", {"mechanism__planar": "yes"}),
    ],
)
def test_plain_mistakes_are_refused(validator, make, base, changes):
    assert list(validator.iter_errors(make(base, **changes)))


def test_every_key_says_what_it_means():
    def look(schema, path):
        for name, entry in schema.get("properties", {}).items():
            if "properties" not in entry and path.count(".") > 1:
                assert entry.get("description"), f"{path}.{name}"
            look(entry, f"{path}.{name}")
        for entry in schema.get("patternProperties", {}).values():
            look(entry, f"{path}.*")

    schema = json_schema()
    look(schema["then"], "")
    look(schema["else"], "")
