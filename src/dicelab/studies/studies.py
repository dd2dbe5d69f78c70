"""The studies that can be reproduced, and what each is made of."""

from __future__ import annotations

from dicelab.errors import UnknownStudy
from dicelab.rules.registry import did_you_mean
from dicelab.studies import dice_battle, four21, four21_claims, greed, pig, pig_play, pig_sizes
from dicelab.studies.checks import Study

PIG = Study(
    "pig",
    "Finding the optimal strategy for the dice game Pig",
    "University of Exeter, module ECM3735, group 8",
    "docs/papers/pig.md",
    (
        pig.by_hand,
        pig.pairs,
        pig.cycle,
        pig.optimal,
        pig.shape,
        pig_play.fair,
        pig_play.family,
        pig_sizes.sizes,
        pig_sizes.people,
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
        four21.policies,
        four21.charts_,
        four21.theory,
        four21_claims.claims,
        four21_claims.wrong_decisions,
        four21_claims.ratchet_theorem,
        four21_claims.errata,
    ),
)

BATTLE = Study(
    "dice-battle",
    "Dice Battle",
    "Ariana Carnielli, project for the course MOGPL (MU4IN200), Sorbonne Université",
    "docs/papers/dice-battle.md",
    (dice_battle.throws, dice_battle.example, dice_battle.by_turns, dice_battle.at_once),
)

GREED = Study(
    "greed",
    "A Guide to Optimal Play in Greed: Stochastic Optimization",
    "Chance Addis, Reed College, 2023",
    "docs/papers/greed.md",
    (greed.sums, greed.rated, greed.first_player, greed.conjectures, greed.slips),
)

STUDIES = {study.name: study for study in (PIG, BATTLE, GREED, FOUR21)}


def study(name: str) -> Study:
    """Return a study by its name."""
    if name not in STUDIES:
        raise UnknownStudy(f"no study called {name!r}{did_you_mean(name, [*STUDIES, 'all'])}")
    return STUDIES[name]
