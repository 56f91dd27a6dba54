"""Runs what a page of the documentation shows, block by block in the order of the page, in a folder of its own.

toml, csv, python with title="name"   written as that file; python runs as well
python                                 runs, names stay for later blocks
pycon                                  runs, and what it prints must be as shown ("..." stands for anything)
sh                                     every `closedchain` command runs and ends well
console                                `$ closedchain ...` lines run, and what they print must be as shown;
                                       they end well unless an error message is shown
"""

import doctest
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

BLOCK = re.compile(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
ALIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    language: str
    title: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The code blocks of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for each in BLOCK.finditer(text):
        title = re.search(r'title="([^"]+)"', each[3])
        lines = [line.removeprefix(each[1]) for line in each[4].splitlines()]
        number = text.count("\n", 0, each.start()) + 2
        found.append(Block(each[2], title[1] if title else "", "\n".join(lines) + "\n", number))
    return found


def run_page(page: Path, folder: Path, written: tuple[str, ...] = ()) -> None:
    """Runs all blocks of a page in `folder`, which is the current folder.

    written: beginnings of titles of blocks that are members of a package: written before, and not run here.
    """
    scope: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{page.name}, line {block.line}"
        if written and block.title.startswith(written):
            continue
        if block.title and block.language in ("toml", "csv", "python"):
            write(folder, block)
        if block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), scope)
        elif block.language == "pycon":
            _run_session(block, where, scope)
        elif block.language == "sh":
            for words in commands(block):
                if words[0] == "closedchain":
                    said, status = run_command(words[1:])
                    assert status == 0, f"{where}: {' '.join(words)} ended with {status}:\n{said}"
        elif block.language == "console":
            _run_console(block, where)


def write(folder: Path, block: Block) -> None:
    """The file that a block shows, or the rest of it."""
    path = folder / block.title.removesuffix(" (continued)")
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") + "\n" if block.title.endswith(" (continued)") else ""
    path.write_text(before + block.text, encoding="utf-8")


def commands(block: Block) -> list[list[str]]:
    """The commands of a block of the shell."""
    return [words for line in block.text.splitlines() if (words := shlex.split(line, comments=True))]


def run_command(words: list[str]) -> tuple[str, int]:
    """What the program prints for these words, and its status."""
    from closedchain.cli.main import app

    done = CliRunner().invoke(app, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output, done.exit_code


def _run_session(block: Block, where: str, scope: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, scope, where, where, block.line)
    runner = doctest.DocTestRunner(optionflags=ALIKE)
    said: list[str] = []
    runner.run(test, out=said.append, clear_globs=False)
    scope.update(test.globs)
    assert not runner.failures, "".join(said)


def _run_console(block: Block, where: str) -> None:
    checker = doctest.OutputChecker()
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, wanted = part.partition("\n")
        words = shlex.split(line, comments=True)
        if words[0] != "closedchain":
            continue
        got, status = run_command(words[1:])
        expected = {1, 2} if re.search(r"^(closedchain: |Error: )", wanted, re.MULTILINE) else {0}
        assert status in expected, f"{where}: {line} ended with {status}:\n{got}"
        if wanted.strip():
            assert checker.check_output(wanted, got, ALIKE), f"{where}: {line}\nshown:\n{wanted}\nprinted:\n{got}"
