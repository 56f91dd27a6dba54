"""The rules of the code's shape: light import, layers, public names, file sizes, lock files."""

import importlib.util
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import closedchain as cc

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "src" / "closedchain").rglob("*.py"))
HEAVY = ("numba", "llvmlite", "xarray", "matplotlib", "scipy", "pint", "pandas", "h5netcdf", "numpy")
PUBLIC = sorted(set(vars(cc)["__all__"]) - {"__version__"})


def python(code: str) -> str:
    """What a fresh interpreter prints for the code."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_import_loads_nothing_heavy():
    loaded = python("import closedchain, sys; print(*sys.modules)").split()
    assert not set(HEAVY) & set(loaded)


def test_import_changes_no_global_settings():
    code = "import warnings, os, sys; before = (list(warnings.filters), dict(os.environ), sys.getrecursionlimit()); "
    code += "import closedchain; print(before == (list(warnings.filters), dict(os.environ), sys.getrecursionlimit()))"
    assert python(code).strip() == "True"


def test_layers_hold():
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as check; check()",
        "--no-cache",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", PUBLIC)
def test_public_name_resolves_and_explains_itself(name):
    value = getattr(cc, name)
    assert inspect.getdoc(value), f"cc.{name} has no docstring"
    if inspect.isfunction(value):
        assert ">>>" in (value.__doc__ or ""), f"the docstring of cc.{name} has no example"
        assert value.__module__.startswith("closedchain.")


def test_a_subpackage_of_the_same_name_does_not_hide_a_public_name():
    code = "import closedchain.compile, closedchain as cc, types; print(isinstance(cc.compile, types.ModuleType))"
    assert python(code).strip() == "False"


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="kinematic"):
        getattr(cc, "kinematic")  # noqa: B009
    assert "kinematics" in dir(cc)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_one_concept_one_file(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400, "a file above 400 lines has two concepts"
    unfinished = re.findall(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b", text)
    assert not unfinished


def requirements(name: str) -> dict[str, set[str]]:
    """Package -> its pinned lines in a lock file."""
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    pins: dict[str, set[str]] = {}
    for line in lines:
        found = re.fullmatch(r"([a-z0-9.-]+)==([\w.]+)( ; [^@]+)?", line)
        assert found, f"{name}: {line!r} is not a pin"
        pins.setdefault(found[1], set()).add(line)
    return pins


def test_lock_files_pin_what_the_project_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    run, dev = requirements("run.txt"), requirements("dev.txt")

    def named(wanted):
        return {re.match(r"[\w.-]+", each)[0].lower() for each in wanted}  # type: ignore[index]

    assert named(project["project"]["dependencies"]) | named(project["build-system"]["requires"]) <= set(run)
    assert named(extras["test"]) | named(extras["lint"]) <= set(dev)
    # What run pins on one platform only, dev may pin on all.
    differing = [pin for package, pins in run.items() for pin in pins if not {pin, pin.split(" ; ")[0]} & dev[package]]
    assert not differing, "run and dev must agree"


def test_setup_script_knows_its_tasks_without_an_environment():
    done = subprocess.run([sys.executable, "-S", "run.py"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    spec = importlib.util.spec_from_file_location("run_script", ROOT / "run.py")
    assert spec
    assert spec.loader
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    assert all(f"run.py {task}" in done.stderr for task in run.TASKS)
