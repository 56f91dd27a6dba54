"""`simulate`: how the mechanism moves by itself, under gravity, forces and motors, loose joints included."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import summary
from closedchain.cli.studies.arguments import Argument, Choice, Quantity, Values, Whole, Words
from closedchain.cli.studies.contract import Study

ENERGIES = ("kinetic_energy", "potential_energy", "dissipated_energy", "input_work")


def calc(
    m: Any,
    until: float,
    samples: int,
    times: list[float] | None = None,
    start: dict[str, Any] | None = None,
    **arguments: Any,
) -> Any:
    """Forward dynamics from 0 to `until` [s]."""
    import numpy as np

    import closedchain as cc

    # Two numbers for a joint are its value and its rate.
    begin = {name: tuple(each) if isinstance(each, list) else each for name, each in (start or {}).items()}
    report = np.linspace(0.0, until, samples) if times is None else np.asarray(times, dtype=float)
    return cc.simulate(m, until, start=begin or None, times=report, **arguments)


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The motion, the drives, the energies, and the loose joints."""
    import closedchain as cc

    yield "joints", cc.plot.channels(ds, ["q", "qd"], title=f"{m.name}: joints")
    if ds["position"].size:
        yield "outputs", cc.plot.channels(ds, ["position", "velocity", "acceleration"], title=f"{m.name}: outputs")
    if "effort" in ds and ds["effort"].size:
        yield "actuators", cc.plot.channels(ds, ["effort", "power"], title=f"{m.name}: actuators")
    yield "energies", cc.plot.channels(ds, [name for name in ENERGIES if name in ds], title=f"{m.name}: energies")
    if "contact_force" in ds and ds["contact_force"].size:
        yield "contacts", cc.plot.channels(ds, ["contact_force", "penetration"], title=f"{m.name}: loose joints")


STUDY = Study(
    name="simulate",
    meaning="motion under gravity, forces and motors, loose joints included",
    arguments=(
        Argument("until", "end of the simulation [s]", Quantity("s"), required=True),
        Argument("samples", "number of equal samples", Whole(2), default=1001),
        Argument("times", "instants to report [s] instead of equal samples", Quantity("s", many=True)),
        Argument("start", "coordinates, or coordinates and rates, at the start, such as A=30deg,0", Values()),
        Argument("clearance", "true, false, or the joints that are loose", Choice()),
        Argument("formulation", "loop (joint coordinates) or multipliers (maximal coordinates)", Words()),
        Argument("rtol", "relative tolerance", Quantity("1")),
        Argument("atol", "absolute tolerance", Quantity("1")),
        Argument("method", "integrator", Words()),
        Argument("step", "step of a fixed-step integrator [s]", Quantity("s")),
        Argument("alpha", "Baumgarte's alpha, for multipliers", Quantity("1/s")),
        Argument("beta", "Baumgarte's beta, for multipliers", Quantity("1/s")),
    ),
    calc=calc,
    tells_progress=True,
    say=summary,
    figures=figures,
    group="Forces and dynamics",
    examples=(
        ("closedchain simulate mechanism.toml --until 2s", "Falls, springs, motors and loose joints as the file says"),
        ("closedchain simulate mechanism.toml --until 2s --clearance false -o ideal.nc", "The same without play"),
        ("closedchain simulate mechanism.toml --until 1s --formulation multipliers", "By the independent formulation"),
    ),
)
