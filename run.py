#!/usr/bin/env python3
"""Sets up `.venv` in this folder from the lock files, then does one task in it; needs nothing but Python 3.11 or newer.

    python3 run.py demo              all studies of the shift manipulator: report, datasets and figures
    python3 run.py test [OPTIONS]    the test suite (options go to pytest)
    python3 run.py lint              formatting, types and the borders between the layers
    python3 run.py docs              the documentation site, in site/
    python3 run.py lock              writes requirements/*.txt anew from pyproject.toml
    python3 run.py closedchain ...   the program itself
    python3 run.py python ...        the interpreter of .venv

The environment is made again only when a lock file or pyproject.toml changes.
"""

import hashlib
import os
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts", "python.exe") if os.name == "nt" else os.path.join(VENV, "bin", "python")
LOCKS = {"run": "requirements/run.txt", "dev": "requirements/dev.txt"}  # dev holds everything of run


def fingerprint(level):
    """Hash of what the environment of this level is made from."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", LOCKS[level]):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def stamp(level):
    """File that says for which fingerprint the environment was made."""
    return os.path.join(VENV, "made-for-" + level)


def is_current(level):
    """Whether the environment has what this level needs, at the locked versions."""
    try:
        with open(stamp(level)) as file:
            return os.path.exists(PYTHON) and file.read() == fingerprint(level)
    except OSError:
        return False


def set_up(level):
    """Makes or updates `.venv` for the level "run" or "dev"."""
    if is_current(level) or (level == "run" and is_current("dev")):
        return
    print("Setting up .venv from {} (once, a minute or two) ...".format(LOCKS[level]), file=sys.stderr, flush=True)
    for each in LOCKS:
        if os.path.exists(stamp(each)):
            os.remove(stamp(each))
    if not runs([PYTHON, "-c", "import sys, pip; sys.exit(sys.version_info < (3, 11))"]):
        import venv

        try:
            venv.EnvBuilder(with_pip=True, clear=True).create(VENV)
        except subprocess.CalledProcessError:
            sys.exit("This Python cannot make virtual environments; on Debian or Ubuntu: apt install python3-venv")
    # Modules are compiled when first imported: compiling all of them here takes longer than everything else.
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    for arguments in (["-r", LOCKS[level]], ["--no-deps", "--no-build-isolation", "-e", "."]):
        if subprocess.run(pip + arguments, cwd=ROOT).returncode:
            sys.exit("Setting up .venv failed, see above. With the network back, run the same command again.")
    for each in LOCKS if level == "dev" else [level]:
        with open(stamp(each), "w") as file:
            file.write(fingerprint(each))


def runs(command):
    """Whether the command exists and succeeds; its output is of no interest."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def surroundings():
    """The environment of what runs in .venv: compiled modules are kept there where they may not lie beside sources.

    Without them every start compiles a thousand modules anew, which takes longer than most tasks.
    """
    found = dict(os.environ)
    if found.pop("PYTHONDONTWRITEBYTECODE", ""):
        found.setdefault("PYTHONPYCACHEPREFIX", os.path.join(VENV, "bytecode"))
    return found


def call(*arguments):
    """Runs the interpreter of .venv in this folder; its exit status."""
    child = subprocess.Popen([PYTHON, *arguments], cwd=ROOT, env=surroundings())
    # Who ends this program ends the one it runs.
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def demo(arguments):
    """All studies of the shift manipulator."""
    set_up("run")
    example = os.path.join("examples", "shift_manipulator", "mechanism.toml")
    return call("-m", "closedchain", "run", example, "-o", os.path.join("results", "shift_manipulator"), *arguments)


def test(arguments):
    """The test suite, on all processors."""
    set_up("dev")
    return call("-m", "pytest", "-n", "auto", "--maxprocesses", "8", *arguments)


def lint(arguments):
    """Every check that reads the code without running it."""
    set_up("dev")
    checks = (
        ("-m", "ruff", "check", "."),
        ("-m", "ruff", "format", "--check", "."),
        ("-m", "pyright"),
        ("-c", "from importlinter.cli import lint_imports_command as check; check()", "--no-cache"),
    )
    return max(call(*check) for check in checks)


def docs(arguments):
    """The documentation site; the first page is site/index.html."""
    set_up("dev")
    # its builder would print an advertisement
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    return call("-m", "mkdocs", "build", "--strict", "--clean", *arguments)


def lock(arguments):
    """Pins every dependency, for all platforms and Pythons at once (uv resolves, pip installs)."""
    set_up("dev")
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        build = "\n".join(tomllib.load(file)["build-system"]["requires"])
    if not runs([PYTHON, "-m", "uv", "--version"]):
        call("-m", "pip", "install", "--quiet", "uv")
    command = ["-m", "uv", "pip", "compile", "--universal", "--python-version", "3.11", "--upgrade"]
    command += ["--quiet", "--no-header", "--no-annotate"]
    dev = [word for extra in ("test", "lint", "docs", "movie", "viewer") for word in ("--extra", extra)]
    for level, extras in (("dev", dev), ("run", ["-c", LOCKS["dev"]])):
        made = subprocess.run(
            [PYTHON, *command, *extras, "pyproject.toml", "-"], cwd=ROOT, input=build, stdout=subprocess.PIPE, text=True
        )
        if made.returncode:
            return made.returncode
        with open(os.path.join(ROOT, LOCKS[level]), "w", newline="\n") as file:
            file.write(made.stdout)
    return 0


def closedchain(arguments):
    """The program, called in the folder one is in."""
    set_up("run")
    return subprocess.run([PYTHON, "-m", "closedchain", *arguments]).returncode


def python(arguments):
    """The interpreter of .venv, for scripts and questions of one's own."""
    set_up("dev")
    return subprocess.run([PYTHON, *arguments]).returncode


TASKS = {task.__name__: task for task in (demo, test, lint, docs, lock, closedchain, python)}


def main(arguments):
    """Does the task named by the first argument; returns its exit status."""
    if sys.version_info < (3, 11):
        return (
            "closedchain needs Python 3.11 or newer and this is {}.{}: install one from python.org, then run it with "
            "that, for example: python3.12 run.py {}".format(*sys.version_info[:2], " ".join(arguments))
        )
    if not arguments or arguments[0] not in TASKS:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return TASKS[arguments[0]](arguments[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
