"""`simulate`: how the mechanism moves by itself, under gravity, forces and motors, loose joints included."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import summary
from closedchain.cli.studies.arguments import Argument, Quantity, Whole, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import later_than_zero, module, one_of
from closedchain.cli.studies.runs import CLEARANCE, START, TOLERANCES
from closedchain.language import tr


def calc(m: Any, **arguments: Any) -> Any:
    """Forward dynamics from 0 to `until` [s], reported from `after` on."""
    import closedchain as cc

    return cc.simulate(m, **as_python(**arguments))


def as_python(
    until: float,
    samples: int,
    times: list[float] | None = None,
    start: dict[str, Any] | None = None,
    after: float = 0.0,
    **arguments: Any,
) -> dict[str, Any]:
    """The arguments of `cc.simulate`: instants as an array, and two numbers for a joint are its value and its rate."""
    import numpy as np

    begin = {name: tuple(each) if isinstance(each, list) else each for name, each in (start or {}).items()}
    report = np.linspace(after, until, samples) if times is None else np.asarray(times, dtype=float)
    return {"until": until, "start": begin or None, "times": report, **arguments}


def say(ds: Any) -> str:
    """The ranges, and of loose joints the peaks of whole contacts."""
    import closedchain as cc

    lines = [summary(ds)]
    if ds.sizes.get("loose_joint") and ds.sizes["time"] > 1:
        found = cc.contact_statistics(ds)
        for joint in map(str, found["loose_joint"].values):
            one = found.sel(loose_joint=joint)
            lines.append(
                "  "
                + tr(
                    "contacts of {joint}: {count} started, peak force {force:.6g} N, {depth:.3g} m deep, hardest "
                    "impact {speed:.6g} m/s, {samples:.3g} samples in each",
                    joint=joint,
                    count=int(one["contacts"]),
                    force=float(one["peak_force"]),
                    depth=float(one["deepest"]),
                    speed=float(one["impact_speed_largest"]),
                    samples=float(one["samples_per_contact"]),
                )
            )
    return "\n".join(lines)


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The motion, the drives, the energies, and of loose joints contacts, orbits and what they cost an output."""
    import closedchain as cc

    draw = {name: entry.draw for name, entry in cc.plot.FIGURES.items()}
    yield "joints", draw["channels"](ds, ["q", "qd"], title=tr("{name}: joints", name=m.name))
    if ds["position"].size:
        names = ["position", "velocity", "acceleration"]
        yield "outputs", draw["channels"](ds, names, title=tr("{name}: outputs", name=m.name))
    if "effort" in ds and ds["effort"].size:
        yield "actuators", draw["efforts"](ds, title=tr("{name}: actuators", name=m.name))
    yield "energies", draw["energy"](ds, title=tr("{name}: energies", name=m.name))
    if not cc.plot.FIGURES["contacts"].fits(ds):
        return
    yield "contacts", draw["contacts"](ds, title=tr("{name}: loose joints", name=m.name))
    if cc.plot.FIGURES["orbit"].fits(ds):
        yield "orbits", draw["orbit"](ds, title=tr("{name}: pins in their bores", name=m.name))
    if cc.plot.FIGURES["endpoint_error"].fits(ds):
        point = str(ds["point"].values[0])
        yield "errors", draw["endpoint_error"](ds, title=tr("{name}: error of {point}", name=m.name, point=point))


STUDY = Study(
    name="simulate",
    meaning="motion under gravity, forces and motors, loose joints included",
    arguments=(
        Argument("until", "end of the simulation [s]", Quantity("s"), required=True, refers=later_than_zero),
        Argument("samples", "number of equal samples", Whole(2), default=1001),
        Argument("times", "instants to report [s] instead of equal samples", Quantity("s", many=True)),
        Argument("after", "what comes earlier is not reported [s]", Quantity("s"), default=0.0),
        START,
        CLEARANCE,
        Argument(
            "formulation",
            "loop (joint coordinates) or multipliers (maximal coordinates)",
            Words(),
            refers=one_of(lambda: module("simulate").FORMULATIONS),
        ),
        *TOLERANCES,
        Argument("method", "integrator", Words(), refers=one_of(lambda: module("dynamics_checks").methods())),
        Argument("step", "step of a fixed-step integrator [s]", Quantity("s")),
        Argument("alpha", "Baumgarte's alpha, for multipliers", Quantity("1/s")),
        Argument("beta", "Baumgarte's beta, for multipliers", Quantity("1/s")),
    ),
    calc=calc,
    tells_progress=True,
    say=say,
    figures=figures,
    group="Forces and dynamics",
    examples=(
        ("closedchain simulate mechanism.toml --until 2s", "Falls, springs, motors and loose joints as the file says"),
        ("closedchain simulate mechanism.toml --until 2s --clearance false -o ideal.nc", "The same without play"),
        ("closedchain simulate mechanism.toml --until 1s --formulation multipliers", "By the independent formulation"),
    ),
)
