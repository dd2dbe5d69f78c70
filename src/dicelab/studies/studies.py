"""The studies that can be reproduced, and what each is made of."""

from __future__ import annotations

from dicelab.errors import UnknownStudy
from dicelab.rules.registry import did_you_mean
from dicelab.studies import dice_battle, four21, four21_claims, greed, pig, pig_play, pig_sizes
from dicelab.studies.checks import Part, Study

PIG = Study(
    "pig",
    "Finding the optimal strategy for the dice game Pig",
    "University of Exeter, module ECM3735, group 8",
    "docs/papers/pig.md",
    (
        Part("Positions solved by hand", pig.by_hand),
        Part("Strategy against strategy", pig.pairs),
        Part("The cycle", pig.cycle),
        Part("Optimal play", pig.optimal),
        Part("The shape of optimal play", pig.shape),
        Part("Fair tests", pig_play.fair),
        Part("The best holding point", pig_play.family),
        Part("Sizes", pig_sizes.sizes),
        Part("People", pig_sizes.people),
    ),
    (
        "Figures 3 and 5 are drawings without numbers; `dicelab form` writes a form like figure 5.",
        "Figures 7 to 14 show people's games, whose scores are not printed except for figure 6.",
    ),
)

FOUR21 = Study(
    "421",
    "Fate stochastic management and policy benchmark in 421, a popular game",
    "Pierre Albarède",
    "docs/papers/421.md",
    (
        Part("Tables 1 to 4: policies", four21.policies),
        Part("Tables 5 to 10: tokens and result probabilities", four21.charts_),
        Part("Theory", four21.theory),
        Part("Claims in words", four21_claims.claims),
        Part("Besides: wrong decisions", four21_claims.wrong_decisions),
        Part("The ratchet theorem", four21_claims.ratchet_theorem),
        Part("Errata", four21_claims.errata),
    ),
)

BATTLE = Study(
    "dice-battle",
    "Dice Battle",
    "Ariana Carnielli, project for the course MOGPL (MU4IN200), Sorbonne Université",
    "docs/papers/dice-battle.md",
    (
        Part("What a throw scores", dice_battle.throws),
        Part("The example", dice_battle.example),
        Part("Best play by turns", dice_battle.by_turns),
        Part("Besides: both at once", dice_battle.at_once),
    ),
)

GREED = Study(
    "greed",
    "A Guide to Optimal Play in Greed: Stochastic Optimization",
    "Chance Addis, Reed College, 2023",
    "docs/papers/greed.md",
    (
        Part("The law of a sum", greed.sums),
        Part("Ratings and dice", greed.rated),
        Part("Going first", greed.first_player),
        Part("The conjectures and the search", greed.conjectures),
        Part("Slips", greed.slips),
    ),
)

STUDIES = {study.name: study for study in (PIG, BATTLE, GREED, FOUR21)}


def study(name: str) -> Study:
    """Return a study by its name."""
    if name not in STUDIES:
        raise UnknownStudy(f"no study called {name!r}{did_you_mean(name, [*STUDIES, 'all'])}")
    return STUDIES[name]
