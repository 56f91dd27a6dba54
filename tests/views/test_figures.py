"""What figures show, against numbers found in another way."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection

import closedchain as cc
from closedchain.views.plots.bearing_load import loads_across
from closedchain.views.plots.contacts import contact_spans
from closedchain.views.plots.orbit import seen
from closedchain.views.plots.quantities import channel_unit
from closedchain.views.plots.scale import scale_for
from closedchain.views.projection import projection


@pytest.mark.parametrize(
    ("unit", "largest", "shown"),
    [
        ("m", 2.0, "m"), ("m", 0.2, "m"), ("m", 0.02, "mm"), ("m", 9.99e-5, "µm"), ("m", 5e4, "m"),
        ("m/s^2", 3e-4, "µm/s²"),
        ("N*m", 25000.0, "kN·m"), ("N", 2e7, "MN"), ("W", 0.0, "W"), ("1", 2e-15, "10⁻¹⁵"), ("1", 0.5, ""),
        ("kg*m^2", 1e-5, "10⁻⁶ kg·m²"), ("J", 1e-24, "10⁻²⁴ J"),
    ],
)  # fmt: skip
def test_units_make_numbers_short(unit, largest, shown):
    scale = scale_for(unit, np.array([0.0, -largest]))
    assert scale.unit == shown
    if "10" not in shown and unit != "m":
        assert largest == 0.0 or 0.1 <= largest * scale.factor < 1e4


def test_efforts_name_peak_and_root_mean_square(result):
    ds = result("inverse")
    figures = cc.drive_summary(ds)
    said = [text.get_text() for text in cc.plot.efforts(ds).axes[0].get_legend().get_texts()]
    for text, name in zip(said, ds.actuator.values, strict=True):
        peak, rms = (float(figures[f"effort_{each}"].sel(actuator=name)) for each in ("peak", "rms"))
        assert text == f"{name}: peak {peak:.3g}, RMS {rms:.3g} N·m"


def test_bearing_loads_turn_with_their_side(result):
    ds = result("kinematics").merge(result("inverse"), compat="override")
    m = cc.Mechanism.from_dict(tomllib.loads(ds.attrs["mechanism"]))
    base, moving = (loads_across(ds, m, side)["B1"] for side in ("base", "moving"))
    force = ds.reaction_force.sel(joint="B1").values
    for path, body in ((base, "link11"), (moving, "link12")):
        angle = ds.body_angle.sel(body=body).values
        assert path[:, 0] == pytest.approx(np.cos(angle) * force[:, 0] + np.sin(angle) * force[:, 1])
        assert path[:, 1] == pytest.approx(np.cos(angle) * force[:, 1] - np.sin(angle) * force[:, 0])
    with pytest.raises(cc.ClosedChainError, match="no axis to turn about"):
        cc.plot.bearing_load(ds, "H")
    with pytest.raises(cc.ClosedChainError, match="base or moving"):
        cc.plot.bearing_load(ds, axes="ground")


def test_least_norm_reactions_say_so():
    m = cc.load(Path(__file__).parents[2] / "examples" / "bennett" / "mechanism.toml")
    ds = cc.inverse_dynamics(m, [0.0, 0.1])
    said = [text.get_text() for text in cc.plot.reactions(ds).axes[0].get_legend().get_texts()]
    determined = ds.reaction_determined.all(["time", "axis"])
    for name, text in zip(ds.joint.values, said, strict=True):
        assert ("least norm" in text) is not bool(determined.sel(joint=name))


def test_energy_balance_is_that_of_the_result_whatever_the_window(result):
    ds = result("swing")
    total = ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work
    for part in (ds, ds.isel(time=slice(30, None))):
        line = cc.plot.energy(part).axes[1].lines[0]
        expected = (total - total[0]).values if part is ds else (total - total[30]).values[30:]
        factor = np.ptp(line.get_ydata()) / np.ptp(expected)
        assert line.get_ydata() == pytest.approx(factor * expected, abs=1e-3 * np.ptp(line.get_ydata()))


def test_contact_strips_are_the_located_contacts(result):
    ds = result("loose")
    for joint in ds.loose_joint.values:
        spans = contact_spans(ds, joint)
        touching = ds.in_contact.sel(loose_joint=joint).values.astype(bool)
        inside = [any(a <= t <= b for a, b in spans) for t in ds.time.values]
        assert np.mean(inside == touching) > 0.97
    figure = cc.plot.contacts(ds, "B2", window=(0.005, 0.02))
    assert figure.axes[0].get_xlim() == pytest.approx((5.0, 20.0), abs=0.4)
    with pytest.raises(cc.ClosedChainError, match=r"from 0 s to 0\.03 s"):
        cc.plot.contacts(ds, window=(1.0, 2.0))


def test_whiskers_press_outwards_on_the_bore(result):
    ds = result("loose")
    ax = cc.plot.orbit(ds, "B1").axes[0]
    lines = [each for each in ax.collections if isinstance(each, LineCollection)]
    whiskers = np.array([path.vertices for path in lines[-1].get_paths()])
    roots, ends = np.hypot(*whiskers[:, 0].T), np.hypot(*whiskers[:, 1].T)
    assert len(whiskers) > 3
    assert roots == pytest.approx(200.0, rel=0.1), "pins touch at the clearance of 200 µm"
    assert np.mean(ends > roots) > 0.99


def test_orbits_keep_what_is_seen():
    angle = np.linspace(0.0, 2.0 * np.pi, 5001)
    path = 0.9 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    force = np.zeros(5001)
    force[1234] = 1.0
    kept = seen(path, force)
    assert 1234 in kept
    assert 300 < len(kept) < 700
    between = np.linalg.norm(np.diff(path[kept], axis=0), axis=1)
    assert between.max() < 0.0125


def test_errors_are_those_of_deviation(result):
    ds = result("deviation")
    panel = cc.plot.endpoint_error(ds, point="tip").axes[0]
    assert panel.get_ylabel() == "displacement error [µm]"
    assert panel.lines[-1].get_ydata() == pytest.approx(1e6 * ds.position_distance.sel(point="tip").values)
    assert cc.plot.endpoint_error(result("loose"), point="tip").axes[0].lines[-1].get_ydata() == pytest.approx(
        panel.lines[-1].get_ydata(), abs=1e-3
    )
    with pytest.raises(cc.ClosedChainError, match="give the ideal result"):
        cc.plot.endpoint_error(result("swing"))


def test_modes_move_by_their_shapes(result):
    ds = result("modes")
    figure = cc.plot.mode_shapes(ds, 2)
    # Two links at rest, then at one end of the motion, then at the other; the upper end is told by its height.
    links = [np.array(line.get_xydata()) for line in figure.axes[0].lines[:6]]
    rest, one, other = (link[np.argsort(-link[:, 1])] for link in links[::2])
    for upper in (rest, one, other):
        assert upper[0] == pytest.approx([0.0, 0.0], abs=1e-9), "the first link hangs on the ground"
        assert np.linalg.norm(upper[1]) == pytest.approx(1.0), "and keeps its length"
    for upper, lower in zip(links[::2], links[1::2], strict=True):
        gap = np.linalg.norm(upper[:, None] - lower, axis=2).min()
        assert gap < 0.02, "the second link hangs on the first, but for what is of second order"
    assert 0.5 * (one + other) == pytest.approx(rest, abs=0.02), "both ends are about the rest"
    assert np.abs(one - other).max() > 0.01
    with pytest.raises(cc.ClosedChainError, match="no mode 7"):
        cc.plot.mode_shapes(ds, 7)


def test_channels_have_the_units_of_their_joints(result):
    ds = result("loose")
    units = ("q.A1", "qdd.A1", "position.P.x", "effort.motor1", "eccentricity.B1.x")
    assert [channel_unit(ds, name) for name in units] == ["rad", "rad/s^2", "m", "N*m", "m"]
    ax = cc.plot.poincare(result("section")).axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("q A [rad]", r"$\dot{q}$ A [rad/s]")


def test_projection_is_that_of_the_view():
    seen_from_above = projection(False, (90.0, -90.0))
    assert seen_from_above.flat(np.eye(3)) == pytest.approx(np.array([[1, 0], [0, 1], [0, 0]]), abs=1e-12)
    tilted = projection(False)
    assert tilted.axes @ tilted.axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(tilted.axes) == pytest.approx(1.0)
    assert projection(True).flat(np.array([1.0, 2.0, 3.0])).tolist() == [1.0, 2.0]
