"""The errors a user can meet: sentences to an engineer that say what, where and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass

from closedchain.language import plural, rephrased, tr


class ClosedChainError(Exception):
    """Base of every error that closedchain raises on purpose."""

    def __str__(self) -> str:
        return rephrased(super().__str__())


@dataclass(frozen=True)
class Finding:
    """One mistake of a description: `place` ("joints.B.clearance.radial"), `message` and `remedy`, each a sentence.

    Without a place it concerns what was asked, not what the file says.
    """

    place: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        message = rephrased(self.message)
        text = f"{self.place}: {message}" if self.place else message
        return f"{text} {rephrased(self.remedy)}" if self.remedy else text


class MechanismError(ClosedChainError):
    """The description of a mechanism is wrong; `findings` lists every mistake with its place and a remedy."""

    def __init__(self, findings: Iterable[Finding] | Finding | str, source: str = ""):
        if isinstance(findings, Finding):
            findings = [findings]
        elif isinstance(findings, str):
            findings = [Finding("", findings)]
        self.findings: tuple[Finding, ...] = tuple(findings)
        self.source = source
        super().__init__(self.findings, source)

    def __str__(self) -> str:
        count = len(self.findings)
        if count == 1 and not self.findings[0].place:
            return str(self.findings[0])
        source = self.source or tr("the mechanism")
        head = tr("{mistakes} in {source}:", mistakes=plural(count, "{n} mistake", "{n} mistakes"), source=source)
        return "\n".join([head, *(f"  {finding}" for finding in self.findings)])


class AssemblyError(ClosedChainError):
    """The loops cannot be closed with the given values; the message names the gap per joint."""


class SingularConfigurationError(ClosedChainError):
    """The question has no answer at this pose because a matrix lost rank; the message names it."""


class IntegrationError(ClosedChainError):
    """A simulation could not go on; the message names the time, the joint and what to try."""
