"""Runs all studies of a mechanism: datasets (NetCDF) and figures in one folder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from closedchain.cli import completing
from closedchain.cli.files import File, load, safe_name
from closedchain.cli.output import busy, fail, say, say_json
from closedchain.cli.studies.planned import Planned, planned
from closedchain.exceptions import ClosedChainError

GROUP = "Start here"
EXAMPLES = (
    ("closedchain run mechanism.toml", "All studies of the file, into results/NAME"),
    ("closedchain run mechanism.toml --study motion -o here", "One study, into a folder of your choice"),
)


def run(
    file: File,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for the results [default: results/NAME].", file_okay=False),
    ] = None,
    study: Annotated[
        list[str] | None,
        typer.Option("--study", help="Only this study; may be repeated.", autocompletion=completing.studies_of_file),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Runs the studies in order; one that fails does not keep the others from running."""
    m = load(file)
    plan = planned(m)
    if study:
        unknown = sorted(set(study) - {each.name for each in plan})
        if unknown:
            have = ", ".join(each.name for each in plan) or "none"
            raise ClosedChainError(f"{file} has no study {', '.join(unknown)}; it has {have}.")
        plan = [each for each in plan if each.name in study]
    if not plan:
        raise ClosedChainError(f"{file} has no studies; add a [studies.NAME] table with a kind, or use a command.")
    folder = output if output is not None else Path("results") / safe_name(m.name)
    done: dict[str, Any] = {}
    failed = False
    for number, each in enumerate(plan):
        if each.study is None:
            fail(f"study {each.name}: {each.kind} is not in this version yet; left out.")
            continue
        try:
            with busy(f"study {each.name}: {each.kind}"):
                done[each.name] = run_study(m, each, folder)
        except ClosedChainError as error:
            fail(f"study {each.name}: {error}")
            failed = True
            continue
        except KeyboardInterrupt:
            left = ", ".join(later.name for later in plan[number:])
            fail(f"interrupted; finished studies are in {folder}, not run: {left}")
            raise typer.Exit(130) from None
        if not json:
            say("\n".join([done[each.name].pop("text"), *(f"  {path}" for path in done[each.name]["files"])]))
    if json:
        say_json({name: {"kind": entry["kind"], "files": entry["files"]} for name, entry in done.items()})
    if failed:
        raise typer.Exit(1)


def run_study(m: Any, planned_study: Planned, folder: Path) -> dict[str, Any]:
    """Runs one study and writes its dataset and figures; returns its kind, text and files."""
    import closedchain as cc

    study = planned_study.study
    assert study is not None, "only studies of this version are run"
    ds = study.calc(m, **planned_study.arguments)
    stem = safe_name(planned_study.name)
    files = [cc.save(ds, folder / f"{stem}.nc")]
    for name, figure in study.figures(m, ds):
        files.append(folder / f"{stem}_{name}.svg")
        figure.savefig(files[-1])
    return {
        "kind": planned_study.kind,
        "files": [str(path) for path in files],
        "text": f"{stem}: {study.say(ds).splitlines()[0]}",
    }
