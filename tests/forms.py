"""Every registered game in forms small enough to look at every position.

A new game is found by itself, with its default parameters if that is cheap. Give it a few small
forms here as well, so that each of its options is tried.
"""

from dicelab import Die, all_games, game

SMALL = {
    "pig": [
        {"target": 10},
        {"target": 8, "die": Die({1: "1/2", 2: "1/3", 5: "1/6"}), "passing": True},
        {"target": 14, "die": Die(4), "bust": 3, "dice": 2},
    ],
    "piglet": [{"target": 3}, {"target": 6, "passing": True}],
    "two-dice-pig": [{"target": 11}, {"target": 15, "die": Die({1: "9/10", 6: "1/10"})}],
    "big-pig": [{"target": 13}],
    "dice-battle": [
        {"dice": 3, "target": 7},
        {"dice": 2, "target": 6, "variant": "zero"},
        {"dice": 3, "target": 5, "die": Die({1: "1/2", 2: "1/3", 4: "1/6"}), "variant": "zero"},
    ],
    "farkle": [
        {"dice": 2, "target": 200},
        {"dice": 3, "target": 150, "scoring": "patch,pairs:0", "entry": 100, "minimum": 50},
        {"dice": 1, "target": 150, "three_farkles": 50, "floor": -50},
        {"dice": 2, "target": 200, "die": Die({1: "1/2", 3: "1/3", 5: "1/6"}), "hot_dice": False},
    ],
    "greed": [
        {"max": 6, "die": Die(4)},
        {"max": 5, "die": Die({1: "1/2", 3: "1/2"})},
        {"max": 9, "die": Die(2)},
    ],
    "undercut": [{"most": 3, "target": 5}, {"most": 4, "target": 4}],
    "bonus-fists": [{"target": 2, "die": Die(2)}, {"target": 3, "die": Die({1: "1/2", 3: "1/2"})}],
    "pig-at-once": [{"target": 5}, {"target": 4, "die": Die({1: "1/2", 2: "1/3", 3: "1/6"})}],
    "dice-blotto": [{"dice": 3, "fields": 2, "die": Die(3)}, {"dice": 2, "fields": 3}],
    "hog": [
        {"dice": 3, "target": 9},
        {"dice": 2, "target": 13, "zero": "boar-brawl", "swine_swap": True},
        {"dice": 3, "target": 12, "die": Die({1: "1/2", 2: "1/3", 4: "1/6"}), "zero": "pig-tail"},
    ],
    "shut-the-box": [
        {"tiles": 5, "die": Die(4)},
        {"tiles": 5, "die": Die({1: "1/2", 2: "1/3", 4: "1/6"}), "score": "digits", "players": 2},
        {"tiles": 4, "die": Die(3), "one_die": "must", "players": 2},
        {"tiles": 6, "die": Die(3), "one_die": "always", "score": "shut", "dice": 3},
    ],
    "ur": [{"pieces": 1}, {"rules": "blitz", "pieces": 1}, {"rules": "masters", "pieces": 1}],
    "bear-off": [
        {"chequers": 2, "points": 4, "die": Die(4)},
        {"players": 1, "chequers": 3, "points": 5},
        {
            "chequers": 3,
            "points": 2,
            "die": Die({1: "1/2", 2: "1/3", 4: "1/6"}),
            "layout": "1,1/0,2",
        },
    ],
    "cant-stop": [
        {"sides": 2, "shortest": 1},
        {"sides": 2, "shortest": 1, "columns": 2, "players": 2},
        {"sides": 3, "shortest": 1, "columns": 1, "markers": 2},
    ],
    "421": [
        {"tokens": 2, "die": Die(4), "casts": 2},
        {"tokens": 2, "die": Die(4), "casts": 1, "starts": "winner", "short": "highest"},
        {
            "tokens": 1,
            "die": Die({1: "1/2", 2: "1/4", 3: "1/8", 4: "1/8"}),
            "casts": 2,
            "starts": "alternate",
            "short": "void",
        },
        {"tokens": 3, "die": Die(4), "casts": 1, "starts": "fixed"},
    ],
    "421-round": [
        {"dice": 2, "die": Die(3), "utility": "sum"},
        {"dice": 3, "die": Die(4), "casts": 2, "player": "next", "utility": "goal:421"},
        {"dice": 2, "die": Die({1: "1/2", 2: "1/3", 5: "1/6"}), "utility": "goal:11*2+52"},
    ],
    "yahtzee": [
        {"dice": 2, "casts": 2, "only": "aces+chance", "enough": 2, "bonus": 5},
        {"dice": 2, "casts": 2, "only": "sixes+yahtzee+full-house", "enough": 12, "joker": "free"},
        {"dice": 2, "casts": 2, "only": "twos+yahtzee+full-house", "enough": 4},
    ],
    "kniffel": [{"dice": 2, "casts": 2, "only": "aces+kniffel", "enough": 2}],
    "maxi-yatzy": [{"dice": 2, "casts": 2, "only": "twos+one-pair", "enough": 4}],
    "yatzy": [{"dice": 2, "casts": 3, "only": "twos+one-pair", "enough": 4}],
    "yahtzee-round": [
        {"dice": 3, "die": Die(3), "casts": 2},
        {"dice": 2, "die": Die(6), "utility": "goal:66", "player": "next"},
    ],
    "solo-pig": [{"target": 20}, {"target": 14, "turns": 4}, {"target": 9, "passing": True}],
}
"""Parameters that make a game small enough to look at every position."""

CHEAP = 1_000
"""Positions up to which the default parameters are tried too."""


def forms() -> list:
    """Every registered game in every small form."""
    made = []
    for name, kind in all_games().items():
        plain = kind()
        given = [game(name, **parameters) for parameters in SMALL.get(name, [])]
        cheap = (plain.size() or CHEAP + 1) <= CHEAP
        made += ([plain] if cheap or not given else []) + given
    return made


FORMS = forms()
