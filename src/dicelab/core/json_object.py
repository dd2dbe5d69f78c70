"""The type of a JSON object: what the pages of the lab and files for other programs are made of."""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]
"""Names and plain values: numbers, texts, lists, objects again."""
