"""Help in the reader's language: commands in groups, options in two columns, examples at the end of every command.

The classes below take the place of Typer's own, which know neither groups without Rich nor other languages.
"""

import difflib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from closedchain.cli.layout import left, width, wrapped
from closedchain.language import as_is, current, languages, of_the_system, tr, using

# In this order in the list of commands; a group that is not named here comes after them.
GROUPS = (
    "Start here",
    "Position and motion",
    "Forces and dynamics",
    "Accuracy and play",
    "Many runs and long-term motion",
    "See results",
)
WIDEST = 100
LANGUAGE = "--lang"

# The class of wrong usage, whose home differs between versions of Typer.
_UsageError: Any = next(each for each in typer.BadParameter.__mro__ if each.__name__ == "UsageError")

# What an option takes, instead of the types of the code.
WORDS = {"float": "NUMBER", "int": "NUMBER", "int range": "NUMBER", "path": "PATH", "dir": "FOLDER", "file": "FILE"}

Example = tuple[str, str]
"""A command as one types it, and what it does (a sentence without its stop)."""


def wanted_language(words: Sequence[str]) -> str:
    """The language asked for by `--lang` anywhere among the words, else that of the system.

    >>> wanted_language(["check", "a.toml", "--lang=zh"])
    'zh'
    """
    for k, word in enumerate(words):
        if word == LANGUAGE and k + 1 < len(words):
            return words[k + 1]
        if word.startswith(f"{LANGUAGE}="):
            return word.partition("=")[2]
    return of_the_system()


def check_language(value: str | None) -> None:
    """Refuses a language that there is no catalogue for."""
    if value is not None and value not in languages():
        raise typer.BadParameter(
            tr("{value!r} is not spoken here; choose {names}.", value=value, names=", ".join(languages()))
        )


def said(text: str) -> str:
    """A text of the help in the reader's language, whether the catalogue has it as a sentence or as the half sentence
    that a study's meaning is."""
    found = as_is(text)
    if found is not text or not text:
        return found
    half = text[0].lower() + text[1:].removesuffix(".")
    found = as_is(half)
    return text if found is half else found + (tr(".") if text.endswith(".") else "")


def translated(text: str) -> str:
    """A help text in the reader's language; tags such as "[default: 2]" at its end are translated apart."""
    body, tags = split_tags(text)
    return "  ".join([said(body), *(_tag(tag) for tag in tags)]).strip()


def split_tags(text: str) -> tuple[str, list[str]]:
    """A help text and the tags at its end.

    >>> split_tags("Number of samples [default: 9] [required].")
    ('Number of samples.', ['default: 9', 'required'])
    """
    found = re.fullmatch(r"(.*?)((?:\s*\[(?:default|required)[^\]]*\])*)(\.?)", text.strip(), re.DOTALL)
    assert found is not None, "every text has this form"
    body = found[1].strip()
    if body and found[2] and not body.endswith((".", "。")):
        body += "."
    return body + (found[3] if not found[2] else ""), re.findall(r"\[([^\]]*)\]", found[2])


def _tag(tag: str) -> str:
    name, _, value = tag.partition(": ")
    return f"[{as_is(name)}: {as_is(value)}]" if value else f"[{as_is(name)}]"


def usage_problem(error: Any) -> str:
    """What is wrong with the words of the command line, in the reader's language."""
    told = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":
        return told
    for pattern, text in USAGE_TEXTS:
        if found := re.fullmatch(pattern, told, re.DOTALL):
            told = text(found.groupdict())
            break
    if error.ctx is None:
        return told
    hint = tr("`{command} --help` explains it.", command=error.ctx.command_path)
    return f"{error.ctx.get_usage()}\n{hint}\n\n{told}"


# What Typer says of wrong words, and the same in the reader's language.
USAGE_TEXTS: tuple[tuple[str, Callable[[dict[str, str]], str]], ...] = (
    (r"No such option: (?P<name>[\w-]+)", lambda said: tr("There is no option {name}.", **said)),
    (
        r"No such option: (?P<name>[\w-]+)\W.*?(?P<near>-.*?)[)?]*",
        lambda said: tr("There is no option {name}; near ones: {near}", **said),
    ),
    (r"Missing (?:argument|option) '(?P<name>.*?)'.*", lambda said: tr("{name} is missing.", **said)),
    (r"Option '(?P<name>.*?)' requires an argument\.", lambda said: tr("The option {name} needs a value.", **said)),
    (r"Got unexpected extra argument.*?\((?P<words>[^s].*)\)", lambda said: tr("Too many words: {words}", **said)),
    (
        r"Invalid value for '(?P<name>.*?)': [Ff]ile '(?P<file>.*?)' does not exist\.",
        lambda said: tr("{name}: there is no file {file}.", **said),
    ),
    (r"Invalid value(?: for '(?P<name>.*?)')?: (?P<text>.*)", lambda said: said["text"]),
)


class Command(TyperCommand):
    """A command that explains itself with examples."""

    examples: tuple[Example, ...] = ()

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The line that shows how the command is called."""
        names = [_called(each) for each in self.get_params(ctx) if each.param_type_name == "argument"]
        formatter.write_usage(ctx.command_path, " ".join([*names, "[OPTIONS]"]), prefix=tr("Usage: "))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What the command does."""
        _paragraph(formatter, said(self.help or ""))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, options and examples."""
        _options(self, ctx, formatter)
        if self.examples:
            _head(formatter, tr("Examples:"))
            for line, meaning in self.examples:
                formatter.write(f"  {line}\n")
                for each in wrapped(said(meaning) + tr("."), _columns(formatter) - 6):
                    formatter.write(f"      {each}\n")


class Group(TyperGroup):
    """The program: lists its commands in groups, says what a mistyped one may have meant, speaks a language."""

    def main(self, args: Sequence[str] | None = None, **rest: Any) -> Any:  # type: ignore[override]
        """Runs the words of the command line in the language they ask for."""
        with using(wanted_language(sys.argv[1:] if args is None else list(args))):
            if not rest.pop("standalone_mode", True) or current() == "en":
                return super().main(args=args, **rest)
            try:
                ended = super().main(args=args, standalone_mode=False, **rest)
            except _UsageError as error:
                print(usage_problem(error), file=sys.stderr)
                sys.exit(error.exit_code)
            sys.exit(ended if isinstance(ended, int) else 0)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The line that shows how the program is called."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix=tr("Usage: "))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What the program is."""
        _paragraph(formatter, said(self.help or ""))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Commands by group, then the options of the program."""
        self.format_commands(ctx, formatter)
        _options(self, ctx, formatter)
        formatter.write("\n")
        for line in wrapped(
            tr("`closedchain COMMAND --help` explains a command and ends with examples."), _columns(formatter)
        ):
            formatter.write(line + "\n")

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Every command with the first sentence of its help."""
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                panel = command.rich_help_panel
                groups.setdefault(panel if isinstance(panel, str) else "Other", []).append(
                    (name, said((command.help or "").strip().split("\n\n")[0]))
                )
        indent = max((len(name) for rows in groups.values() for name, _ in rows), default=0)
        for name, rows in groups.items():
            if rows:
                _head(formatter, as_is(name) + tr(":"))
                _rows(formatter, rows, indent)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first word; a wrong one is named together with the nearest ones."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=2, cutoff=0.5)
            hint = (
                tr("Did you mean {names}?", names=tr(" or ").join(near))
                if near
                else tr("`closedchain --help` lists all.")
            )
            ctx.fail(tr("{name!r} is no command.", name=name) + " " + hint)
        return super().resolve_command(ctx, args)


def _columns(formatter: Any) -> int:
    return min(formatter.width, WIDEST)


def _paragraph(formatter: Any, text: str) -> None:
    for paragraph in text.split("\n\n"):
        formatter.write("\n")
        for line in wrapped(" ".join(paragraph.split()), _columns(formatter) - 2):
            formatter.write(f"  {line}\n")


def _head(formatter: Any, text: str) -> None:
    formatter.write(f"\n{text}\n")


def _called(argument: Any) -> str:
    """An argument as the usage line shows it: FILE, [NAME], [NAMES]..."""
    name = argument.metavar or argument.name.upper()
    name = name if argument.required or name.startswith("[") else f"[{name}]"
    return name + ("..." if argument.nargs != 1 and not name.endswith("...") else "")


def _in_words(option: str) -> str:
    """An option and what it takes, by what a person types and not by the name of a type."""
    return re.sub(r"<([^>]+)>", lambda found: WORDS.get(found[1], "TEXT"), option)


def _options(command: Any, ctx: Any, formatter: Any) -> None:
    """Arguments and options of a command, two columns each."""
    groups: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None:
            name = _in_words(record[0]) if parameter.param_type_name == "option" else _called(parameter)
            groups[parameter.param_type_name].append((name, translated(record[1])))
    for rows, head in ((groups["argument"], tr("Arguments:")), (groups["option"], tr("Options:"))):
        if rows:
            _head(formatter, head)
            _rows(formatter, rows, max(width(name) for name, _ in rows))


def _rows(formatter: Any, rows: list[tuple[str, str]], indent: int) -> None:
    """Two columns, the second one wrapped."""
    indent = min(indent, 30)
    for name, text in rows:
        lines = wrapped(text, _columns(formatter) - indent - 4)
        if width(name) > indent:
            formatter.write(f"  {name}\n")
            name = ""
        for line in lines:
            formatter.write(f"  {left(name, indent)}  {line}".rstrip() + "\n")
            name = ""
