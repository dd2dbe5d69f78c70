"""What Storm and OpenSpiel say, for `check_random_games.py --peers`: questions in, answers out.

It runs in the peers' own Python and knows nothing of dicelab. It reads one JSON object: `models`
are texts in the PRISM language, `pigs` are winning scores. It prints one JSON object: what each
model's largest chance to reach "won" is, as Storm works it out in rationals, and what Pig is worth
to who starts by OpenSpiel's value iteration. What cannot be imported is left out, with the reason.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

THRESHOLD = 1e-12


def by_storm(models: list[str]) -> list[str]:
    """Return the largest chance of "won" in each model, as a rational."""
    import stormpy

    found = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "game.prism"
        for text in models:
            place.write_text(text, encoding="utf-8")
            program = stormpy.parse_prism_program(str(place))
            asked = stormpy.parse_properties('Pmax=? [F "won"]', program)
            model = exact_model(stormpy, program, asked)
            result = stormpy.model_checking(model, asked[0])
            read = result.get_value if hasattr(result, "get_value") else result.at
            found.append(str(read(model.initial_states[0])))
    return found


def exact_model(stormpy: Any, program: Any, asked: Any) -> Any:
    """Return a model in rationals, whichever way this version makes one."""
    if hasattr(stormpy, "build_sparse_exact_model"):
        return stormpy.build_sparse_exact_model(program, asked)
    kinds = [kind for (kind,) in stormpy.build_model.instantiations if kind.__name__ == "Rational"]
    return stormpy.build_model[kinds[0]](program, asked)


def by_open_spiel(scores: list[int]) -> list[float]:
    """Return the chance that who starts wins Pig to each score."""
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    found = []
    for score in scores:
        pig = pyspiel.load_game(f"pig(players=2,winscore={score},diceoutcomes=6,horizon=1000)")
        values = value_iteration.value_iteration(pig, -1, THRESHOLD, cyclic_game=True)
        found.append((values[str(pig.new_initial_state())] + 1) / 2)  # from -1..1
    return found


def main() -> None:
    """Answer what comes in."""
    asked = json.load(sys.stdin)
    answer: dict[str, Any] = {}
    for name, work, given in (
        ("storm", by_storm, asked["models"]),
        ("open_spiel", by_open_spiel, asked["pigs"]),
    ):
        try:
            answer[name] = work(given)
        except ImportError as trouble:
            answer[f"{name} is missing"] = str(trouble)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
