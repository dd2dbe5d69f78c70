"""The house: every module in its room, and imports that point one way.

A room may import from the rooms before it in `ROOMS` and from itself, never from one after it;
imports inside functions count. A game's folder has two floors: its rules stand below the tables,
since everything is made from them, and all else (its own solver, figures, strategies that solve
another game) above the verbs and figures it uses.
"""

import ast
import re
from pathlib import Path

import dicelab

PACKAGE = Path(dicelab.__file__).parent

ROOMS = (
    "errors",
    "core",
    "solvers",
    "rules",
    "rounds",
    "game rules",
    "table",
    "strategies",
    "verbs",
    "dicelab",  # the public names: whoever writes for strangers imports those
    "people",
    "plots",
    "exchange",
    "console",  # what commands share, so that games may have commands of their own
    "games",
    "studies",
    "lab",
    "cli",
    "warm",
)

GROUND_FLOOR = (
    "rules",
    "scores",
    "plays",
    "solo",
    "people",
    "utilities",
    "match",
    "match_notation",
    "match_rules",
    "match_casts",
)
"""The modules of a game's folder that its rules are made of."""

START_UP = {("dicelab.__main__", "dicelab.cli")}
"""Commands are loaded when the command line starts; nothing else may reach up."""


def names_of(package):
    """Return the path of every module by its name."""
    found = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(text, modules):
    """Return the modules of this package that a text imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in modules}
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
    return found


def room_of(module):
    """Return which room a module stands in."""
    parts = module.split(".")
    if len(parts) == 1 or parts[1] == "__main__":
        return "dicelab" if len(parts) == 1 else "warm"
    if parts[1] == "games" and (len(parts) < 4 or parts[3] in GROUND_FLOOR):
        return (
            "games"
            if len(parts) == 3 and (PACKAGE / "games" / parts[2]).is_dir()
            else ("game rules")
        )
    return parts[1]


def wrong_way(imports):
    """Return the imports that lead up, from a room to one after it."""
    return sorted(
        (module, other)
        for module, others in imports.items()
        for other in others
        if (module, other) not in START_UP
        and ROOMS.index(room_of(other)) > ROOMS.index(room_of(module))
    )


def circles(imports):
    """Return the modules that can be reached from themselves by imports."""
    reach = {module: set(others) for module, others in imports.items()}
    grown = True
    while grown:
        grown = False
        for others in reach.values():
            more = set().union(*(reach.get(other, set()) for other in others)) - others
            others |= more
            grown |= bool(more)
    return sorted(module for module, others in reach.items() if module in others)


def all_imports():
    """Return what every module of the package imports from it."""
    modules = names_of(PACKAGE)
    return {name: imports_of(path.read_text("utf-8"), modules) for name, path in modules.items()}


def test_every_module_stands_in_a_room():
    assert {room_of(module) for module in names_of(PACKAGE)} <= set(ROOMS)


def test_imports_point_one_way():
    assert wrong_way(all_imports()) == []


def test_no_module_imports_itself_through_others():
    assert circles(all_imports()) == []


def forced(text):
    """Return the lines that set a field of a frozen object by force, or write into a `__dict__`."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and ast.unparse(node) == "object.__setattr__")
        or (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store | ast.Del)
            and re.search(r"\.__dict__$|^vars\(", ast.unparse(node.value))
        )
        or (
            isinstance(node, ast.Call)
            and re.search(
                r"(\.__dict__|^vars\(.*\))\.(update|setdefault|pop)$", ast.unparse(node.func)
            )
        )
    ]


def test_no_frozen_object_is_changed_by_force():
    # A lazy property is kept in its object's dictionary, as functools.cached_property does.
    found = {name for name, path in names_of(PACKAGE).items() if forced(path.read_text("utf-8"))}
    assert found == {"dicelab.core.lazy"}
    for planted in (
        "object.__setattr__(die, 'faces', ())",
        "die.__dict__['faces'] = ()",
        "vars(die).update(faces=())",
    ):
        assert forced(planted) == [1]


def test_a_planted_import_is_found():
    imports = all_imports()
    assert "dicelab.verbs.solve" in imports["dicelab"]
    planted = "def later():\n    from dicelab.table import Table\n    return Table\n"
    found = imports_of(planted, names_of(PACKAGE))
    assert found == {"dicelab.table"}
    imports["dicelab.solvers.order"] = found
    assert ("dicelab.solvers.order", "dicelab.table") in wrong_way(imports)
    assert "dicelab.solvers.order" in circles(imports)


def test_the_page_on_design_shows_the_rooms_in_their_order():
    page = (Path(__file__).parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
    table = page.split("| room | holds |")[1].split("\n\n")[0]
    shown = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
    assert shown == [room for room in ROOMS if room not in ("game rules", "dicelab")]
