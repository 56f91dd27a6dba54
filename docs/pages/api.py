"""The public names of the library with their signatures and docstrings."""

import inspect
import re
from typing import Any

import closedchain as cc
from pages.text import docstring

GROUPS = {
    "Describe": ("load", "Mechanism", "Finding", "compile", "Model"),
    "Assemble and count": ("assemble", "Pose", "assembly_modes", "mobility", "singularities"),
    "Move": (
        "kinematics", "influence", "chain_influence", "limb_influence", "loop_matrices", "platform_inverse", "point",
    ),
    "Forces and dynamics": (
        "inverse_dynamics", "drive_summary", "simulate", "equilibrium", "Equilibrium", "linearise",
    ),
    "Accuracy and play": ("errors", "envelope", "deviation", "contact_statistics"),
    "Many runs and long-term motion": ("sweep", "ensemble", "poincare", "bifurcation", "lyapunov"),
    "Results": ("save", "load_result", "report", "animate", "view"),
    "Exceptions": (
        "ClosedChainError", "MechanismError", "AssemblyError", "SingularConfigurationError", "IntegrationError",
    ),
}  # fmt: skip
WITH_METHODS = ("Mechanism", "Pose", "Equilibrium")
ELSEWHERE = ("__version__", "plot")


def reference() -> str:
    """A section for every public name; those of no group stand at the end."""
    grouped = [name for names in GROUPS.values() for name in names]
    more = tuple(name for name in dir(cc) if name not in grouped and name not in ELSEWHERE)
    parts = []
    for head, names in {**GROUPS, "More": more}.items():
        if names:
            parts.append(f"## {head}")
            parts += [section(name, getattr(cc, name)) for name in names]
    return "\n\n".join(parts)


def section(name: str, thing: Any) -> str:
    """One public name; of classes also the public methods."""
    parts = [f"### `cc.{name}`", signature(f"cc.{name}", thing), docstring(thing)]
    if name in WITH_METHODS:
        for method, value in vars(thing).items():
            plain = inspect.unwrap(getattr(value, "__func__", value)) if not isinstance(value, property) else value
            if method.startswith("_") or not (inspect.isfunction(plain) or isinstance(value, property)):
                continue
            parts.append(f"#### `{name}.{method}`")
            if inspect.isfunction(plain):
                parts.append(signature(f"{name}.{method}", plain))
            parts.append(docstring(plain))
    return "\n\n".join(part for part in parts if part)


def signature(name: str, thing: Any) -> str:
    """How it is called, one argument a line where it is long."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return ""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    arguments = [argument(each) for each in found.parameters.values() if each.name not in ("self", "cls")]
    text = f"{name}({', '.join(arguments)})"
    if len(text) > 100:
        text = f"{name}(\n    " + ",\n    ".join(arguments) + ",\n)"
    return f"```text\n{text}\n```"


def argument(parameter: inspect.Parameter) -> str:
    """An argument with its kind, types by their own names, and its default."""
    text = str(parameter.replace(default=inspect.Parameter.empty)).replace("'", "")
    text = re.sub(r"[A-Za-z_][\w.]*\.(\w+)", r"\1", text)
    text = re.sub(r"Union\[_Buffer.*\]", "ArrayLike", text)
    return text if parameter.default is inspect.Parameter.empty else f"{text} = {parameter.default!r}"


def figures() -> str:
    """A section for every figure of `cc.plot`."""
    parts = []
    for name, figure in cc.plot.FIGURES.items():
        parts += [f"### `cc.plot.{name}`", signature(f"cc.plot.{name}", figure.draw), docstring(figure.draw)]
    return "\n\n".join(part for part in parts if part)
