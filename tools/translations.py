"""Bring the catalogues of the web lab up to date with the texts in the code.

Run: make translations, or .venv/bin/python tools/translations.py

Extracted is every text that the code gives to `tr`, `trn`, `mark` and `Later`, that the page's
scripts give to `t`, `tn` and `tp`, and that `index.html` marks with data-t. Translations stay,
texts that nobody says any more go, and new ones wait for one: the command lists them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from dicelab.lab import catalogue
from dicelab.lab.languages import FIELDS
from dicelab.rules import registry

PACKAGE = Path(__file__).parents[1] / "src" / "dicelab"
LOCALE = PACKAGE / "locale"
PYTHON: dict[str, Any] = {"tr": None, "mark": None, "Later": None, "trn": (1, 2), "said_by": (2,)}
OTHERS: dict[str, Any] = {"said_by": (3,)}  # of its two sentences the one about another
SCRIPT: dict[str, Any] = {"t": None, "tn": (1, 2)}
TEXT = r'"((?:[^"\\]|\\.)*)"'
CALLS = re.compile(rf"\b(?:tn\(\s*{TEXT},\s*{TEXT}|tp?\(\s*{TEXT})")  # of a script
SHOWN = ("title", "about", "label", "help")  # of what a game tells, what people read
Found = tuple[int, str, str | tuple[str, ...], list[str]]


class Marked(HTMLParser):
    """Reads the texts of a page that are marked with data-t."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("data-t")
        self.open = "data-t" in given and not name
        if name:
            self.found.append((self.getpos()[0], given[name] or ""))

    def handle_data(self, data: str) -> None:
        if self.open:
            self.found.append((self.getpos()[0], data))
            self.open = False


def from_page(file: IO[bytes], *_: object, **__: object) -> Iterator[Found]:
    """Yield the texts of a page, as Babel wants it of a file it does not know how to read."""
    reader = Marked()
    reader.feed(file.read().decode())
    for line, text in reader.found:
        yield line, "t", text, []


def from_script(file: IO[bytes], *_: object, **__: object) -> Iterator[Found]:
    """Yield the texts of a script.

    Babel has an extractor for scripts, which misses texts that stand inside of others.
    """
    for found in CALLS.finditer(file.read().decode()):
        one, several, alone = (text and text.replace('\\"', '"') for text in found.groups())
        if alone is None:
            yield 1, "tn", (one, several), []
        else:
            yield 1, "t", alone, []


def extracted() -> Catalog:
    """Return every text of the code."""
    found = Catalog(charset="utf-8")
    page = PACKAGE / "lab" / "static"
    paths: list[tuple[Path, Any, dict[str, Any]]] = [
        *((path, "python", PYTHON) for path in PACKAGE.rglob("*.py")),
        *((path, "python", OTHERS) for path in PACKAGE.rglob("*.py")),
        *((path, from_script, SCRIPT) for path in (page / "js").rglob("*.js")),
        (page / "index.html", from_page, SCRIPT),
    ]
    for path, method, keywords in sorted(paths, key=lambda each: str(each[0])):
        place = path.relative_to(PACKAGE).as_posix()
        for line, text, notes, _ in extract_from_file(method, path, keywords, ("Translators:",)):
            found.add(text, None, [(place, line)], auto_comments=notes)
    for game in catalogue.games():
        moves = registry.registered_game(game["name"]).moves
        for text in [*told(game), *filter(str.isalpha, moves)]:
            found.add(text, None, [(f"games/{game['name']}", 1)])
        for text in counted(game["name"]):
            found.add(text, None, [(f"games/{game['name']}/{FIELDS}", 1)])
    return found


def counted(name: str) -> Iterator[str]:
    """Yield what the page calls the counters of a game's positions, and the boxes of its card."""
    made = registry.registered_game(name)
    fields = getattr(made.start(), "_fields", ())
    names = [*made.counters(made.start()), *fields, *getattr(made, "names", ())]
    yield from (re.sub("[-_]", " ", each) for each in names)
    yield from made.fields_in_words.values()


def told(document: Any, key: str = "") -> Iterator[str]:
    """Yield what a game tells of itself as data: its title, rules, parameters and strategies."""
    if isinstance(document, dict):
        for name, part in document.items():
            yield from told(part, name)
    elif isinstance(document, list):
        for part in document:
            yield from told(part, key)
    elif key in SHOWN and isinstance(document, str) and re.search("[a-zA-Z]{2}", document):
        yield document


def read(language: str) -> Catalog:
    """Return the catalogue of a language as it stands."""
    with (LOCALE / f"{language}.po").open("rb") as file:
        return read_po(file, language)


def texts(message: Any) -> list[str]:
    """Return what a text says in a catalogue, one form for each kind of number."""
    return list(message.string) if isinstance(message.string, tuple | list) else [message.string]


def places(text: str) -> set[str]:
    """Return the names in braces, which values take the place of."""
    return set(re.findall(r"\{(\w*)[^}]*\}", text))


def missing(known: Catalog) -> list[str]:
    """Return the texts of a catalogue that have no translation yet."""
    return [str(each.id) for each in known if each.id and not all(texts(each))]


def update(language: str) -> Catalog:
    """Return the catalogue of a language after it was brought up to date, and written."""
    known = read(language)
    known.update(extracted(), no_fuzzy_matching=True)
    write(language, known)
    return known


def write(language: str, known: Catalog) -> None:
    """Write the catalogue of a language, under the heading that it has."""
    path = LOCALE / f"{language}.po"
    heading = path.read_bytes().partition(b"\n\n")[0]  # Babel would put the date of today into it
    body = BytesIO()
    write_po(body, known, 96, omit_header=True, ignore_obsolete=True, include_lineno=False)
    path.write_bytes(heading + b"\n\n" + body.getvalue())


if __name__ == "__main__":
    for path in sorted(LOCALE.glob("*.po")):
        updated = update(path.stem)
        left = missing(updated)
        print(f"{path.stem}: {len(updated)} texts, {len(left)} without a translation")
        for text in left:
            print(f"  {text}", file=sys.stderr)
