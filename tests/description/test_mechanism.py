"""The mechanism as a value: references, numbers by path, other numbers, structure, building, pickling."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import closedchain as cc
from closedchain.compile import trace
from closedchain.description import At, Mechanism, Value
from closedchain.exceptions import MechanismError


def test_numbers_by_path(make, clearance):
    m = Mechanism.from_dict(make("four_bar", joints__B__clearance=clearance()))
    numbers = {path: m.evaluate(value) for path, value in m.values().items() if not value.uses_time}
    for path, expected in {
        "parameters.crank": 0.12,
        "mechanism.gravity.1": -9.81,
        "bodies.crank.mass": 0.5,
        "bodies.crank.com.0": 0.06,
        "bodies.crank.inertia": 6e-4,
        "bodies.crank.points.B.0": 0.12,
        "bodies.rocker.mass": 0.0,
        "bodies.rocker.com.1": 0.0,
        "joints.A.guess": math.radians(30),
        "joints.A.offset": 0.0,
        "joints.A.stiffness": 0.0,
        "joints.B.clearance.radial": 2e-4,
        "joints.B.clearance.stiffness": 6.6e10,
        "joints.B.clearance.exponent": 1.5,
        "joints.B.clearance.approach_floor": 1e-4,
    }.items():
        assert numbers[path] == pytest.approx(expected, rel=1e-15), path
    assert m.values()["actuators.motor.motion"].uses_time
    assert m.evaluate("actuators.motor.motion", 0.25) == pytest.approx(math.pi / 2)
    with pytest.raises(MechanismError, match="function of time"):
        m.evaluate("actuators.motor.motion")


def test_paths_of_frames_axes_and_lists():
    m = Mechanism.from_dict(
        {
            "bodies": {
                "ground": {},
                "a": {"points": {"P": {"at": [1, 2, 3], "z": [0, 1, 0], "x": [1, 0, 0]}}, "inertia": [1, 2, 3]},
            },
            "joints": {
                "J": {"type": "cylindrical", "between": ["ground.origin", "a.P"], "axis": [[0, 0, 1], [0, 1, 1]],
                      "guess": {"length": 0.1, "angle": 0.2}, "limits": {"length": ["-1 mm", 1]}},
            },
            "couplings": {"c": {"sum": {"J.angle": 2, "J.length": -3}, "equals": 0.5}},
        }
    )  # fmt: skip
    for path, expected in {
        "bodies.a.points.P.2": 3, "bodies.a.points.P.z.1": 1, "bodies.a.points.P.x.0": 1, "bodies.a.inertia.2": 3,
        "joints.J.axis.1.2": 1, "joints.J.guess.angle": 0.2, "joints.J.limits.length.0": -1e-3, "joints.J.offset.1": 0,
        "couplings.c.sum.J.length": -3, "couplings.c.equals": 0.5,
    }.items():  # fmt: skip
        assert m.evaluate(path) == expected, path
    joint = m.joints["J"]
    assert [value.si for value in joint.guess or ()] == [0.2, 0.1]
    assert joint.limits is not None
    assert joint.limits[0] is None
    n = m.with_values(
        {"joints.J.axis.1.2": 2, "joints.J.limits.length.1": 2, "couplings.c.sum.J.length": 1, "bodies.a.points.P.0": 5}
    )
    assert n.to_dict()["joints"]["J"]["axis"] == [[0, 0, 1], [0, 1, 2]]
    assert n.to_dict()["bodies"]["a"]["points"]["P"]["at"] == [5, 2, 3]


def test_with_values_changes_numbers_alone(make):
    m = Mechanism.from_dict(make("four_bar"))
    n = m.with_values(
        {
            "parameters.crank": 0.13,
            "bodies.crank.mass": "600 g",
            "bodies.coupler.points.P.1": "crank",
            "joints.B.offset": "1 deg",
        }
    )
    assert n.evaluate("bodies.crank.points.B.0") == 0.13
    assert n.evaluate("bodies.crank.mass") == 0.6
    assert n.evaluate("bodies.coupler.points.P.1") == 0.13
    assert n.evaluate("joints.B.offset") == math.radians(1)
    assert m.evaluate("parameters.crank") == 0.12
    assert n != m
    assert n.with_values({"parameters.crank": "120 mm"}) != m
    assert m.with_values({"parameters.crank": np.float64(0.2)}).evaluate("parameters.crank") == 0.2


def test_defaults_can_be_given_numbers(make):
    m = Mechanism.from_dict(make("four_bar"))
    n = m.with_values({"bodies.rocker.com.1": 0.1, "bodies.rocker.inertia": 2, "joints.C.damping": 0.1})
    assert n.to_dict()["bodies"]["rocker"] == {"points": {"D": [0, 0], "C": [0.3, 0]}, "com": [0.0, 0.1], "inertia": 2}
    assert n.evaluate("bodies.rocker.com.0") == 0.0


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("parameters.crnk", "parameters.crank"),
        ("bodies.crank.mas", "bodies.crank.mass"),
        ("joints.B.clearance.radial", ""),
        ("x", ""),
    ],
)
def test_unknown_paths_name_the_nearest(make, path, near):
    with pytest.raises(MechanismError) as caught:
        Mechanism.from_dict(make("four_bar")).with_values({path: 1.0})
    (finding,) = caught.value.findings
    assert finding.place == path
    assert near in finding.remedy


@pytest.mark.parametrize("value", [math.nan, math.inf, True, None, [1], "3 kg", "1/0", "nope"])
def test_values_are_checked_as_in_the_file(make, value):
    with pytest.raises(MechanismError, match=r"bodies\.crank\.points\.B\.0"):
        Mechanism.from_dict(make("four_bar")).with_values({"bodies.crank.points.B.0": value})


def test_structure_tells_when_kernels_are_shared(make):
    m = Mechanism.from_dict(make("four_bar", studies__s={"kind": "x"}))
    same = [{"parameters.crank": 0.2}, {"bodies.crank.mass": 2}, {"joints.A.guess": 1}, {"mechanism.gravity.1": 3}]
    for values in same:
        assert m.with_values(values).structure == m.structure
        assert hash(m.with_values(values).structure) == hash(m.structure)
    other = [
        {"bodies.crank.com.1": 0.1},
        {"parameters.crank": 0},
        {"bodies.crank.mass": "crank"},
        {"actuators.motor.motion": "pi*t"},
    ]
    for values in other:
        assert m.with_values(values).structure != m.structure
    assert Mechanism.from_dict(make("four_bar", mechanism__name="other")).structure == m.structure


def test_signs_of_directions_are_structure(make):
    m = Mechanism.from_dict(make("spatial"))
    assert m.with_values({"joints.J.axis.0": 2}).structure == m.structure
    assert m.with_values({"joints.J.axis.0": -1}).structure != m.structure


def test_exponents_are_plain_numbers_even_as_expressions(make, clearance):
    m = Mechanism.from_dict(make("four_bar", parameters__n=1.5, joints__B__clearance=clearance(exponent="n")))
    loose = m.joints["B"].clearance
    assert loose is not None
    exponent = loose.parameters["exponent"]
    traced: list[Any] = []

    def look(p: Any) -> dict[str, Any]:
        traced.append(m.evaluator(lambda value: p[0])(exponent))
        return {"y": p[0]}

    trace(look, {"p": 1})
    assert traced == [1.5]
    assert m.with_values({"parameters.n": 2}).structure != m.structure


def test_evaluator_asks_for_literals_that_are_inputs(make):
    m = Mechanism.from_dict(make("four_bar"))
    asked: list[str] = []

    def leaf(value: Value) -> float:
        asked.append(value.path)
        return value.si

    evaluate = m.evaluator(leaf)
    assert evaluate(m.bodies["crank"].points["B"].at[0]) == 0.12  # type: ignore[union-attr]
    assert evaluate(m.bodies["crank"].points["A"].at[0]) == 0.0  # type: ignore[union-attr]
    assert "parameters.crank" in asked
    assert "bodies.crank.points.A.0" not in asked
    free = m.evaluator(leaf, free=["bodies.crank.points.A.0"])
    free(m.bodies["crank"].points["A"].at[0])  # type: ignore[union-attr]
    assert "bodies.crank.points.A.0" in asked


def test_parameters_in_any_order(make):
    chain = {f"p{k}": f"p{k + 1} + 1" for k in range(2000)}
    m = Mechanism.from_dict(make("four_bar", parameters={"crank": "coupler/3", "coupler": 0.3, **chain, "p2000": 0}))
    assert m.evaluate("parameters.crank") == pytest.approx(0.1)
    assert m.evaluate("parameters.p0") == 2000


def test_mass_properties():
    corner = {"mass": 2, "com": [0.1, 0.2, 0.3], "inertia": [2, 3, 4, 0.1, -0.2, 0.3], "points": {"Q": [0.5, 0, 0]}}
    m = Mechanism.from_dict(
        {
            "bodies": {
                "ground": {},
                "a": corner,
                "b": {**corner, "inertia_at": "Q"},
                "c": {**corner, "inertia_at": [0.5, 0, 0]},
            },
            "joints": {name: {"type": "free", "between": ["ground.origin", f"{name}.Q"]} for name in "abc"},
        }
    )
    mass, com, inertia = m.bodies["a"].mass_properties(m.evaluator())
    tensor = np.array([list(row) for row in inertia])
    assert (mass, list(com)) == (2.0, [0.1, 0.2, 0.3])
    assert tensor.tolist() == [[2, 0.1, -0.2], [0.1, 3, 0.3], [-0.2, 0.3, 4]]
    d = np.array([-0.4, 0.2, 0.3])
    steiner = 2 * (d @ d * np.eye(3) - np.outer(d, d))
    for name in "bc":
        moved = np.array([list(row) for row in m.bodies[name].mass_properties(m.evaluator())[2]])
        assert moved == pytest.approx(tensor - steiner, abs=1e-15)


def test_planar_inertia_about_another_point(make):
    m = Mechanism.from_dict(make("four_bar", bodies__crank__inertia=0.01, bodies__crank__inertia_at="A"))
    inertia = m.bodies["crank"].mass_properties(m.evaluator())[2]
    assert inertia[2, 2] == pytest.approx(0.01 - 0.5 * 0.06**2)
    assert inertia[0, 0] == 0.0


def test_building_says_the_same_as_a_file(make, clearance):
    data = make(
        "four_bar", joints__B__clearance=clearance(), couplings__g={"sum": {"A": 1, "D": -1}, "equals": 0.1},
        forces__f={"kind": "moment", "on": "crank", "vector": 1}, motions={"m": {"of": "coupler.P", "x": "t"}},
        studies__s={"kind": "simulate", "until": 2},
    )  # fmt: skip
    m = Mechanism.build("four-bar", planar=True, gravity=[0, -9.81])
    m = m.parameter("crank", "120 mm").parameter("coupler", 0.4)
    for name, body in data["bodies"].items():
        m = m.body(name, **body)
    for name, joint in data["joints"].items():
        m = m.joint(name, **joint)
    m = (
        m.actuator("motor", "A", motion="2*pi*t").output("tip", "coupler.P")
        .coupling("g", {"A": 1, "D": -1}, equals=0.1)
        .force("f", "moment", on="crank", vector=1).motion("m", of="coupler.P", x="t").study("s", "simulate", until=2)
    )  # fmt: skip
    assert m == Mechanism.from_dict(data)
    assert m.checked() is m


def test_building_takes_arrays_and_chains():
    rows = [{"a": np.float32(0.5), "alpha": "90 deg"}, {"d": np.int64(1)}]
    m = Mechanism.build("arm").body("ground", points={"foot": np.array([0.0, 0.0, 1.0])})
    m = m.chain("arm", start="ground.foot", convention="modified", rows=rows)
    assert m == Mechanism.from_dict(
        {
            "mechanism": {"name": "arm"},
            "bodies": {"ground": {"points": {"foot": [0, 0, 1]}}},
            "chains": {
                "arm": {
                    "from": "ground.foot",
                    "convention": "modified",
                    "rows": [{"a": 0.5, "alpha": "90 deg"}, {"d": 1}],
                }
            },
        }
    )
    assert list(m.bodies) == ["ground", "arm.1", "arm.2"]


def test_building_is_checked_on_use():
    m = Mechanism.build(planar=True).joint("A", "revolut", between=("ground.A", "crank.A"))
    later = m.body("ground", points={"A": [0, 0]})
    with pytest.raises(MechanismError) as caught:
        _ = m.joints
    assert len(caught.value.findings) == 3
    with pytest.raises(MechanismError) as caught:
        later.checked()
    assert len(caught.value.findings) == 2
    assert (
        later.body("crank", points={"A": [0, 0]})
        .joint("A", "revolute", between=("ground.A", "crank.A"))
        .joints["A"]
        .type
        == "revolute"
    )


def test_frozen_hashable_picklable(make, clearance):
    for data in (make("four_bar", joints__B__clearance=clearance()), make("arm"), make("spatial")):
        m = Mechanism.from_dict(data)
        assert pickle.loads(pickle.dumps(m)) == m
        assert {m: 1}[Mechanism.from_dict(data)] == 1
        with pytest.raises(AttributeError, match="never changes"):
            m.name = "x"  # type: ignore[misc]
        data["bodies"].clear()
        assert len(m.to_dict()["bodies"]) > 0


def test_references_are_points_and_coordinates(make):
    m = Mechanism.from_dict(make("spatial", actuators__m={"joint": "J.length", "effort": "2 N"}))
    assert m.joints["J"].base == At("ground", m.bodies["ground"].points["A"])
    assert m.joints["J"].moving.text == "link.A"
    reference = m.actuators["m"].joint
    assert (reference.joint, reference.coordinate, reference.index, reference.unit, reference.text) == (
        "J",
        "length",
        1,
        "m",
        "J.length",
    )


def test_clearance_of_each_kind(make, clearance):
    m = Mechanism.from_dict(make("four_bar", joints__B__clearance=clearance(friction=None, mu=None, v0=None, v1=None)))
    loose = m.joints["B"].clearance
    assert loose is not None
    assert (loose.kind, loose.normal, loose.friction) == ("revolute-pin", "lankarani-nikravesh", "none")
    steel = {"youngs": "207 GPa", "poisson": 0.3}
    m = Mechanism.from_dict(
        make("four_bar", joints__B__clearance=clearance(stiffness=None, material={"bore": steel, "journal": steel}))
    )
    loose = m.joints["B"].clearance
    assert loose is not None
    assert loose.material is not None
    assert "stiffness" not in loose.parameters
    assert m.evaluate("joints.B.clearance.material.bore.youngs") == 2.07e11
    slider = {
        "kind": "prismatic-slider",
        "radial": "0.1 mm",
        "length": 0.1,
        "height": 0.05,
        "normal": "hertz",
        "stiffness": 1e9,
    }
    m = Mechanism.from_dict(make("four_bar", joints__B__type="prismatic", joints__B__clearance=slider))
    ball = {"kind": "spherical-socket", "radial": "0.1 mm", "bore": 0.01, "normal": "hertz", "stiffness": 1e9}
    m = Mechanism.from_dict(make("spatial", joints__S__clearance=ball))
    assert m.joints["S"].clearance is not None
    ends = clearance(length=0.02, axial="0.1 mm")
    m = Mechanism.from_dict(
        make("spatial", joints__J={"type": "revolute", "between": ["ground.A", "link.A"], "clearance": ends})
    )
    loose = m.joints["J"].clearance
    assert loose is not None
    assert loose.kind == "revolute-pin-ends"


def test_studies_hold_quantities_in_si(make):
    said = {
        "kind": "sweep",
        "until": "2 s",
        "values": {"parameters.crank": ["100 mm", 0.2]},
        "what": "worst",
        "of": "crank.B",
        "flag": True,
    }
    study = Mechanism.from_dict(make("four_bar", studies__s=said)).studies["s"]
    assert study.kind == "sweep"
    assert study.arguments == {
        "until": 2.0, "values": {"parameters.crank": [0.1, 0.2]}, "what": "worst", "of": "crank.B", "flag": True,
    }  # fmt: skip


def test_public_names():
    assert cc.Mechanism is Mechanism
    assert cc.load.__module__ == "closedchain.description.files.toml"
