"""Drills: a position, a move, and at once what each move there is worth.

What is due comes first, then the player's own mistakes in matches that are over, then close calls.
Every position stays with the player as a card, and comes back when it is about to be forgotten.
A move that is marked best or fine is right. The clock is the page's; when it runs out, that is an
answer too, and a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, tr
from dicelab.core.worker_process import Report
from dicelab.errors import IllegalMove
from dicelab.lab import coach, narration, training
from dicelab.lab.arguments import game_of
from dicelab.lab.close_calls import close_calls
from dicelab.lab.drill_store import Answer, Card, DrillStore, new_id
from dicelab.lab.forms import DrillAnswerForm
from dicelab.lab.http_errors import NotFound
from dicelab.lab.matches import layout_of
from dicelab.lab.narration import YOU
from dicelab.lab.playing import Playing
from dicelab.lab.shared_file import written
from dicelab.lab.store import Match, Player
from dicelab.people import marks
from dicelab.rules import Game, Position
from dicelab.rules.registry import told
from dicelab.rules.sentences import OTHER_PLAYER
from dicelab.verbs.explain import per_cent
from dicelab.verbs.solution import WORSE, MoveValue, Solution

DUE, MISTAKE, CLOSE_CALL = "due", "mistake", "close call"
LOOKED_THROUGH = 20  # matches of a player that mistakes are taken from, the last ones
BATCHES = 5  # of close calls, before a player waits for what is due


class Drills:
    """Cards for players, and what they answered."""

    def __init__(self, playing: Playing) -> None:
        self.playing, self.solving = playing, playing.solving
        self.store = DrillStore(playing.store)

    def overview(self, player: Player) -> JsonObject:
        """Return how a player stands, and the games that were played or drilled."""
        at = datetime.now(UTC)
        decks = [vars(deck) for deck in self.store.decks(player.number, at)]
        return {**self._standing(player.number, at), "decks": decks}

    def next(self, player: Player, game: Game, wait: float) -> JsonObject:
        """Return the next card of a player, without its answer."""
        now = datetime.now(UTC)
        solution = self.solving.solution(game, wait)
        answered = self.store.answered(player.number, str(game))
        if answered and answered[0].due <= now:
            return self._asked(answered[0], DUE, solution)
        known = {card.position for card in answered}
        for source, position in self._positions(player, solution, wait):
            if position not in known:
                card = Card(
                    id=new_id(),
                    player=player.number,
                    game=game.name,
                    parameters=told(game),
                    title=str(game),
                    position=position,
                    source=source,
                    memory=None,
                    due=now,
                )
                return self._asked(self.store.new_card(card), source, solution)
        if not answered:
            raise NotFound(
                tr(
                    "no close calls were found in {game}: there is nothing to drill until a match "
                    "of yours has a mistake in it",
                    game=game,
                )
            )
        raise NotFound(
            tr(
                "you have answered all there is to drill in {game}: the next position comes back "
                "at {time} (UTC), and mistakes of your next match come at once",
                game=game,
                time=f"{answered[0].due:%Y-%m-%d %H:%M}",
            )
        )

    def _positions(
        self, player: Player, solution: Solution, wait: float
    ) -> Iterator[tuple[str, str]]:
        """Yield positions to be asked about, in notation, each with where it comes from."""
        game, shelf = solution.game, self.solving.shelf
        over = self.playing.store.matches(player.number, str(game), over=True)
        if over:
            last = over[: -LOOKED_THROUGH - 1 : -1]
            mistakes: list[str] = shelf.get(
                ("mistakes", player.number, str(game), len(over)),
                Later("looking for your mistakes in {game}", game=game),
                lambda report: self._mistakes(solution, last, report),
                wait,
            )
            yield from ((MISTAKE, position) for position in mistakes)
        for batch in range(BATCHES):
            found: list[str] = shelf.get(
                ("close calls", str(game), batch),
                Later("looking for close calls in {game}", game=game),
                partial(self._close_calls, solution, batch),
                wait,
            )
            yield from ((CLOSE_CALL, position) for position in found)
            if not found:
                return

    def _close_calls(self, solution: Solution, batch: int, report: Report) -> list[str]:
        """Return a batch of close calls, looked for apart."""
        return self.solving.apart(report, close_calls, solution, batch)

    def _mistakes(
        self, solution: Solution, matches: list[Match], report: Callable[[float], None]
    ) -> list[str]:
        """Return where a player made mistakes, the last match first, each position once."""
        game, stakes = solution.game, marks.at_stake(solution)
        found: dict[str, None] = {}
        for done, match in enumerate(matches):
            for row in self.playing.store.decisions(match.id):
                if row.who == YOU and row.position not in found:
                    move = solution.value_of(game.read(row.position), row.move)
                    if training.is_missed(move, stakes):
                        found[row.position] = None
            report((done + 1) / len(matches))
        return list(found)

    def _asked(self, card: Card, source: str, solution: Solution) -> JsonObject:
        """Return a card as it is asked."""
        game = solution.game
        at, names = game.read(card.position), _names(game)
        return {
            "card": card.id,
            "number": len(self.store.answers(card.id)) + 1,
            "source": source,
            "game": card.game,
            "title": card.title,
            "parameters": card.parameters,
            "unit": tr(game.unit),
            "scale": coach.scale(game),
            "sides": layout_of(game)["sides"],
            "position": {
                **narration.where(game, at, 0, names=names),
                "board": narration.board(game, at, 0, [], names),
            },
            "moves": narration.moves(game, at),
            "seconds": training.SECONDS,
            **self._standing(card.player, datetime.now(UTC)),
        }

    def answer(self, player: Player, form: DrillAnswerForm, wait: float) -> JsonObject:
        """Return the exact answer to a card, and what follows for the player, written down."""
        card = self.store.card(form.card)
        if card is None or card.player != player.number:
            raise NotFound(tr("you have no card {card}", card=repr(form.card)))
        game = game_of(card.game, card.parameters, self.solving.memory)
        solution = self.solving.solution(game, wait)
        at = game.read(card.position)
        moves = {move.move: move for move in solution.moves_at(at)}
        if form.move is not None and form.move not in moves:
            raise IllegalMove(
                tr(
                    "cannot {move} at {position}: you can {moves} here",
                    move=form.move[:60],
                    position=card.position,
                    moves=", ".join(moves),
                )
            )
        stakes = marks.at_stake(solution)
        expected = training.expected_misses(list(moves.values()), stakes)
        against = training.strength(expected, *self.store.met_by_others(card))
        advice = coach.advice(solution, at)
        kept = self.store.keep(
            Answer(
                card=card.id,
                number=form.number,
                player=player.number,
                move=form.move,
                allowed=form.allowed,
                found=form.move is not None and not training.is_missed(moves[form.move], stakes),
                rating=against.rating,
                deviation=against.deviation,
                made=datetime.now(UTC),
            )
        )
        then = self.store.card(card.id)
        assert then is not None
        # of an answer that was sent again, the move that counted
        made = None if kept.move is None else moves[kept.move]
        mark = made and marks.mark_of(float(made.cost) / stakes, made.status == WORSE)
        return {
            "card": card.id,
            "number": kept.number,
            "move": kept.move,
            "cost": None if made is None else float(made.cost),
            "found": kept.found,
            "mark": mark,
            "word": tr(marks.WORDS[mark]) if mark else tr("Too slow"),
            "sentence": _sentence(game, at, made, list(moves.values())),
            "coach": advice,
            "due": written(then.due),
            **self._standing(player.number, kept.made),
        }

    def _standing(self, player: int, at: datetime) -> JsonObject:
        """Return how a player stands: rating, how sure that is, and days in a row."""
        today = training.day_of(at)
        rating = self.store.rating(player, today)
        low, high = rating.limits
        rated, slower = self.store.rated(player)
        return {
            "rating": {
                "rating": rating.rating,
                "deviation": rating.deviation,
                "low": low,
                "high": high,
                "positions": rated,
                "slower": slower,
            },
            "streak": training.streak(self.store.days(player), today),
        }


def _names(game: Game) -> list[str]:
    """Return what the others are called, told apart at a table of three and more."""
    if game.players < 3:
        return [tr(OTHER_PLAYER)] * (game.players - 1)
    others: list[JsonObject] = [{"kind": "optimal"}] * (game.players - 1)
    return narration.names_of({"kind": narration.SEVERAL, "others": others})


def _sentence(game: Game, at: Position, made: MoveValue | None, moves: list[MoveValue]) -> str:
    """Return what there is to say about a move, or about none."""
    told = partial(game.label, narration.told_at(game, at))
    best = next(move for move in moves if move.status != WORSE)
    if made is None:
        return tr("The time ran out; best is: {best}.", best=told(best.move))
    if made.status != WORSE:
        return tr("Nothing is better than: {move}.", move=told(made.move))
    return tr(
        "{move} costs {cost}; best is: {best}.",
        move=told(made.move),
        cost=per_cent(game, made.cost),
        best=told(best.move),
    )
