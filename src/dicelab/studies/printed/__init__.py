"""Printed numbers: what the studies say, each with where it was read, and only here."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from dicelab.core.json_object import JsonObject


@cache
def printed(study: str) -> JsonObject:
    """Return the printed numbers of one study, as its TOML file has them."""
    text = files(__name__).joinpath(f"{study}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
