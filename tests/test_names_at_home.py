"""A game's name is spoken only at home.

Outside `games/`, `studies/` and tests, no module and no script of the page names a game or asks for
its class. Docstrings are documentation and may show any game; everything else that a module says
(names, imports, texts) may not.
"""

import ast
import re
from pathlib import Path

import dicelab
from dicelab.rules.registry import all_games

PACKAGE = Path(dicelab.__file__).parent
AT_HOME = ("games", "studies")

FOLDERS = {path.name for path in (PACKAGE / "games").iterdir() if (path / "rules.py").exists()}
CLASSES = {kind.__name__ for kind in all_games().values()}
#: A name may have other words of the registry around it, as in solo-pig or 421-round.
NAMES = {*all_games(), *FOLDERS, "pig", "421", "yahtzee", "dice battle"}
SPOKEN = re.compile(
    r"(?<![a-z0-9])(?:"
    + "|".join(sorted(re.sub("[-_ ]", "[-_ ]?", name) for name in NAMES))
    + r")(?![a-z0-9])",
    re.IGNORECASE,
)
CLASS = re.compile("|".join(sorted(CLASSES)))


def docstrings(tree):
    """Return the texts of a module that are documentation: those that stand alone."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def said_in(text):
    """Return what a module says, docstrings left out, each with its line."""
    tree = ast.parse(text)
    documentation = docstrings(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            yield line, str(node.value) if isinstance(node.value, str) else ""
        else:
            for field in ("id", "attr", "name", "asname", "arg", "module"):
                if isinstance(said := getattr(node, field, None), str):
                    yield line, said


def names_in(said):
    """Return the games and the classes of games that some words name."""
    return [*SPOKEN.findall(said), *CLASS.findall(said)]


def spoken_by(path, text):
    """Return where a file names a game."""
    if path.suffix == ".js":  # what stands between /* and */ is documentation
        text = re.sub(
            r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL
        )
        lines = enumerate(text.splitlines(), start=1)
    else:
        lines = said_in(text)
    return [f"{path}:{line}: {said.strip()[:80]}" for line, said in lines if names_in(said)]


def modules():
    """Return every module that is no game's home, from the root of the package."""
    paths = (path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))
    return [path for path in paths if path.parts[0] not in AT_HOME]


def scripts():
    """Return the page's own scripts, from the root of the package."""
    pages = PACKAGE / "lab" / "static" / "js"
    return [path.relative_to(PACKAGE) for path in sorted(pages.rglob("*.js"))]


def spoken(paths):
    """Return where some files name a game."""
    return [line for path in paths for line in spoken_by(path, (PACKAGE / path).read_text("utf-8"))]


def test_no_module_outside_its_home_names_a_game():
    assert spoken(modules()) == []


def test_no_script_of_the_page_names_a_game():
    assert len(scripts()) > 10
    assert spoken(scripts()) == []


def test_a_planted_name_is_found():
    planted = {
        'GAME = "solo-pig"\n': 1,
        'help = "such as dice-battle or hold-at:20"\n': 1,
        "from dicelab.games.pig import rules\n": 1,
        "def f(game):\n    return isinstance(game, Pig)\n": 1,
        "from dicelab.games import four21\n": 1,
        "def is_pig_for_two(game):\n    return game\n": 1,
        "x = solve(rules=FourTwentyOneRound)\n": 1,
        'goal = "421"\n': 1,
        '"""A page about Pig."""\n\n\ndef f():\n    """Play Greed."""\n': 0,
        "pigeon = piggy = greedy = 4210\n": 0,
    }
    for text, found in planted.items():
        assert len(spoken_by(Path("planted.py"), text)) == found, text
    script = '/** Such as "pig".\n */\nif (game === "pig") roll();\n'
    assert [line.split(":")[1] for line in spoken_by(Path("planted.js"), script)] == ["3"]
