# ruff: noqa: E501
"""Every mistake is reported with its place and a remedy, all of one file at once, and nothing else is raised."""

import contextlib
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import closedchain as cc
from closedchain.description import Mechanism

C = "joints.B.clearance"
GIVEN = object()


def case(place: str, told: str, remedy: str = "", base: Any = "four_bar", **changes: Any) -> Any:
    return pytest.param(base, changes, place, told, remedy, id=f"{place} {told}"[:70])


def loose(place: str, told: str, remedy: str = "", **changes: Any) -> Any:
    return pytest.param("loose", changes, place, told, remedy, id=f"{place} {told}"[:70])


FINDINGS = [
    # tables and keys
    case("bodys", "no table bodys", "bodies", bodys={}),
    case("bodies.crank.mas", "no key 'mas'", "Did you mean mass?", bodies__crank__mas=1),
    case("mechanism.gravty", "no key 'gravty'", "gravity", mechanism__gravty=[0, 1]),
    case("joints.A.clearence", "no key", "Did you mean clearance?", joints__A__clearence={}),
    case("actuators.motor.velocity", "no key", "Known: joint, motion, effort, control", actuators__motor__velocity=1),
    case("mechanism", "not a table", "{ key = value", mechanism=3),
    case("bodies", "not a table", "[bodies.NAME]", bodies=[1, 2]),
    case("bodies.crank", "not a table", "{ key = value", bodies__crank=1),
    case("mechanism.planar", "'yes' is not true or false", "true or false", mechanism__planar="yes"),
    case("mechanism.name", "3 is not text", "quotes", mechanism__name=3),
    case("joints.A.cut", "1 is not true or false", "", joints__A__cut=1),
    case("joints.A.type", "(joint type) is missing", "Add type", joints__A__type=None),
    case("joints.A", "'between'", "Add between", joints__A__between=None),
    case("outputs.tip", "'point'", "Add point", outputs__tip={}),
    # names
    case("bodies.2nd", "'2nd' is not a name", "letter", bodies__2nd={}),
    case("bodies.a b", "'a b' is not a name", "letter", **{"bodies__a b": {}}),
    case("parameters.ü", "is not a name", "letter", parameters__ü=1),
    case("bodies.Crank", "differs from crank only in case", "Rename", bodies__Crank={}),
    case("parameters.CRANK", "differs from crank only in case", "Rename", parameters__CRANK=1),
    case("bodies.crank.points.b", "differs from B only in case", "Rename", bodies__crank__points__b=[0, 0]),
    case("bodies.crank.points.Origin", "differs from origin only in case", "Rename", bodies__crank__points__Origin=[0, 0]),
    case("bodies.crank.points.origin", "the body's own origin", "another name", bodies__crank__points__origin=[0, 0]),
    case("joints.b", "differs from B only in case", "Rename", joints__b={"type": "fixed", "between": ["ground.A", "crank.B"]}),
    case("bodies.arm.6", "'arm.6' is not a name", "letter", **{"bodies__arm.6": {}}),
    # numbers, expressions, units
    case("bodies.crank.mass", "True is not a number", "a quantity", bodies__crank__mass=True),
    case("bodies.crank.mass", "[1] is not a number", "a quantity", bodies__crank__mass=[1]),
    case("bodies.crank.mass", "None is not a number", "a quantity", bodies__crank__mass=np.array(None)),
    case("bodies.crank.mass", "nan is not a finite number", "finite", bodies__crank__mass=math.nan),
    case("bodies.crank.mass", "inf is not a finite number", "finite", bodies__crank__mass=math.inf),
    case("bodies.crank.mass", "is not a finite number", "finite", bodies__crank__mass=10**400),
    case("bodies.crank.mass", "'nan' uses nan", "", bodies__crank__mass="nan"),
    case("bodies.crank.mass", "beyond the range", "", bodies__crank__mass="1e999"),
    case("bodies.crank.mass", "it divides by zero", "", bodies__crank__mass="1/0"),
    case("bodies.crank.mass", "the expression is empty", "", bodies__crank__mass=""),
    case("bodies.crank.mass", "no function foo", "", bodies__crank__mass="foo(1)"),
    case("bodies.crank.mass", "1001 characters", "parameters", bodies__crank__mass="1" * 1001),
    case("bodies.crank.mass", "nested more than 50", "parameters", bodies__crank__mass="(" * 60 + "1" + ")" * 60),
    case("bodies.crank.mass", "'3 m' is a length", "a value in kg", bodies__crank__mass="3 m"),
    case("bodies.crank.mass", "unknown unit kgg", "Did you mean kg?", bodies__crank__mass="3 kgg"),
    case("bodies.crank.mass", "'2*t' is a function of time", "may depend on t", bodies__crank__mass="2*t"),
    case("bodies.crank.com.0", "'30 deg' is an angle", "a value in m", bodies__crank__com=["30 deg", 0]),
    case("bodies.crank.com.0", "uses cronk", "Did you mean crank?", bodies__crank__com=["cronk/2", 0]),
    case("joints.A.rate", "an angular rate in Hz", "rpm or rad/s", joints__A__rate="3 Hz"),
    case("joints.A.guess", "'3 mm' is a length", "a value in rad", joints__A__guess="3 mm"),
    case("actuators.motor.motion", "is an angular rate", "a value in rad", actuators__motor__motion="1500 rpm"),
    case("actuators.motor.motion", "step ends at t1 = 1", "Usage: step", actuators__motor__motion="step(t, 2, 1, 0, 1)"),
    case("actuators.motor.motion", "it divides by zero", "", actuators__motor__motion="t/(crank - crank)"),
    case("parameters.crank", "it depends on itself: crank → crank", "as a number", parameters__crank="crank + 1"),
    case("parameters.crank", "crank → coupler → crank", "", parameters__crank="coupler", parameters__coupler="2*crank"),
    case("parameters.t", "t already means something", "another name", parameters__t=1),
    case("parameters.pi", "pi already means something", "another name", parameters__pi=3),
    case("parameters.sin", "sin already means something", "another name", parameters__sin=3),
    case("parameters.table", "table already means something", "", parameters__table=3),
    case("parameters.a", "{'b': 1} is not a number", "", parameters__a={"b": 1}),
    case("parameters.a", "is a function of time", "", parameters__a="2*t"),
    case("bodies.crank.mass", "uses link", "rename link-mass to link_mass", bodies__crank__mass="link-mass",
         **{"parameters__link-mass": 2}),
    # vectors
    case("mechanism.gravity", "3 numbers are given", "2 numbers", mechanism__gravity=[0, 0, -9.81]),
    case("bodies.crank.com", "3 numbers are given", "2 numbers", bodies__crank__com=[0, 0, 0]),
    case("bodies.crank.com", "1 is not a list", "2 numbers", bodies__crank__com=1),
    case("bodies.crank.inertia", "3 numbers are given", "1 number", bodies__crank__inertia=[1, 1, 1]),
    case("bodies.link.inertia", "1 number is given", "3 or 6", base="spatial", bodies__link__inertia=[1]),
    case("bodies.link.inertia", "is not a list", "3 or 6", base="spatial", bodies__link__inertia=2.0),
    case("bodies.crank.points.A.z", "no key 'z'", "A planar frame has at and x", bodies__crank__points__A={"at": [0, 0], "z": [0, 1]}),
    case("bodies.link.points.A.y", "no key 'y'", "", base="spatial", bodies__link__points__A={"at": [0, 0, 0], "y": [0, 1, 0]}),
    case("bodies.link.points.F.z", "zero vector", "length", base="spatial", bodies__link__points__F={"z": [0, 0, 0]}),
    case("bodies.link.points.F", "x is parallel to z", "across", base="spatial", bodies__link__points__F={"z": [0, 1, 1], "x": [0, -2, -2]}),
    case("bodies.link.points.F", "x is parallel to body z", "", base="spatial", bodies__link__points__F={"x": [0, 0, 1]}),
    case("joints.J.axis", "zero vector", "", base="spatial", joints__J__axis=[0, 0, "0"]),
    case("joints.J.axis", "3 vectors", "two vectors", base="spatial", joints__J__axis=[[1, 0, 0]] * 3),
    case("joints.J.axis.1", "2 numbers are given", "3 numbers", base="spatial", joints__J__axis=[[1, 0, 0], [1, 0]]),
    case("joints.A.axis", "no axis to choose", "Remove", joints__A__axis=[0, 1]),
    # bodies
    case("bodies.ground", "the fixed body is missing", "Add [bodies.ground]", base="empty"),
    case("bodies.ground", "the fixed body is missing", "Add [bodies.ground]", bodies__ground=None),
    case("bodies.crank.mass", "-1; it must be not negative", "", bodies__crank__mass=-1),
    case("bodies.crank.mass", "crank-1 = -0.88; it must be not negative", "", bodies__crank__mass="crank-1"),
    case("bodies.crank.inertia", "cannot be negative", "", bodies__crank__inertia=-1e-9),
    case("bodies.crank.inertia", "about the mass centre", "", bodies__crank__inertia_at="A", bodies__crank__inertia=1e-6),
    case("bodies.crank.inertia_at", "'Q' is not a point of this body", "A, B", bodies__crank__inertia_at="Q"),
    case("bodies.link.inertia", "above the sum of the two others", "order", base="spatial", bodies__link__inertia=[1, 1, 2.01]),
    case("bodies.link.inertia", "none can be negative", "xx, yy, zz", base="spatial", bodies__link__inertia=[1, 1, -0.1]),
    case("bodies.link.inertia", "none can be negative", "xx, yy, zz", base="spatial", bodies__link__inertia=[1, 1, 1, 2, 0, 0]),
    case("bodies.link.inertia", "above the sum", "", base="spatial", bodies__link__inertia=[1, 1, 1, 0.6, 0, 0]),
    case("bodies.idle", "no joint connects it to ground", 'type = "free"', bodies__idle={}),
    case("bodies.crank.shape.r", "nan is not a finite number", "", bodies__crank__shape={"r": math.nan}),
    # references
    case("joints.A.between.1", "body crank has no point 'X'", "Known: origin, A, B", joints__A__between=["ground.A", "crank.X"]),
    case("joints.A.between.0", "'grund.A' names a body that does not exist", "Did you mean ground?", joints__A__between=["grund.A", "crank.A"]),
    case("joints.A.between.1", "'crank' is a body", 'Write "crank.origin"', joints__A__between=["ground.A", "crank"]),
    case("joints.A.between.1", "3 is not a point", "body.point", joints__A__between=["ground.A", 3]),
    case("joints.A.between", "not two points", "body.point", joints__A__between=["ground.A"]),
    case("joints.A.between", "both points are on body ground", "two bodies", joints__A__between=["ground.A", "ground.D"]),
    case("outputs.tip.point", "body coupler has no point 'p1'", "", outputs__tip__point="coupler.p1"),
    case("actuators.motor.joint", "'E' names a joint that does not exist", "A, B, C, D", actuators__motor__joint="E"),
    case("actuators.motor.joint", "has one coordinate without a name", 'Write "A"', actuators__motor__joint="A.angle"),
    case("actuators.m.joint", "has 2 coordinates", '"J.angle", "J.length"', base="spatial", actuators__m={"joint": "J"}),
    case("actuators.m.joint", "no coordinate 'x'", '"J.angle"', base="spatial", actuators__m={"joint": "J.x"}),
    case("actuators.m.joint", "are a quaternion", "cannot stand alone", base="spatial", actuators__m={"joint": "S.qw"}),
    case("couplings.g.sum.S", "are a quaternion", "", base="spatial", couplings__g={"sum": {"S": 1}}),
    case("couplings.g.sum", "[1] is not factors", "sum = {", couplings__g={"sum": [1]}),
    case("couplings.g.sum", "all factors are zero", "ratio", couplings__g={"sum": {"A": 0}}),
    # joints
    case("joints.A.type", "'revolut' is not a known joint type", "Did you mean revolute?", joints__A__type="revolut"),
    case("joints.A.type", "a spherical joint cannot stand in a planar", "revolute", joints__A__type="spherical"),
    case("joints.J.type", "a point-in-slot joint cannot stand in a spatial", "spherical", base="spatial", joints__J__type="point-in-slot"),
    case("joints.J", "'lead'", "Add lead", base="spatial", joints__J__type="helical"),
    case("joints.A.lead", "no key 'lead'", "", joints__A__lead=1),
    case("joints.A.limits", "the lower limit 1 is above the upper 0", "[lo, hi]", joints__A__limits=[1, 0]),
    case("joints.A.limits", "not two numbers", "[lo, hi]", joints__A__limits=[1, 2, 3]),
    case("joints.S.limits", "a quaternion", "Remove", base="spatial", joints__S__limits=[0, 1]),
    case("joints.J.limits", "does not fit", "angle, length", base="spatial", joints__J__limits=[0, 1]),
    case("joints.J.limits.width", "width is not a coordinate", "angle, length", base="spatial", joints__J__limits={"width": [0, 1]}),
    case("joints.A.stop", "there are none", "Add limits", joints__A__stop={"stiffness": 1}),
    case("joints.A.stop", "'stiffness'", "Add stiffness", joints__A__stop={}, joints__A__limits=[0, 1]),
    case("joints.J.guess", "does not fit", "angle, length", base="spatial", joints__J__guess=1),
    case("joints.S.guess", "2 numbers are given", "4 or 3", base="spatial", joints__S__guess=[1, 0]),
    case("joints.S.guess", "a zero quaternion", "rotation vector", base="spatial", joints__S__guess=[0, 0, 0, 0]),
    case("joints.S.offset", "a quaternion", "Remove offset", base="spatial", joints__S__offset=[0, 0, 0]),
    case("joints.A.stiffness", "it must be not negative", "", joints__A__stiffness=-1),
    case("joints.A.damping", "is a mass", "N m s/rad", joints__A__damping="3 kg"),
    case("joints.A.friction.law", "'colomb' is not a known friction law", "Did you mean coulomb?", joints__A__friction={"law": "colomb"}),
    case("joints.A.friction", "'mu'", "Add mu", joints__A__friction={"law": "coulomb", "vr": 1}),
    case("joints.A.friction.mu_s", "below the kinetic", "", joints__A__friction={"law": "brown-mcphee", "mu": 0.3, "mu_s": 0.2, "vt": 1}),
    # clearances
    loose(f"{C}.radial", "-0.2 mm; it must be positive", "", radial="-0.2 mm"),
    loose(f"{C}.radial", "not below the bore radius", "", radial="10 mm"),
    loose(f"{C}.restitution", "1.1; it must be at most 1", "", restitution=1.1),
    loose(f"{C}.initial", "outside the bore", "", initial=["0.2 mm", "0.2 mm"]),
    loose(f"{C}.normal", "'herz' is not a known contact law", "Did you mean hertz?", normal="herz"),
    loose(f"{C}.friction", "'ambrosia' is not a known friction law", "Did you mean ambrosio?", friction="ambrosia"),
    loose(C, "'stiffness'", "Add stiffness", stiffness=None),
    loose(C, "'normal'", "Add normal", normal=None),
    loose(C, "'bore'", "Add bore", bore=None),
    loose(C, "'v1'", "Add v1", v1=None),
    loose(f"{C}.smooth", "no key 'smooth'", "", smooth="tanh"),
    loose(f"{C}.journal", "'both' is not a known journal", "moving, base", journal="both"),
    loose(f"{C}.kind", "is no clearance of a revolute joint in a planar", "revolute-pin", kind="spherical-socket"),
    loose(f"{C}.stiffness", "'2e9 N/m' is a stiffness", "N/m^1.5", stiffness="2e9 N/m"),
    loose(f"{C}.stiffness", "the materials determine it too", "Remove one",
          material={"bore": {"youngs": 2e11, "poisson": 0.3}, "journal": {"youngs": 2e11, "poisson": 0.3}}),
    loose(f"{C}.material", "does not follow from the materials", "own parameters", normal="kelvin-voigt", damping=1, restitution=None,
          material={"bore": {"youngs": 2e11, "poisson": 0.3}, "journal": {"youngs": 2e11, "poisson": 0.3}}),
    loose(f"{C}.material.bore.poisson", "0.6; it must be at most 0.5", "", stiffness=None,
          material={"bore": {"youngs": 2e11, "poisson": 0.6}, "journal": {"youngs": 2e11, "poisson": 0.3}}),
    loose(f"{C}.material", "'journal'", "Add journal", stiffness=None, material={"bore": {"youngs": 2e11, "poisson": 0.3}}),
    case(C, "needs its kind", "prismatic-slider", joints__B__type="prismatic", joints__B__clearance={"radial": 1e-4}),
    case(C, "no kind of clearance", "Remove", joints__B__type="fixed", joints__B__clearance={"radial": 1e-4}),
    case(C, "is not a table", "clearance = {", joints__B__clearance=0.1),
    # drives, forces, motions
    case("actuators.motor", "motion and effort are given", "Keep one", actuators__motor__effort=1),
    case("actuators.two.joint", "A is driven by motor already", "Keep one", actuators__two={"joint": "A"}),
    case("actuators.motor.control.kind", "'p' is not a known kind of control", "pd", actuators__motor={"joint": "A", "control": {"kind": "p", "target": 0}}),
    case("actuators.motor.control", "'kp'", "Add kp", actuators__motor={"joint": "A", "control": {"kind": "pd", "target": 0}}),
    case("actuators.motor.control", "'target'", "Add target", actuators__motor={"joint": "A", "control": {"kind": "pd", "kp": 0}}),
    case("actuators.motor.control.kp", "is a stiffness", "N m/rad",
         actuators__motor={"joint": "A", "control": {"kind": "pd", "target": 0, "kp": "8 N/m"}}),
    case("actuators.motor.control.target", "is a length", "rad",
         actuators__motor={"joint": "A", "control": {"kind": "pd", "target": "8 mm", "kp": 1}}),
    case("forces.f.kind", "'spring' is not a known kind of force", "spring-damper", forces__f={"kind": "spring"}),
    case("forces.f", "'between'", "Add between", forces__f={"kind": "spring-damper"}),
    case("forces.f.vector", "3 numbers are given", "2 numbers", forces__f={"kind": "force", "on": "crank.A", "vector": [1, 2, 3]}),
    case("forces.f.on", "'crank.A' names a point", 'Write "crank"', forces__f={"kind": "moment", "on": "crank.A", "vector": 1}),
    case("forces.f.axes", "'body2' is not a known axes", "Did you mean body?", forces__f={"kind": "moment", "on": "crank", "vector": 1, "axes": "body2"}),
    case("forces.f.angle", "is a length", "rad", forces__f={"kind": "torsion-spring", "joint": "A", "angle": "3 mm"}),
    case("motions.m", "prescribes nothing", "Give x", motions__m={"of": "crank.B"}),
    case("motions.m.z", "moves in x and y", "Remove z", motions__m={"of": "crank.B", "z": "t"}),
    case("motions.m.rotation", "3 numbers are given", "", motions__m={"of": "crank.B", "rotation": [1, 2, 3]}),
    case("motions.m.angle", "belongs to planar", "rotation", base="spatial", motions__m={"of": "link.A", "angle": "t"}),
    case("motions.m.of", "a point of the fixed body", "", motions__m={"of": "ground.A", "x": "t"}),
    case("motions.n", "x of crank.B is prescribed by motion m already", "Keep one",
         motions__m={"of": "crank.B", "x": "t"}, motions__n={"of": "crank.B", "x": "2*t"}),
    case("motions.n", "orientation of crank is prescribed", "Keep one",
         motions__m={"of": "crank.B", "angle": "t"}, motions__n={"of": "crank.A", "angle": "2*t"}),
    case("motions.n", "4 components are prescribed for body crank, which has 3 freedoms", "Remove",
         motions__m={"of": "crank.B", "x": "t", "y": 0}, motions__n={"of": "crank.A", "x": "2*t", "y": 0}),
    case("studies.s.kind", "'kind' is missing", "kinematics", studies__s={"until": 1}),
    case("studies.s.until", "nan is not a finite", "", studies__s={"kind": "simulate", "until": math.nan}),
    # chains
    case("chains.arm.rows", "is not a list of rows", "rows = [{", base="arm", chains__arm__rows={"a": 1}),
    case("chains.arm.convention", "'classic' is not a known convention", "standard, modified", base="arm", chains__arm__convention="classic"),
    case("chains.arm.rows.0.alfa", "no key 'alfa'", "Did you mean alpha?", base="arm", chains__arm__rows=[{"alfa": 1}, {}, {}]),
    case("chains.arm.rows.0.type", "'spherical' is not a known joint type", "revolute, prismatic", base="arm", chains__arm__rows=[{"type": "spherical"}, {}]),
    case("chains.arm.from", "body ground has no point 'foo'", "foot", base="arm", chains__arm__from="ground.foo"),
    case("joints.arm.2.type", "follows from the chain arm", "Change chains.arm", base="arm", **{"joints__arm.2": {"type": "fixed"}}),
    case("bodies.arm.4", "is not a name", "", base="arm", **{"bodies__arm.4": {}}),
    case("chains", "chains are spatial", "write joints", base="arm", mechanism={"planar": True}, bodies={"ground": {"points": {"foot": [0, 0]}}}),
]  # fmt: skip


@pytest.mark.parametrize(("base", "changes", "place", "told", "remedy"), FINDINGS)
def test_mistake_is_told(make, clearance, base, changes, place, told, remedy):
    data = make("four_bar", joints__B__clearance=clearance(**changes)) if base == "loose" else make(base, **changes)
    with pytest.raises(cc.MechanismError) as caught:
        Mechanism.from_dict(data)
    findings = caught.value.findings
    fitting = [finding for finding in findings if told in finding.message]
    assert fitting, str(caught.value)
    place_at = [finding for finding in fitting if finding.place in (place, place.rpartition(".")[0])]
    assert place_at, str(caught.value)
    assert any(remedy in finding.remedy for finding in place_at), str(caught.value)
    assert all(finding.message.endswith(".") for finding in findings)


def test_bases_are_right(make, clearance):
    for base in ("four_bar", "arm", "spatial"):
        Mechanism.from_dict(make(base))
    Mechanism.from_dict(make("four_bar", joints__B__clearance=clearance()))


def test_all_mistakes_come_at_once(make):
    data = make(
        "four_bar", bodies__crank__mass=-1, bodies__coupler__mas=1, joints__A__type="revolut", outputs__tip__point="x.y",
        parameters__crank="3 furlong", actuators__motor__motion="sin(", bodies__idle={},
    )  # fmt: skip
    with pytest.raises(cc.MechanismError) as caught:
        Mechanism.from_dict(data)
    places = {finding.place for finding in caught.value.findings}
    assert places == {
        "parameters.crank", "bodies.crank.mass", "bodies.coupler.mas", "joints.A.type", "outputs.tip.point", "actuators.motor.motion",
    }  # fmt: skip
    text = str(caught.value)
    assert text.startswith("6 mistakes in the mechanism:")
    assert all(place in text for place in places)


def test_one_mistake_brings_no_others(make):
    """What refers to something broken is not blamed for it."""
    for changes in (
        {"parameters__crank": "3 furlong"},
        {"bodies__crank__mass": "3 m"},
        {"bodies__crank__points__B": [0, 0, 0]},
        {"joints__A__type": "revolut"},
        {"joints__A__between": ["ground.A", "crank.Q"]},
    ):
        with pytest.raises(cc.MechanismError) as caught:
            Mechanism.from_dict(make("four_bar", **changes))
        assert len(caught.value.findings) == 1, str(caught.value)


def test_keys_that_are_not_text_and_bottomless_data_are_told(make):
    with pytest.raises(cc.MechanismError, match="the key 1 is not text"):
        Mechanism.from_dict(make("four_bar", bodies__crank={1: 2}))
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(cc.MechanismError, match="nested more than 30 deep"):
        Mechanism.from_dict(make("four_bar", bodies__crank={"shape": deep}))


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["ground.A", "crank.B", "revolute", "3 mm", "crank/2", "A", "t", "pd", "hertz", [0, 0], [1, 2, 3], {}, {"kind": "pd"}])
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PATHS = st.sampled_from(
    [
        "mechanism", "mechanism__gravity", "mechanism__planar", "parameters", "parameters__crank", "bodies", "bodies__ground",
        "bodies__crank", "bodies__crank__mass", "bodies__crank__com", "bodies__crank__inertia", "bodies__crank__inertia_at",
        "bodies__crank__points", "bodies__crank__points__A", "joints", "joints__A", "joints__A__type", "joints__A__between", "joints__A__axis",
        "joints__A__guess", "joints__A__limits", "joints__A__stop", "joints__A__friction", "joints__A__clearance", "joints__A__offset",
        "couplings", "couplings__c", "couplings__c__sum", "actuators", "actuators__motor", "actuators__motor__motion",
        "actuators__motor__control", "motions__m", "forces", "forces__f", "forces__f__kind", "chains", "chains__arm", "chains__arm__rows",
        "outputs", "outputs__tip", "outputs__tip__point", "studies__s", "studies__s__kind",
    ]
)  # fmt: skip


@given(changes=st.dictionaries(PATHS, ANYTHING, max_size=3), base=st.sampled_from(["four_bar", "spatial", "arm"]))
def test_any_data_is_a_mechanism_or_a_mechanism_error(changes, base):
    from copy import deepcopy

    data = deepcopy(BASES[base])
    for path, value in sorted(changes.items(), key=lambda entry: len(entry[0])):
        *way, last = path.split("__")
        table: Any = data
        for name in way:
            if not isinstance(table, dict):
                break
            table = table.setdefault(name, {})
        if isinstance(table, dict):
            table[last] = value
    m = None
    with contextlib.suppress(cc.MechanismError):
        m = Mechanism.from_dict(data)
    assert m is None or Mechanism.from_dict(m.to_dict()) == m


@pytest.fixture(autouse=True)
def _bases(make):
    for base in ("four_bar", "spatial", "arm"):
        BASES.setdefault(base, make(base))


BASES: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("use", "place"),
    [({"actuators__motor__motion": "p*t"}, "actuators.motor.motion"), ({"joints__A__rate": "-p"}, "joints.A.rate")],
)
def test_a_parameter_in_hertz_is_no_angular_rate(make, use, place):
    with pytest.raises(cc.MechanismError) as caught:
        Mechanism.from_dict(make("four_bar", parameters__p="10 Hz", **use))
    (finding,) = caught.value.findings
    assert finding.place == place
    assert "in Hz" in finding.message


@pytest.mark.parametrize(
    ("said", "use", "place", "told"),
    [
        ("600 rpm", {"actuators__motor__motion": "p"}, "actuators.motor.motion", "an angular rate"),
        ("50 kg", {"bodies__crank__points__B": ["p", 0]}, "bodies.crank.points.B.0", "a mass"),
        ("50 mm", {"bodies__crank__mass": "(p)"}, "bodies.crank.mass", "a length"),
    ],
)
def test_a_parameter_of_another_dimension_used_alone_is_remarked(make, said, use, place, told):
    m = Mechanism.from_dict(make("four_bar", parameters__p=said, **use))
    (finding,) = [each for each in m.remarks() if "parameter" in each.message]
    assert finding.place == place
    assert told in finding.message


def test_dimensions_of_longer_expressions_are_free(make):
    for said, use in (
        ("10 Hz", {"actuators__motor__motion": "2*pi*p*t"}),
        ("10 rpm", {"actuators__motor__motion": "p*t"}),
        ("2 kg", {"bodies__crank__points__B": ["p/20", 0]}),
        ("2 N*m", {"joints__A__stiffness": "p"}),
    ):
        m = Mechanism.from_dict(make("four_bar", parameters__p=said, **use))
        assert not [each for each in m.remarks() if "parameter" in each.message]


def test_a_quantity_is_replaced_by_one_of_its_kind(make):
    m = Mechanism.from_dict(make("four_bar", parameters__p="20 mm"))
    assert m.with_values({"parameters.p": "3 cm"}).evaluate("parameters.p") == 0.03
    assert m.with_values({"parameters.p": 0.03}).evaluate("parameters.p") == 0.03
    with pytest.raises(cc.MechanismError, match=r"parameters\.p: '3 kg' is a mass, but '20 mm' stood there"):
        m.with_values({"parameters.p": "3 kg"})


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("30 deg*sin(t)", "[parameters]"),
        ("600 rpm * t", "[parameters]"),
        ("crank/2 + 5 mm", "[parameters]"),
        ("50,5 mm", "decimals behind a point"),
    ],
)
def test_units_inside_expressions_are_told_with_the_way_out(make, said, remedy):
    with pytest.raises(cc.MechanismError) as caught:
        Mechanism.from_dict(make("four_bar", actuators__motor__motion=said))
    (finding,) = caught.value.findings
    assert remedy in finding.remedy


def test_the_end_of_a_path_is_enough_for_a_hint(make):
    m = Mechanism.from_dict(make("four_bar"))
    with pytest.raises(cc.MechanismError, match=r"Did you mean parameters\.crank\?"):
        m.with_values({"crank": 0.1})


def test_a_result_is_no_mechanism_file(tmp_path):
    path = tmp_path / "result.nc"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(range(128, 256)))
    with pytest.raises(cc.MechanismError, match="is a result, not a mechanism"):
        cc.load(path)


def test_a_heavy_body_that_turns_without_inertia_is_remarked(make):
    document = make("four_bar", bodies__crank__mass=1, bodies__crank__inertia=0)
    document["bodies"]["coupler"] |= {"mass": 2.0}
    document["bodies"]["coupler"].pop("inertia", None)
    places = [each.place for each in Mechanism.from_dict(document).remarks()]
    assert "bodies.coupler" in places
    assert "bodies.crank" not in places


def test_lengths_in_bare_millimetres_are_remarked(make):
    def places(**changes):
        found = Mechanism.from_dict(make("four_bar", **changes)).remarks()
        return [each.place for each in found if "reaches" in each.message]

    assert places() == []
    assert places(bodies__coupler__points__C=[200, 0]) == ["bodies.coupler"]
    assert places(bodies__coupler__points__C=["200 mm", 0]) == []


def test_revolutions_per_minute_as_bare_numbers_are_remarked(make):
    def found(motion, **changes):
        m = Mechanism.from_dict(make("four_bar", actuators__motor__motion=motion, **changes))
        return [each.message for each in m.remarks() if "rpm" in each.message]

    assert found("600*t") == ["it turns at 600 rad/s, that is 5730 rpm."]
    assert found("p*t", parameters__p=600) == ["it turns at 600 rad/s, that is 5730 rpm."]
    assert found("60*t") == found("p*t", parameters__p="6000 rpm") == found("200*pi*t") == []


def test_the_path_of_a_list_names_its_numbers(make):
    m = Mechanism.from_dict(make("four_bar"))
    with pytest.raises(cc.MechanismError, match=r"several numbers\. Give them one by one: bodies\.crank\.points\.B\.0"):
        m.with_values({"bodies.crank.points.B": [0.1, 0.0]})  # pyright: ignore[reportArgumentType]
