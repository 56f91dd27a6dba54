"""`limb_influence`: every limb of a parallel mechanism as a serial chain, cut at the platform."""

from typing import Any

from closedchain.cli.studies.coefficients import arrays, components, lines
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import PLATFORM, VALUES
from closedchain.language import tr


def calc(m: Any, of: str, values: dict[str, Any] | None = None) -> Any:
    """G, H and the rate map of every limb at the pose with the given values, by the number of the limb."""
    import closedchain as cc
    from closedchain.results import dataset

    limbs = cc.limb_influence(m, cc.assemble(m, values), of)
    variables, labels = {}, {"component": components(m.planar), "limb": [limb.name for limb in limbs]}
    for k, limb in enumerate(limbs, 1):
        rate = f"rate_{k}"
        own, names = arrays(limb.G, limb.H, rate, limb.rates, f"_{k}")
        variables |= own
        labels |= names
        about = {"long_name": "rates of the limb = rate map (angular, linear) velocity, in ground axes, SI"}
        variables[f"rate_map_{k}"] = ((rate, "component"), limb.rate_map, about)
    return dataset(
        variables,
        labels,
        analysis="limb_influence",
        mechanism=m.to_text(),
        settings={"of": of, "values": values},
        attrs={"of": of, "limbs": "\n".join(map(str, limbs))},
    )


def say(ds: Any) -> str:
    """What each limb is, its G, and the entries of its H that are not zero."""
    text = [tr("limbs of the parallel mechanism at {of}: {count}", of=ds.attrs["of"], count=ds.sizes["limb"])]
    for k, line in enumerate(ds.attrs["limbs"].splitlines(), 1):
        text += [line, *lines(ds, f"rate_{k}", f"_{k}")]
    return "\n".join(text)


STUDY = Study(
    name="limb_influence",
    meaning="the limbs of a parallel mechanism as serial chains: coefficients, rank, rate map",
    arguments=(
        PLATFORM,
        VALUES,
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(("closedchain limb-influence robot.toml --of platform.origin", "G, H and rate map of every limb"),),
)
