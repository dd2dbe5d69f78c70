"""Write docs/cli.md from the command line itself, so that the two cannot drift apart.

python tools/cli_reference.py            writes docs/cli.md
python tools/cli_reference.py --check    exits with 1 if it is not up to date

Typer's own page (`typer dicelab.cli utils docs`) cuts summaries short, and writes usage lines as
console examples, which the tests of the pages would run; hence ours.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from dicelab.cli import app
from dicelab.core.atomic_write import written_whole

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"

OPENING = """\
# The command line

This page is written by `python tools/cli_reference.py` from the commands themselves; a test keeps
it up to date. `dicelab COMMAND --help` says the same in a terminal.

{about}

`--json` prints one JSON object with stable keys. Rationals and dice are text in it, and what is
infinite is `null`. Without it the answer is for people; colours are off when the output is piped.

An error is one sentence on stderr. Exit codes: 0 all is well, 1 the request was understood but
cannot be met, 2 a wrong option or argument, 130 interrupted by Ctrl-C. Files are written whole or
not at all.
"""


def page() -> str:
    """Return the whole page."""
    group: Any = typer.main.get_command(app)
    parts = [OPENING.format(about=_after_first(group.help))]
    parts += [section(name, command) for name, command in commands(group)]
    return "\n".join(parts)


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command by the alphabet, those of a group after it."""
    for name in sorted(group.commands):
        command = group.commands[name]
        yield before + name, command
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")


def section(name: str, command: Any) -> str:
    """Return what the page says about one command."""
    text, _, examples = inspect.cleandoc(command.help).partition("Examples:")
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    lines = [
        f"## {name}",
        "",
        text.strip(),
        "",
        f"    dicelab {name} {_usage(command, arguments)}",
        "",
    ]
    lines += [f"- `{p.metavar}`: {p.help}" for p in arguments]
    lines += [f"- `{_option(p)}`: {p.help}" for p in options]
    if examples:
        lines += ["", "Examples:", ""]
        lines += [f"    {line.strip()}" for line in examples.splitlines() if line.strip()]
    return "\n".join(lines) + "\n"


def _usage(command: Any, arguments: list[Any]) -> str:
    if hasattr(command, "commands"):
        return "COMMAND [OPTIONS]"
    words = []
    for argument in arguments:
        word = argument.metavar + ("..." if argument.nargs == -1 else "")
        words.append(word if argument.required else f"[{word}]")
    return " ".join([*words, "[OPTIONS]"])


def _option(option: Any) -> str:
    if option.is_flag:
        return str(option.opts[0])
    return f"{option.opts[0]} {option.metavar or 'NUMBER'}"


def _after_first(text: str) -> str:
    """Return a docstring without its first paragraph, as one paragraph."""
    return "\n".join(textwrap.wrap(inspect.cleandoc(text).partition("\n\n")[2], 100))


def main() -> None:
    """Write the page, or check it."""
    wanted = page()
    if "--check" in sys.argv:
        if PAGE.read_text(encoding="utf-8") != wanted:
            sys.exit("docs/cli.md is not up to date: run python tools/cli_reference.py")
        return
    with written_whole(PAGE) as file:
        file.write(wanted)


if __name__ == "__main__":
    main()
