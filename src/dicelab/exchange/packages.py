"""Other people's packages, asked for by name when they are wanted and not before."""

from __future__ import annotations

from dicelab.errors import MissingPackage


def missing(package: str) -> MissingPackage:
    """Return the error for a package that is not installed."""
    return MissingPackage(
        f"{package} is not installed, and this export is for it: pip install {package}"
    )
