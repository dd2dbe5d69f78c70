"""What openings of sets bring, in a file: written whole after every stage, so a stop loses little.

The same file is a checkpoint while some openings are not done, and answers without any work once
all are. What is not done stands there as far as it was improved.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np

from dicelab.core.atomic_write import require_regular, written_whole
from dicelab.core.json_object import JsonObject
from dicelab.errors import WrongCheckpoint
from dicelab.rounds.set_values import SetValues
from dicelab.rounds.sets import InSets
from dicelab.strategies.file import header_of, mark_of_rules
from dicelab.table import memory_limit

FORMAT = "dicelab openings 1"


def save(known: SetValues, path: str | Path) -> None:
    """Write what every opening brings: as CSV if the name ends so, else compact."""
    openings, names = known.openings, known.openings.kind._fields
    about = json.dumps(_about(openings.game))
    if str(path).endswith(".csv"):
        seats = [f"value {seat + 1}" for seat in range(openings.game.players)]
        with written_whole(path) as file:
            file.write(f"# {about}\n")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["position", *seats, "error"])
            for number, (values, error) in enumerate(zip(known.values, known.errors, strict=True)):
                at = openings.game.notation(openings.position(number))
                writer.writerow([at, *values.tolist(), float(error)])
        return
    with written_whole(path, "wb") as file:
        np.savez_compressed(
            file,
            header=np.array(about),
            names=np.array(names),
            fields=openings.fields,
            values=known.values,
            errors=known.errors,
            done=known.is_done,
        )


def _about(game: InSets) -> JsonObject:
    """Return whose openings a file has."""
    told = header_of(game, FORMAT) | {"unit": game.unit}
    return told | ({"mark": mark} if (mark := mark_of_rules(game)) else {})


def load(path: str | Path, game: InSets, unfinished: bool = False) -> SetValues:
    """Return what a file says of the openings of a game; refused where it is another's."""
    start, shown = SetValues.unknown(game, memory_limit()), repr(str(path))
    try:
        require_regular(Path(path))
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            theirs, ours = json.loads(str(arrays["header"])), _about(game)
            fields, done = arrays["fields"], arrays["done"].astype(bool)
            values, errors = arrays["values"], arrays["errors"]
    except OSError as trouble:
        raise WrongCheckpoint(f"cannot read the openings in {shown}: {trouble.strerror}") from None
    except Exception:  # damaged bytes trip zlib, zipfile and NumPy in many ways
        raise WrongCheckpoint(f"{shown} is no complete file of openings") from None
    if theirs != ours:
        told = [f"{name}={value}" for name, value in theirs.get("parameters", {}).items()]
        whose = " ".join([str(theirs.get("game")), *told])
        raise WrongCheckpoint(
            f"{shown} has the openings of {whose}, by dicelab {theirs.get('dicelab')}: it cannot "
            f"answer for {game}, nor go on with it; name another file"
        )
    many = len(start.openings)
    is_whole = np.array_equal(fields, start.openings.fields) and np.isfinite(values).all()
    if not is_whole or values.shape != start.values.shape or not len(errors) == len(done) == many:
        raise WrongCheckpoint(f"{shown} is no complete file of openings: values are missing")
    if not (errors >= 0).all():
        raise WrongCheckpoint(f"{shown} is no complete file of openings: errors are below 0")
    if not (unfinished or done.all()):
        raise WrongCheckpoint(
            f"{shown} is not complete, {int((~done).sum()):,} openings are missing: go on with "
            f"`dicelab solve ... --checkpoint {Path(path).name}`"
        )
    return SetValues(start.openings, values.copy(), errors.copy(), done)
