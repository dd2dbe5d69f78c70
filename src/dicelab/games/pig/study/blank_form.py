"""A tracker form to print and fill in at the table, and the empty table to type it into.

The form asks what the Pig study asked: which kind of risk each player likes, and which of two
offers they would take, twice; then a row for each turn with the rolls and the points banked.
`dicelab study` reads the table once it is filled in.

>>> from dicelab.games.pig import Pig
>>> print(empty_csv(Pig(target=50)).splitlines()[1])
game,seat,player,preference,lottery_10,lottery_million,turn,rolls,banked,total
"""

from __future__ import annotations

import html

from dicelab.games.pig.rules import Pig
from dicelab.games.pig.study.tracker import PREFERENCES
from dicelab.games.pig.study.tracker_file import COLUMNS, FORMAT
from dicelab.people.record_header import header_line

TURNS = 24

STYLE = """
@page { size: A4 portrait; margin: 14mm; }
body { font: 11pt/1.35 system-ui, "DejaVu Sans", sans-serif; color: #000; max-width: 182mm;
  margin: 1rem auto; padding: 0 1rem; }
h1 { font-size: 15pt; margin: 0 0 2mm; }
.players { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm; }
.players p { margin: 1.5mm 0; }
.line { display: inline-block; min-width: 42mm; border-bottom: 1px solid #000; }
table { width: 100%; border-collapse: collapse; margin-top: 4mm; }
th, td { border: 1px solid #000; padding: 0.6mm 1.5mm; height: 6.4mm; font-weight: 400; }
thead th { background: #eee; }
td:first-child, tbody th { width: 12mm; text-align: center; }
small { display: block; margin-top: 3mm; }
@media print { body { margin: 0; padding: 0; } }
"""


def empty_csv(game: Pig) -> str:
    """Return a table with its headings and no rows, ready to be filled in."""
    return f"{header_line(FORMAT, game)}{','.join(COLUMNS)}\n"


def printable(game: Pig, turns: int = TURNS) -> str:
    """Return a page to print: two players, their answers, and a row for each turn."""
    players = "".join(_player(seat) for seat in (1, 2))
    head = "".join("<th>times rolled</th><th>banked</th><th>total</th>" for _ in range(2))
    rows = "".join(f"<tr><th>{turn}</th>{'<td></td>' * 6}</tr>" for turn in range(1, turns + 1))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Tracker form</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Tracker form: {html.escape(str(game))}</h1>\n"
        f'<p>Game <span class="line"></span></p>\n'
        f'<div class="players">{players}</div>\n'
        f'<table><thead><tr><th rowspan="2">turn</th><th colspan="3">player 1</th>'
        f'<th colspan="3">player 2</th></tr><tr>{head}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table>\n"
        "<small>Answer before the game, without showing it to the other player. A turn that busts "
        "banks 0. Player 1 starts.</small>\n</body>\n</html>\n"
    )


def _player(seat: int) -> str:
    kinds = " / ".join(PREFERENCES)
    return (
        f'<div><p><b>Player {seat}</b> <span class="line"></span></p>'
        f"<p>About risk I am (circle one): {kinds}</p>"
        "<p>I would take: a) 10 for sure, or b) 20 if a coin shows heads and else nothing</p>"
        "<p>I would take: a) a million for sure, or b) two million if a coin shows heads and else "
        "nothing</p></div>"
    )
