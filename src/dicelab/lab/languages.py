"""The languages of the lab: which one a request speaks, and the catalogues they are read from.

The catalogues are gettext files in `locale/`, one for each language but English, which stands in
the code. The page says in which language it wants its answers (Accept-Language); a browser that
has not chosen says which ones its owner reads.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import dicelab
from dicelab.core.language import ENGLISH, Catalogue, Forms, speaking
from dicelab.lab.limits import Application, Receive, Scope, Send

LANGUAGES = {ENGLISH: "English", "fr": "Français"}
LOCALE = Path(dicelab.__file__).parent / "locale"
FIELDS = "fields"  # where texts are from that name the counters of positions
PAGE = (".js", ".html", f"/{FIELDS}")  # what the page itself says comes from these
MOST_WISHES = 20  # of a header; nobody reads more languages

_WISH = re.compile(r"\s*([a-zA-Z]{2,8})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def preferred(accepted: str) -> str:
    """Return which of our languages an Accept-Language header likes best.

    >>> preferred("de, fr-CA;q=0.8, en;q=0.5"), preferred("de"), preferred("")
    ('fr', 'en', 'en')
    """
    found = map(_WISH.fullmatch, accepted.split(",")[:MOST_WISHES])
    wishes = [(float(wish[2] or 1), wish[1].lower()) for wish in found if wish]
    known = [(liked, name) for liked, name in wishes if liked and name in LANGUAGES]
    return max(known, key=lambda wish: wish[0])[1] if known else ENGLISH


@lru_cache
def _read(language: str) -> tuple[Catalogue, dict[str, Forms]]:
    """Return the catalogue of a language, and the part of it that the page itself says."""
    from babel import Locale  # not needed by who speaks English
    from babel.messages.pofile import read_po

    locale = Locale(language)
    with (LOCALE / f"{language}.po").open("rb") as file:
        messages = read_po(file, language)
    forms: dict[str, Forms] = {}
    page: dict[str, Forms] = {}
    for each in messages:
        text = each.id if isinstance(each.id, str) else each.id[0]
        said = (each.string,) if isinstance(each.string, str) else tuple(each.string or ())
        if text and said and all(said):  # the first entry is about the file itself
            forms[text] = said
            if any(place.endswith(PAGE) for place, _ in each.locations):
                page[text] = said
    signs = locale.number_symbols["latn"]
    percent = locale.percent_formats[None].suffix[0]
    marks = {".": signs["decimal"], ",": signs["group"], "%": percent}
    plural = locale.plural_form
    return Catalogue(language, forms, lambda number: plural(number) != "one", marks), page


def catalogue(language: str) -> Catalogue | None:
    """Return the catalogue of a language; English needs none."""
    return None if language == ENGLISH else _read(language)[0]


def page_text(language: str) -> dict[str, Forms]:
    """Return what the page says, in one language: English to the forms of a translation."""
    return {} if language == ENGLISH else _read(language)[1]


class Languages:
    """The layer that lets everything below it speak the language of who asks."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its language."""
        wished = (value for name, value in scope.get("headers", ()) if name == b"accept-language")
        accepted = next(wished, b"").decode("latin-1")
        with speaking(catalogue(preferred(accepted))):
            await self.app(scope, receive, send)
