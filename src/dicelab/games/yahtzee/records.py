"""How people write a scorecard down: what `dicelab.people` asks of this family."""

from __future__ import annotations

from typing import NoReturn

from dicelab.errors import RecordError
from dicelab.games.yahtzee.rules import Yahtzee
from dicelab.people.card_record import FORMAT, CardRecord, parse_rounds, review_rounds
from dicelab.people.forms import Forms, register_forms
from dicelab.table import Table


def _no_models(record: CardRecord, player: str | None, table: Table) -> NoReturn:
    raise RecordError(
        f"a record of {record.game} in rounds can be reviewed, and no model of a person be fitted "
        f"to it: fit takes records of decisions"
    )


register_forms(Forms(FORMAT, CardRecord, Yahtzee, parse_rounds, _no_models, review_rounds, ""))
