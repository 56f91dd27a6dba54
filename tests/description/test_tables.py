"""Tables of motion: a C² spline, exact when traced, safe to name, carried along and copied beside the file."""

import os
import pickle
from typing import Any

import numpy as np
import pytest

import closedchain as cc
from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.description import Mechanism
from closedchain.description.tables import TableError, make_table, read_table

T = np.linspace(0.0, 2.0, 9)
CSV = "t,q\n" + "".join(f"{t},{np.sin(t)}\n" for t in T)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cam.csv").write_text(CSV)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "cam.csv").write_text(CSV)
    return tmp_path


def driven(make: Any, folder: Any, motion: str = 'table("cam.csv", t)') -> Mechanism:
    return Mechanism.from_dict(make("four_bar", actuators__motor__motion=motion), folder=folder)


def test_spline_is_the_not_a_knot_cubic(make, folder):
    from scipy.interpolate import CubicSpline

    motion = driven(make, folder).actuators["motor"].motion
    assert motion is not None
    spline = CubicSpline(T, np.sin(T))
    for t in (0.0, 0.1, 0.9, 1.0, 1.97, 2.0):
        assert motion.evaluate({"t": t}) == pytest.approx(float(spline(t)), rel=1e-13, abs=1e-15)
    assert motion.evaluate({"t": T}) == pytest.approx(np.sin(T), rel=1e-13)
    assert motion.evaluate({"t": 0.7 + 1e-30j}).imag / 1e-30 == pytest.approx(float(spline(0.7, 1)), rel=1e-12)


def test_traced_derivatives_are_the_splines(make, folder):
    from scipy.interpolate import CubicSpline

    motion = driven(make, folder, 'crank*table("sub/cam.csv", 2*t)').actuators["motor"].motion
    assert motion is not None
    traced = trace(lambda t: {"q": motion.evaluate({"t": t[0], "crank": 0.12})}, {"t": 1})
    first = traced.with_outputs({"qd": traced.derivative("q", {"t": [1.0]})})
    second = first.with_outputs({"qdd": first.derivative("qd", {"t": [1.0]})})
    spline = CubicSpline(T, np.sin(T))
    for t in (0.05, 0.5, 0.99):
        values = evaluate(second.expressions, dict(zip(second.input_symbols, (t,))))
        expected = [0.12 * 2**k * spline(2 * t, k) for k in range(3)]
        assert values == pytest.approx(expected, rel=1e-12)


def test_outside_its_range_is_an_error(make, folder):
    motion = driven(make, folder).actuators["motor"].motion
    assert motion is not None
    assert motion.time_range({}) == (0.0, 2.0)
    for t in (-1e-9, 2.1, np.array([0.5, 2.5])):
        with pytest.raises(
            cc.MechanismError, match=r"actuators\.motor\.motion.*cam\.csv covers 0 to 2 and is asked for"
        ):
            motion.evaluate({"t": t})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('table("cam.csv", t - 1)', (1.0, 3.0)),
        ('table("cam.csv", 2*t + 1)', (-0.5, 0.5)),
        ('table("cam.csv", 1 - t)', (-1.0, 1.0)),
        ('table("cam.csv", t) + table("sub/cam.csv", t - 1)', (1.0, 2.0)),
        ('table("cam.csv", crank*t)', (0.0, 2.0 / 0.12)),
        ('table("cam.csv", 1 + sin(t))', (-np.inf, np.inf)),
        ('table("cam.csv", 0.5)', (-np.inf, np.inf)),
        ("2*t", (-np.inf, np.inf)),
    ],
)
def test_time_range(make, folder, text, expected):
    motion = driven(make, folder, text).actuators["motor"].motion
    assert motion is not None
    assert motion.time_range({"crank": 0.12}) == pytest.approx(expected, rel=1e-12)


def test_short_tables():
    line = make_table("l.csv", b"0, 1\n2, 5\n").spline
    parabola = make_table("p.csv", b"0 , 0\n1, 1\n3, 9\n").spline
    from closedchain.numbers import table

    assert table(0.5, line) == 2.0
    assert table(2.0, parabola) == pytest.approx(4.0, rel=1e-14)


def test_comments_headings_and_semicolons():
    content = "\ufeff# recorded\ntime [s];angle [rad]\n0;1\n\n1;2\n".encode()
    assert [column.tolist() for column in make_table("x.csv", b"time,angle\n0,1\n# pause\n1,2\n").columns] == [
        [0, 1],
        [1, 2],
    ]
    with pytest.raises(TableError):
        make_table("x.csv", content.replace(b"0;1", b"0;1;2"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "0 rows"),
        (b"1,2\n", "1 rows"),
        (b"0,1\n0,2\n", "does not grow at x = 0"),
        (b"1,1\n0,2\n", "does not grow at x = 1"),
        (b"0,1\n1,nan\n", "line 2"),
        (b"0,1\n1,inf\n", "line 2"),
        (b"0,1\n1,1e999\n", "line 2"),
        (b"0,1\n1,two\n", "line 2"),
        (b"0,1,2\n1,2,3\n", "line 2"),
        (b"\xff\xfe", "not text"),
    ],
)
def test_bad_tables_say_where(content, told):
    with pytest.raises(TableError, match=told):
        make_table("x.csv", content)


@pytest.mark.parametrize(
    "name",
    [
        "../cam.csv",
        "sub/../../cam.csv",
        "/etc/passwd",
        "/dev/zero",
        "C:\\cam.csv",
        "\\\\host\\cam.csv",
        "sub",
        ".",
        "",
        "no.csv",
        "a\0b",
        "x" * 5000,
    ],
)
def test_paths_stay_inside(make, folder, name):
    (folder / "inner").mkdir()
    with pytest.raises(cc.MechanismError, match=r"actuators\.motor\.motion") as caught:
        driven(make, folder / "inner", f"table('{name}', t)")
    assert len(caught.value.findings) == 1


def test_links_are_resolved(make, folder):
    inner = folder / "inner"
    inner.mkdir()
    try:
        (inner / "out.csv").symlink_to(folder / "cam.csv")
        (inner / "up").symlink_to(folder)
        (inner / "loop.csv").symlink_to(inner / "loop.csv")
        (inner / "device.csv").symlink_to("/dev/zero")
        (inner / "real.csv").write_text(CSV)
        (inner / "fine.csv").symlink_to(inner / "real.csv")
    except OSError:
        pytest.skip("no links on this system")
    for name in ("out.csv", "up/cam.csv", "device.csv", "loop.csv"):
        with pytest.raises(TableError):
            read_table(name, inner)
    assert read_table("fine.csv", inner).range == (0.0, 2.0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_pipes_and_large_files_are_refused(folder):
    os.mkfifo(folder / "pipe.csv")
    with pytest.raises(TableError, match="regular file"):
        read_table("pipe.csv", folder)
    with (folder / "large.csv").open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(TableError, match="more than 50 MB"):
        read_table("large.csv", folder)


def test_tables_belong_to_functions_of_time(make, folder):
    with pytest.raises(cc.MechanismError, match="function of time"):
        Mechanism.from_dict(make("four_bar", bodies__crank__mass='table("cam.csv", 0.5)'), folder=folder)


def test_tables_travel_with_the_mechanism(make, folder, tmp_path_factory):
    m = driven(make, folder, 'table("sub/cam.csv", t)')
    (table,) = m.tables.values()
    assert table.text == CSV
    other = tmp_path_factory.mktemp("other")
    m.to_toml(other / "m.toml")
    copy = cc.load(other / "m.toml")
    assert (other / "sub" / "cam.csv").read_text() == CSV
    assert copy == m
    # without its files
    (folder / "sub" / "cam.csv").unlink()
    thawed = pickle.loads(pickle.dumps(m))
    assert thawed == m
    assert thawed.evaluate("actuators.motor.motion", 0.5) == m.evaluate("actuators.motor.motion", 0.5)
    assert m.with_values({"parameters.crank": 0.2}).evaluate("actuators.motor.motion", 0.25) == pytest.approx(
        np.sin(0.25), rel=1e-4
    )


def test_content_of_tables_is_compared(make, folder):
    m = driven(make, folder)
    (folder / "cam.csv").write_text(CSV.replace("0.0,0.0", "0.0,0.1"))
    assert driven(make, folder) != m
    with pytest.raises(cc.MechanismError, match="exists already with other content"):
        m.to_toml(folder / "m.toml")
