"""What the lab refuses: each is one sentence, and knows the status it is answered with."""

from __future__ import annotations

from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError


class Refused(DicelabError):
    """The one who asks may not."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class NotFound(DicelabError):
    """There is nothing of that name here."""

    status = 404


class Busy(DicelabError):
    """Too much is being worked out already."""

    status = 503


class MovedOn(DicelabError):
    """The match stands elsewhere than the player thought."""

    status = 409

    def __init__(self, message: str, document: JsonObject) -> None:
        super().__init__(message)
        self.document = document
