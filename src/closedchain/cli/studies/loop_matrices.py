"""`loop_matrices`: the loop equations of theory, W q_p' + U q_a' = 0, at a pose."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Words
from closedchain.cli.studies.coefficients import first_order
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import VALUES
from closedchain.language import tr


def calc(
    m: Any, values: dict[str, Any] | None = None, loop: str | None = None, intermediate: str | None = None,
    driven: list[str] | None = None,
) -> Any:  # fmt: skip
    """W, U, the second-order array and, where they determine it, the passive over the driven rates."""
    import closedchain as cc
    from closedchain.exceptions import ClosedChainError
    from closedchain.results import dataset

    found = cc.loop_matrices(m, cc.assemble(m, values), loop, intermediate, driven)
    all_rates = (*found.passive, *found.driven)
    variables = {
        "W": (("row", "passive"), found.W, {"long_name": "coefficients of the passive rates"}),
        "U": (("row", "driven"), found.U, {"long_name": "coefficients of the driven rates"}),
        "C": (("row", "rate_m", "rate_n"), found.C, {"long_name": "convective terms: c = rates C rates"}),
    }
    try:
        about = {"long_name": "passive over driven rates, -W0^-1 U0"}
        variables["dqp_dqa"] = (("passive", "driven"), found.dqp_dqa, about)
    except ClosedChainError as error:
        undetermined = str(error)
    else:
        undetermined = ""
    return dataset(
        variables,
        {
            "row": found.rows, "passive": found.passive, "driven": found.driven, "rate_m": all_rates,
            "rate_n": all_rates, "independent": [found.rows[row] for row in found.independent],
        },
        analysis="loop_matrices",
        mechanism=m.to_text(),
        settings={"values": values, "loop": loop, "intermediate": intermediate, "driven": driven},
        attrs={"text": str(found), "undetermined": undetermined, "rank": found.rank},
    )  # fmt: skip


def say(ds: Any) -> str:
    """The loops, then W, U and the passive over the driven rates."""
    names = {name: list(map(str, ds[name].values)) for name in ("row", "passive", "driven")}
    text = [ds.attrs["text"]]
    for name in ("W", "U"):
        columns = names["passive" if name == "W" else "driven"]
        text += [name, first_order(names["row"], columns, ds[name].values)] if columns else []
    if "dqp_dqa" in ds and names["driven"]:
        text += [tr("passive over driven rates"), first_order(names["passive"], names["driven"], ds["dqp_dqa"].values)]
    return "\n".join([*text, ds.attrs["undetermined"]] if ds.attrs["undetermined"] else text)


STUDY = Study(
    name="loop_matrices",
    meaning="loop equations at a pose: coefficients of passive and driven rates, rank, passive over driven rates",
    arguments=(
        VALUES,
        Argument("loop", "a joint that names the loop; all loops by default", Words()),
        Argument("intermediate", "body in which the two paths of a loop meet", Words()),
        Argument("driven", "rates that count as driven; by default those of the actuators", Words(many=True)),
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        ("closedchain loop-matrices mechanism.toml", "All loops at the pose of the file"),
        (
            "closedchain loop-matrices mechanism.toml --values A=30deg --intermediate coupler",
            "Paths that meet in a body",
        ),
    ),
)
