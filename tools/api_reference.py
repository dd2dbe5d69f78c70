"""Write docs/api.md from the public names themselves, so that the two cannot drift apart.

python tools/api_reference.py            writes docs/api.md
python tools/api_reference.py --check    exits with 1 if it is not up to date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dicelab
from dicelab.core.atomic_write import written_whole
from dicelab.rules.notation import Notation

PAGE = Path(__file__).parent.parent / "docs" / "api.md"

OPENING = """\
# The Python library

This page is written by `python tools/api_reference.py` from the docstrings; a test keeps it up to
date. Every name is imported from `dicelab`; `help(dicelab.solve)` says the same in a terminal.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([OPENING, *(section(name) for name in sorted(dicelab.__all__, key=str.lower))])


def section(name: str) -> str:
    """Return what the page says about one public name."""
    thing = getattr(dicelab, name)
    if not callable(thing) or isinstance(thing, dicelab.Die):
        return f"## {name}\n\n    {name} = {thing!r}\n"
    lines = [f"## {name}", "", f"    {name}{_signature(thing)}", "", _prose(thing), ""]
    for member, about in _members(thing):
        lines.append(f"- `{member}`: {about}")
    return "\n".join(lines).rstrip() + "\n"


def _signature(thing: Any) -> str:
    """Return the arguments, without the addresses and modules that Python may put there."""
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"ForwardRef\((\w+)\)", r"\1", text.replace("'", ""))
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])", "", text)
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "...", text)


def _prose(thing: Any) -> str:
    """Return the docstring up to its examples, which stand indented."""
    lines = []
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.startswith(">>>"):
            break
        lines.append(line)
    return "\n".join(lines).strip().replace("``", "`")


PARTS = (Notation,)
"""Classes that are only a part of others: what they have is told there."""


def _members(thing: Any) -> Iterator[tuple[str, str]]:
    """Yield the documented methods and properties of a class, each with its first line."""
    if not inspect.isclass(thing):
        return
    own = {
        name for part in (thing, *thing.__bases__) if part in (thing, *PARTS) for name in vars(part)
    }
    for name in sorted(own):
        member = inspect.getattr_static(thing, name)
        if name.startswith("_") or not (callable(member) or hasattr(member, "__get__")):
            continue
        about = (inspect.getdoc(member) or "").split("\n")[0]
        if about and not about.startswith("Alias for field"):
            shown = f"{name}{_signature(member)}" if inspect.isfunction(member) else name
            yield shown.replace("(self, ", "(").replace("(self)", "()"), about


def main() -> int:
    """Write the page, or check it."""
    text = page()
    if "--check" in sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") == text:
            return 0
        print("docs/api.md is not up to date: run python tools/api_reference.py", file=sys.stderr)
        return 1
    with written_whole(PAGE, "w") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
