"""TOML files: what loads, what is refused with one sentence, and round trips to equal mechanisms."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import closedchain as cc
from closedchain.description import Mechanism, loads
from closedchain.description.files.writing import dumps
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.family import VectorParameter
from closedchain.elements.forces import force_kinds
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joints import joint_types

GROUND = "[bodies.ground]\n"


def refused(path: Path) -> str:
    with pytest.raises(cc.MechanismError) as caught:
        cc.load(path)
    (finding,) = caught.value.findings
    return f"{finding.place}: {finding.message} {finding.remedy}"


def test_missing_file_folder_and_binary(tmp_path):
    assert "does not exist" in refused(tmp_path / "none.toml")
    assert "is a folder" in refused(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00\x80" * 10)
    assert "is not text" in refused(binary)
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as file:
        file.truncate(21_000_000)
    assert "more than 20 MB" in refused(huge)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    assert "not a regular file" in refused(tmp_path / "pipe.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[mechanism", "end of document"),
        (GROUND + "points = { A = [0, 0] \n", "line 2"),
        ("[mechanism]\nname = 1\nname = 2\n", "line 3"),
        (GROUND + GROUND, "line 2"),
        ("a = 01\n", "line 1"),
        ("x = \x00\n", "line 1"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("a = " + "9" * 5000, "cannot be read"),
    ],
)
def test_what_is_no_toml(text, told):
    with pytest.raises(cc.MechanismError) as caught:
        loads(text)
    (finding,) = caught.value.findings
    assert told in finding.message


@pytest.mark.parametrize("text", ["", "# nothing\n", "[mechanism]\nname = 'x'\n", "[bodies.crank]\n"])
def test_ground_is_asked_for(text):
    with pytest.raises(cc.MechanismError, match=r"bodies\.ground: the fixed body is missing\. Add \[bodies\.ground\]"):
        loads(text)


def test_dates_and_times_are_no_numbers():
    with pytest.raises(cc.MechanismError, match=r"bodies\.a\.mass: .*1979.* is not a number"):
        loads(GROUND + "[bodies.a]\nmass = 1979-05-27T07:32:00Z\n")


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text("[bodies.ground]\nmas = 1\n")
    with pytest.raises(cc.MechanismError, match=r"1 mistake in .*m\.toml"):
        cc.load(path)


def test_unquoted_chain_bodies_are_read_as_toml_says():
    """[bodies.arm.6] is a table 6 inside body arm, which the error says."""
    with pytest.raises(cc.MechanismError, match=r"bodies\.arm\.6: there is no key '6' here"):
        loads(GROUND + "[bodies.arm.6]\nmass = 1\n")


def test_file_order_is_kept(tmp_path, make):
    data = make("four_bar")
    data["actuators"] = {"z": {"joint": "B"}, "a": {"joint": "A"}}
    m = Mechanism.from_dict(data)
    m.to_toml(tmp_path / "m.toml")
    again = cc.load(tmp_path / "m.toml")
    assert list(again.actuators) == ["z", "a"]
    assert list(again.values()) == list(m.values())
    assert again == m
    data["actuators"] = {"a": {"joint": "A"}, "z": {"joint": "B"}}
    assert Mechanism.from_dict(data) != m


def test_key_order_inside_an_entry_does_not_matter(make):
    data = make("four_bar")
    other = make("four_bar")
    other["bodies"]["crank"] = dict(reversed(data["bodies"]["crank"].items()))
    assert Mechanism.from_dict(data) == Mechanism.from_dict(other)
    assert hash(Mechanism.from_dict(data)) == hash(Mechanism.from_dict(other))


def test_bases_round_trip(make, clearance, tmp_path):
    for k, data in enumerate(
        [
            make("four_bar"),
            make("arm"),
            make("spatial"),
            make("four_bar", joints__B__clearance=clearance(initial=[0, "0.1 mm"])),
        ]
    ):
        m = Mechanism.from_dict(data)
        m.to_toml(tmp_path / f"{k}.toml")
        assert cc.load(tmp_path / f"{k}.toml") == m
        assert Mechanism.from_dict(m.to_dict()) == m


def test_awkward_text_survives():
    said = 'quotes " and \\ back\nnew line, tab\t, bell \x07, delete \x7f, Grüße, 中, "'
    m = Mechanism.from_dict({"mechanism": {"name": said, "description": said}, "bodies": {"ground": {}}})
    assert loads(m.to_text()).name == said


# Random mechanisms: a tree of links with random joints, forces and laws, as a user could write them.

NAMES = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_-]{0,6}\Z").filter(lambda name: name.lower() not in ("ground", "origin"))
FINITE = st.floats(allow_nan=False, allow_infinity=False, width=32)
LENGTHS = FINITE | st.integers(-5, 5) | st.sampled_from(["3 mm", "-2.5e-3 m", "p/2", "sin(p) + 1e-3", "p^2", "1/3"])
POSITIVE = st.floats(1e-3, 1e3) | st.sampled_from(["p", "exp(-p)", 2])


def unique_names(draw: Any, count: int) -> list[str]:
    return draw(st.lists(NAMES, min_size=count, max_size=count, unique_by=str.lower))


def number_for(draw: Any, parameter: Any) -> Any:
    if getattr(parameter, "choices", ()):
        return draw(st.sampled_from(parameter.choices))
    low = max(parameter.lower, -10.0)
    high = min(parameter.upper, 10.0)
    return draw(st.floats(low, high, exclude_min=parameter.open_lower, exclude_max=parameter.open_upper))


@st.composite
def mechanisms(draw: Any) -> dict[str, Any]:
    planar = draw(st.booleans())
    n = 2 if planar else 3
    vectors = st.lists(LENGTHS, min_size=n, max_size=n)
    names = unique_names(draw, draw(st.integers(1, 4)))
    data: dict[str, Any] = {
        "mechanism": {
            "planar": planar,
            "gravity": draw(st.sampled_from([[0, "-1 m/s^2", 0], ["p", 0, -9.81]]))[:n],
            "name": draw(st.text(max_size=10)),
        },
        "parameters": {"p": draw(st.floats(0.1, 2))},
        "bodies": {"ground": {"points": {"A": draw(vectors)}}},
        "joints": {},
    }
    forms = [name for name in joint_types if joint_types[name].form(planar)]
    for k, name in enumerate(names):
        body: dict[str, Any] = {
            "points": {"A": draw(vectors), "F": {"at": draw(vectors), "x": [1, "p"] if planar else [1, 0, 0]}}
        }
        if draw(st.booleans()):
            body |= {
                "mass": draw(POSITIVE),
                "com": draw(vectors),
                "inertia": draw(POSITIVE) if planar else ["p", "p", 2],
            }
            body["inertia"] = draw(POSITIVE) if planar else draw(st.sampled_from([[1, 1, 2], ["p", "p", "p", 0, 0, 0]]))
        data["bodies"][name] = body
        kind = draw(st.sampled_from(forms))
        form = joint_types[kind].form(planar)
        assert form is not None
        base = ["ground", *names][draw(st.integers(0, k))]
        joint: dict[str, Any] = {"type": kind, "between": [f"{base}.A", f"{name}.F"]}
        joint |= {parameter.name: draw(POSITIVE) for parameter in form.parameters}
        if form.rates and draw(st.booleans()):
            joint["rate"] = [draw(FINITE | st.just("p")) for _ in form.rates]
        if len(form.rates) == 1 and draw(st.booleans()):
            law = friction_laws[draw(st.sampled_from(sorted(set(friction_laws) - {"none"})))]
            values = {parameter.name: number_for(draw, parameter) for parameter in law.parameters}
            if not law.check(values):
                joint["friction"] = {"law": law.name, **values}
        if kind == "revolute" and draw(st.booleans()):
            law = contact_laws[draw(st.sampled_from(sorted(contact_laws)))]
            values = {parameter.name: number_for(draw, parameter) for parameter in law.parameters}
            geometry = {"radial": "0.2 mm", "bore": "10 mm", "length": 0.02}
            if not law.check({**values, "radial": 2e-4, "bore": 1e-2, "length": 0.02}):
                joint["clearance"] = {**geometry, "normal": law.name, **values}
        if not planar and draw(st.booleans()):
            joint["axis"] = draw(st.sampled_from([[0, 0, -1], [1, 0, "p"], [[0, 1, 0], [0, 0, 1]]]))
        data["joints"][f"J{k}"] = joint
    if draw(st.booleans()):
        data["outputs"] = {"tip": {"point": f"{names[-1]}.F"}}
        data["motions"] = {"m": {"of": f"{names[-1]}.A", "x": draw(st.sampled_from(["t", "step(t, 0, 1, 0, p)", 0]))}}
        data["forces"] = {"f": {"kind": "force", "on": f"{names[0]}.A", "vector": ["sin(t)", *[0] * (n - 1)]}}
        data["studies"] = {
            "s": {"kind": "simulate", "until": "2 s", "clearance": ["J0"], "deep": {"a": [1, {"b": True}]}}
        }
    return data


@given(mechanisms())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], max_examples=60)
def test_random_mechanisms_round_trip(data):
    m = Mechanism.from_dict(data)
    again = loads(m.to_text())
    assert again == m
    assert hash(again) == hash(m)
    assert list(again.values().items()) == list(m.values().items())
    assert again.structure == m.structure
    assert dumps(again.to_dict()) == m.to_text()


def test_every_force_kind_reads(make):
    attach = {
        "pair": {"between": ["ground.A", "crank.B"]},
        "point": {"on": "crank.B"},
        "body": {"on": "crank"},
        "joint": {"joint": "A"},
    }
    for name, kind in force_kinds.items():
        values = {}
        for parameter in kind.parameters:
            size = parameter.size(True) if isinstance(parameter, VectorParameter) else 0
            values[parameter.name] = [1.0] * size if size else ("body" if parameter.name == "axes" else 1.0)
        m = Mechanism.from_dict(make("four_bar", forces__f={"kind": name, **attach[kind.attach], **values}))
        force = m.forces["f"]
        held = [part for part in (force.between, force.point, force.body, force.joint) if part is not None]
        assert len(held) == 1
        assert set(force.parameters) == set(values)
