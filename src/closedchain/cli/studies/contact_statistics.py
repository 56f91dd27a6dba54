"""`contact_statistics`: a simulation with loose joints, and its contacts in numbers."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies import simulate
from closedchain.cli.studies.arguments import Argument, Whole
from closedchain.cli.studies.contract import Study
from closedchain.language import tr

# Forces are known at the samples: a contact of a tenth of a millisecond needs many.
SAMPLES = 10001


def calc(m: Any, until: float, after: float = 0.0, **arguments: Any) -> Any:
    """The figures of a simulation from 0 to `until` [s], without what comes before `after`."""
    import closedchain as cc

    return cc.contact_statistics(simulate.calc(m, until=until, after=after, **arguments), after=after)


def say(ds: Any) -> str:
    """Every loose joint with its contacts, their times, speeds and forces."""
    heads = {
        "contacts": tr("contacts"), "share": tr("share in contact"), "longest": tr("longest [s]"),
        "impact_speed_largest": tr("hardest impact [m/s]"), "peak_force": tr("peak force [N]"),
        "rms_force": tr("RMS force [N]"),
    }  # fmt: skip
    rows = [
        [f"  {joint}", *(float(ds[name].sel(loose_joint=joint)) for name in heads)]
        for joint in map(str, ds["loose_joint"].values)
    ]
    head = tr("contacts of loose joints: {count} started", count=int(ds["contacts"].sum()))
    return "\n".join([head, table(["  " + tr("joint"), *heads.values()], rows)])


STUDY = Study(
    name="contact_statistics",
    meaning="contacts of loose joints in numbers: how many, how long, how hard",
    arguments=(
        *(
            Argument("samples", "number of equal samples", Whole(2), default=SAMPLES)
            if each.name == "samples"
            else each
            for each in simulate.STUDY.arguments
        ),
    ),
    calc=calc,
    say=say,
    group="Forces and dynamics",
    examples=(
        ("closedchain contact-statistics mechanism.toml --until 2s", "All joints that the file makes loose"),
        (
            "closedchain contact-statistics mechanism.toml --until 2s --clearance B1 --after 0.1s",
            "One joint, without the first tenth of a second",
        ),
    ),
    tells_progress=True,
)
