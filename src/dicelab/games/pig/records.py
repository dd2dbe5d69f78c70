"""How people write Pig down, and how they play it: what `dicelab.people` asks of this game."""

from dicelab.games.pig.rules import Pig
from dicelab.games.pig.study import tracker_file
from dicelab.games.pig.study.threshold import Steady, Threshold
from dicelab.games.pig.study.tracker import Tracker, is_pig_for_two
from dicelab.games.pig.study.turn_review import TrackerReview, review_turns
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.forms import Forms, register_forms
from dicelab.people.models import own_models
from dicelab.table import compile
from dicelab.verbs.solve import on_table, solve


def _review(record: Tracker) -> TrackerReview:
    turns = turns_of(record, compile(record.game))
    return review_turns(turns, on_table(solve(turns.table)))


register_forms(
    Forms(
        tracker_file.FORMAT,
        Tracker,
        Pig,
        tracker_file.parse_tracker,
        lambda record, player, table: turns_of(record, table).evidence(player),
        _review,
        "dicelab.games.pig.study.for_the_lab",
    )
)
own_models(is_pig_for_two, threshold=Threshold, steady=Steady)
