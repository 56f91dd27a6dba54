import json

import numpy as np
import pytest

from closedchain.results import DIMENSIONS, MIXED, VARIABLES, dataset, units_of

TIMES = [0.0, 0.5, 1.0]


def motion(**more):
    """Three instants of an angle A and a length S, planar."""
    return dataset(
        {"q": np.arange(6.0).reshape(3, 2), "qd": np.ones((3, 2)), "position": np.zeros((3, 1, 2)), **more},
        {
            "time": TIMES,
            "coordinate": ["A", "S"],
            "rate": ["A", "S"],
            "point": ["tip"],
            "axis": ["x", "y"],
            "body": ["b"],
        },
        analysis="kinematics",
        mechanism='[mechanism]\nname = "m"\n',
        settings={"rtol": np.float64(1e-8), "loose": {"B", "A"}, "times": np.array([0.0, 1.0])},
        label_units={"coordinate": ["rad", "m"], "rate": ["rad", "m"]},
    )


def test_dims_units_and_provenance():
    ds = motion()
    assert ds.position.dims == ("time", "point", "axis")
    assert ds.position.attrs == {"units": "m", "long_name": "position of the output point"}
    assert ds.time.attrs["units"] == "s"
    assert ds.attrs["mechanism"].startswith("[mechanism]")
    assert json.loads(ds.attrs["settings"]) == {"rtol": 1e-8, "loose": ["A", "B"], "times": [0.0, 1.0]}
    assert ds.attrs["analysis"] == "kinematics"


def test_units_follow_the_labels():
    ds = motion()
    assert ds.q.attrs["units"] == MIXED
    assert list(ds.coordinate_unit.values) == ["rad", "m"]
    assert units_of(ds, "qd", {"rate": "A"}) == "rad/s"
    assert units_of(ds, "qd", {"rate": "S"}) == "m/s"
    assert units_of(ds, "position", {"point": "tip", "axis": "x"}) == "m"


def test_arrays_are_not_copied():
    memory = np.arange(6.0).reshape(2, 3)
    view = memory.T
    ds = dataset({"q": view}, {"time": TIMES, "coordinate": ["A", "B"]}, analysis="kinematics")
    assert np.shares_memory(ds.q.values, memory)


def test_angular_quantities_lose_their_axis_in_planar_mechanisms():
    planar = motion(body_angular_velocity=np.zeros((3, 1)))
    assert planar.body_angular_velocity.dims == ("time", "body")
    labels = {"time": TIMES, "body": ["b"], "axis": ["x", "y", "z"]}
    spatial = dataset({"body_angular_velocity": np.zeros((3, 1, 3))}, labels, analysis="kinematics")
    assert spatial.body_angular_velocity.dims == ("time", "body", "axis")


def test_swept_parameters_come_first():
    labels = {"joints.B.clearance.radial": [1e-4, 2e-4], "time": TIMES, "coordinate": ["A"]}
    ds = dataset({"q": np.zeros((2, 3, 1)), "closure": np.zeros(3)}, labels, analysis="simulate")
    assert ds.q.dims == ("joints.B.clearance.radial", "time", "coordinate")
    assert ds.closure.dims == ("time",)


def test_wrong_shapes_and_unknown_names_are_refused():
    with pytest.raises(ValueError, match="dimensions"):
        motion(velocity=np.zeros(3))
    with pytest.raises(ValueError, match="registered"):
        motion(speed=np.zeros(3))
    with pytest.raises(ValueError, match="conflicting sizes"):
        motion(velocity=np.zeros((3, 2, 2)))


def test_other_variables_bring_their_own_dimensions():
    ds = motion(sensitivity=(("time", "path"), np.zeros((3, 4)), {"units": "m", "long_name": "sensitivity"}))
    assert ds.sensitivity.attrs["units"] == "m"


@pytest.mark.parametrize("name", VARIABLES)
def test_every_registered_variable_is_complete(name):
    variable = VARIABLES[name]
    assert variable.long_name
    assert set(variable.dims) <= set(DIMENSIONS)
    assert variable.units.count("{") == sum("{" + dim + "}" in variable.units for dim in variable.dims)
