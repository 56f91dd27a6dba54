"""`lyapunov`: how fast motions that start side by side part or come together."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Quantity, Whole
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import later_than_zero
from closedchain.cli.studies.runs import CLEARANCE, START, TOLERANCES
from closedchain.language import tr


def calc(m: Any, **arguments: Any) -> Any:
    """The exponents."""
    import closedchain as cc

    return cc.lyapunov(m, **arguments)


def say(ds: Any) -> str:
    """The exponents in one line."""
    numbers = ", ".join(f"{float(value):.4g}" for value in ds["exponent"].values)
    return tr("largest Lyapunov exponents: {numbers} 1/s", numbers=numbers)


STUDY = Study(
    name="lyapunov",
    meaning="how fast motions that start side by side part or come together",
    arguments=(
        Argument("until", "end of the motion [s]", Quantity("s"), required=True, refers=later_than_zero),
        Argument("count", "number of exponents, largest first", Whole(1), default=1),
        START,
        Argument("transient", "time before the sums begin [s]", Quantity("s")),
        Argument("interval", "longest time between two orthonormalisations [s]", Quantity("s")),
        CLEARANCE,
        *TOLERANCES,
    ),
    calc=calc,
    say=say,
    tells_progress=True,
    group="Many runs and long-term motion",
    examples=(
        ("closedchain lyapunov mechanism.toml --until 200s --count 2", "The two largest exponents"),
        ("closedchain lyapunov mechanism.toml --until 200s --transient 20s", "After the motion has settled"),
    ),
)
