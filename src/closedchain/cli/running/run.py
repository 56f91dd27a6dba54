"""The run itself: study after study, their files, the report of what is finished, the exit status."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from closedchain.cli.files import safe_name
from closedchain.cli.output import fail, say
from closedchain.cli.running.drawing import Drawing, Drawn, drawing
from closedchain.cli.running.progress import Quiet, progress
from closedchain.cli.running.saving import save_study
from closedchain.cli.running.usual import LeftOut
from closedchain.cli.studies.planned import Planned
from closedchain.exceptions import ClosedChainError, MechanismError
from closedchain.language import as_is, current, tr

# How long parts take beside each other, for the bar.
WEIGHTS = {"simulate": 3.0, "sweep": 10.0, "bifurcation": 10.0, "lyapunov": 10.0, "errors": 2.0}
INTERRUPTED = 130


@dataclass
class Finished:
    """A study that was tried: its plan, state, sentence, result, files."""

    plan: Planned
    state: str
    sentence: str
    ds: Any = None
    files: list[Path] = field(default_factory=list)
    figures: Callable[[], Drawn] | None = None
    text: str = ""


class Run:
    """All studies of a mechanism into one folder."""

    def __init__(
        self, m: Any, plan: Sequence[Planned], left: Sequence[LeftOut], folder: Path, command: str, quiet: bool
    ):
        self.m, self.plan, self.left = m, list(plan), list(left)
        self.folder, self.command, self.quiet = folder, command, quiet
        self.done: list[Finished] = []
        self.report: Path | None = None
        self.stems = stems(self.plan)

    def go(self, report: bool = True) -> int:
        """Runs everything; returns the exit status."""
        for each in self.left:
            self.say(tr("{study}: left out, {sentence}", study=each.name, sentence=each.sentence))
        interrupted = False
        weights = [WEIGHTS.get(each.kind, 1.0) for each in self.plan] + [1.0 + 0.3 * len(self.plan)]
        with drawing(len(self.plan)) as sheets:
            try:
                with progress(weights) as bar:
                    for each in self.plan:
                        bar.begin(each.name if each.name == each.kind else f"{each.name} ({as_is(each.kind)})")
                        self.done.append(self.one(each, sheets, bar))
                        self.tell(self.done[-1])
                        bar.end()
                    bar.begin(tr("figures"))
                    self.collect(bar)
                    if report:
                        bar.begin(tr("report"))
                        self.write()
                    bar.end()
            except KeyboardInterrupt:
                interrupted = True
                if report:
                    self.write_after_all()
        if interrupted:
            rest = ", ".join(each.name for each in self.plan[len(self.done) :]) or tr("none")
            fail(tr("interrupted; finished studies are in {folder}, not run: {rest}", folder=self.folder, rest=rest))
        if self.report is not None:
            self.say(tr("report: {path}", path=self.report))
        if interrupted:
            return INTERRUPTED
        return 1 if any(each.state == "failed" for each in self.done) else 0

    def one(self, plan: Planned, sheets: Drawing, bar: Quiet) -> Finished:
        """Computes a study and writes its files."""
        if plan.study is None:
            return Finished(plan, "left out", tr("{kind} is not in this version yet.", kind=plan.kind))
        further = {"progress": bar.part} if plan.study.tells_progress else {}
        try:
            ds = plan.study.calc(self.m, **plan.arguments, **further)
            text = plan.study.say(ds)
        except MechanismError as error:
            # What the usual studies ask need not fit every mechanism.
            return Finished(plan, "left out" if plan.usual else "failed", str(error))
        except ClosedChainError as error:
            return Finished(plan, "failed", str(error))
        stem = self.stems[plan.name]
        files = save_study(ds, self.folder, stem)
        figures = sheets.submit(plan.kind, self.m, ds, self.folder, stem, current())
        return Finished(plan, "done", text.splitlines()[0] if text else "", ds, files, figures, text)

    def tell(self, one: Finished) -> None:
        """One line about a study."""
        from closedchain.views.report.headline import headline

        if one.state == "done":
            self.say(tr("{study}: {sentence}", study=one.plan.name, sentence=headline(self.chapter(one))))
        else:
            fail(tr("study {study}: {sentence}", study=one.plan.name, sentence=one.sentence))

    def collect(self, bar: Quiet | None = None) -> None:
        """Waits for the figures."""
        waiting = [each for each in self.done if each.figures is not None]
        for number, each in enumerate(waiting):
            assert each.figures is not None, "only those that have some wait"
            names, problems = each.figures()
            each.figures = None
            each.files += [self.folder / name for name in names]
            for problem in problems:
                fail(tr("study {study}: a figure could not be drawn: {problem}", study=each.plan.name, problem=problem))
            if bar is not None:
                bar.part((number + 1) / (len(waiting) + 1))

    def write(self) -> None:
        """Writes the report of everything that is finished, failed, left out or not run."""
        from closedchain.views.report import write_report
        from closedchain.views.report.chapter import Chapter

        chapters = [self.chapter(each) for each in self.done]
        chapters += [Chapter(each.name, each.kind, None, "left out", each.sentence) for each in self.left]
        for each in self.plan[len(self.done) :]:
            chapters.append(Chapter(each.name, each.kind, None, "not run", tr("The run was interrupted before it.")))
        commands = [self.command]
        self.report = write_report(self.folder / "report.html", chapters, mechanism=self.m, commands=commands)

    def chapter(self, each: Finished) -> Any:
        """A study as the report and the headline see it."""
        from closedchain.views.report.chapter import Chapter

        return Chapter(
            each.plan.name, each.plan.kind, each.ds, each.state, each.text or each.sentence,
            figures=self.pictures(each), files=[file.name for file in each.files], given=self.m,
        )  # fmt: skip

    def write_after_all(self) -> None:
        """Writes the report after an interruption, as far as the figures are there; a second one ends it."""
        try:
            self.collect()
            self.write()
        except KeyboardInterrupt:
            self.report = None

    def pictures(self, each: Finished) -> dict[str, str]:
        """The figures of a study that the report cannot draw itself."""
        if each.ds is None or ("time" in each.ds.dims and "q" in each.ds):
            return {}
        stem = self.stems[each.plan.name]
        svgs = [file for file in each.files if file.suffix == ".svg" and file.is_file()]
        return {file.stem.removeprefix(f"{stem}_"): file.read_text(encoding="utf-8") for file in svgs}

    def say(self, text: str) -> None:
        """A line for people."""
        if not self.quiet:
            say(text)

    def as_json(self) -> dict[str, Any]:
        """What was done, for programs: study -> kind, state, sentence, files; and the report."""
        found: dict[str, Any] = {
            each.plan.name: {
                "kind": each.plan.kind,
                "state": each.state,
                "sentence": each.sentence,
                "files": [str(path) for path in each.files],
            }
            for each in self.done
        }
        for each in self.left:
            found[each.name] = {"kind": each.kind, "state": "left out", "sentence": each.sentence, "files": []}
        return {**found, "report": str(self.report) if self.report is not None else None}


def stems(plan: Sequence[Planned]) -> dict[str, str]:
    """Study -> beginning of its files' names; no two alike, also where a system ignores case."""
    found: dict[str, str] = {}
    for each in plan:
        stem = base = safe_name(each.name)
        number = 2
        while stem.lower() in {other.lower() for other in found.values()}:
            stem, number = f"{base}_{number}", number + 1
        found[each.name] = stem
    return found
