"""What the page says, in the languages the lab speaks."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from dicelab.lab.documents import REFUSALS
from dicelab.lab.languages import page_text

router = APIRouter(prefix="/api", responses=REFUSALS)


class Text(BaseModel):
    """What the page says in one language: each English text with its forms, by number."""

    language: str
    text: dict[str, list[str]]


@router.get("/text/{language}", tags=["lab"], response_model=Text)
def text(language: Literal["en", "fr"]) -> object:
    """Return what the page says in one language; English, in which it is written, needs none."""
    return {"language": language, "text": page_text(language)}
