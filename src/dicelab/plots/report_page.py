"""A report as one page with everything inside: no network, no script, for any width of screen."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

from dicelab.plots import report_figures as figures
from dicelab.plots.page import Page, as_text, rounded_up, told, whole_page
from dicelab.plots.style import house_style
from dicelab.rules import Game
from dicelab.rules.game import written
from dicelab.verbs.numbers import Number
from dicelab.verbs.playback import named
from dicelab.verbs.report import Report
from dicelab.verbs.report_sections import Refused

SOURCES = {
    "zare": "D. Zare, Hedging Toward Skill, GammonVillage 2000 (final - initial = luck + skill)",
    "cloud": "A. Cloud, E. Laber, Variance decompositions for extensive-form games, 2020, "
    "arXiv 2009.04834",
    "dreef": "M. Dreef, P. Borm, B. van der Genugten, Measuring skill in games: several approaches "
    "discussed, Mathematical Methods of Operations Research 59, 2004",
    "duersch": "P. Duersch, M. Lambrecht, J. Oechssler, Measuring skill and chance in games, "
    "European Economic Review 127, 2020 (the spread of ratings of people)",
    "jaffe": "A. Jaffe, A. Miller, E. Andersen, Y. Liu, A. Karlin, Z. Popovic, Evaluating "
    "Competitive Game Balance with Restricted Play, AIIDE 2012",
}


def report_page(report: Report, command: str) -> str:
    """Return the page of a report, with the command that makes it."""
    page = Page()
    with house_style():
        for write in (
            _rules,
            _value,
            _length,
            _endings,
            _skill,
            _restricted,
            _lead,
            _moves,
            _turning,
            _thumb,
            _changes,
        ):
            write(page, report)
    head = [
        f"<header><h1>{as_text(report.game.headline)}</h1>",
        f'<p class="about"><code>{as_text(str(report.game))}</code></p>',
        _tiles(report),
        "<nav>"
        + "".join(f'<a href="#{key}">{as_text(title)}</a>' for key, title in page.links)
        + "</nav></header>",
    ]
    tail = [
        "<footer><h2>Sources</h2><ul>",
        *(f"<li>{as_text(each)}</li>" for each in SOURCES.values()),
        "</ul>",
        f'<p class="small">Made by: <code>{as_text(command)}</code>, in {report.seconds:.0f} s. '
        "Every number is exact, or within the bound that stands beside it; curves are drawn from "
        "floats."
        "</p></footer>",
    ]
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    return whole_page(f"{report.game}: report", style, "\n".join([*head, *page.sections(), *tail]))


def _advantage(advantage: Number) -> str:
    """Return which seat is worth more, and by how much."""
    if not advantage.known:
        sure = "" if advantage.error == 0 else ", as far as floats can tell"
        return f"Going first and going second are worth the same{sure}."
    seats = ("first", "second") if advantage.known > 0 else ("second", "first")
    more = told(replace(advantage, value=abs(advantage.known)), True)
    return f"Going {seats[0]} is worth {more} more than going {seats[1]}."


def _unit(report: Report) -> str:
    return "" if report.unit == "chance to win" else f" {report.unit}"


def _tiles(report: Report) -> str:
    """Return the numbers that tell most, large."""
    tiles: list[tuple[str, str]] = []
    if not isinstance(report.worth, Refused):
        worth = report.worth
        tiles.append((told(worth.value), "the first player gets" if worth.seats else report.unit))
        if worth.advantage is not None:
            tiles.append((told(worth.advantage), "advantage of going first"))
        elif worth.spread is not None:
            tiles.append((told(worth.spread), "between the best seat and the worst"))
    if not isinstance(report.length, Refused):
        tiles.append((told(report.length.turns), "turns on average"))
    if not isinstance(report.skill, Refused) and not isinstance(report.skill.spread, Refused):
        spread = report.skill.spread
        share = 100 * (spread.share(spread.by_play).value or 0.0)
        tiles.append((f"{share:.1f}%", "of the spread of results is play"))
    if not isinstance(report.lead, Refused) and report.lead.changes is not None:
        tiles.append((f"{report.lead.changes.value:.2f}", "changes of the lead"))
    inside = "".join(
        f'<div class="tile"><b>{as_text(number)}</b><span>{as_text(what)}</span></div>'
        for number, what in tiles
    )
    return f'<div class="tiles">{inside}</div>'


# The sections


def kind_of(game: Game) -> str:
    """Return in words what kind of game it is."""
    who = {1: "for one player", 2: "for two players"}.get(
        game.players, f"for {game.players} players"
    )
    how = ", who choose at once" if game.is_simultaneous else ""
    return f"A game {who}{how}."


def _in_short(game: Game) -> str:
    """Return the rules in a few sentences: the game's own, or the first lines of its docstring."""
    plain = game.unaimed
    written_there = (inspect.getdoc(type(plain)) or "").partition("\n\n")[0]
    return plain.in_short or " ".join(written_there.split())


def _rules(page: Page, report: Report) -> None:
    size = page.section("rules", "Rules and size", report.size)
    if size is None:
        return
    game = report.game
    page.say(_in_short(game), kind_of(game))
    given = game.unaimed.parameters
    if given:
        page.table(
            ["parameter", "value"], [[name, written(value)] for name, value in given.items()], 2
        )
    counted = "" if size.is_counted else "about "
    more = ""
    if size.moves is not None:
        more = f", with {size.moves:,} moves and {size.outcomes:,} outcomes over all of them"
    page.say(f"It has {counted}{size.positions:,} positions{more}.")
    if size.visited is not None:
        page.say(f"Best play comes to {size.visited:,} of them.")
    if size.component and size.component > 1:
        page.say(
            f"Play may go round in circles: up to {size.component:,} positions can all reach "
            f"one another."
        )
    page.figure(figures.size_figure(size), "How many positions leave how many moves.")


def _value(page: Page, report: Report) -> None:
    worth = page.section("value", "What it is worth, and is it fair", report.worth)
    if worth is None:
        return
    game = report.game
    if game.players == 1:
        page.say(f"Best play brings {told(worth.value, True)}{_unit(report)}.")
    elif game.players == 2:
        page.say(
            "With best play by both, the first player gets "
            f"{told(worth.value, True)}{_unit(report)}."
        )
        if worth.advantage is not None:
            page.say(_advantage(worth.advantage))
        elif game.is_simultaneous:
            page.say("Both choose at once: nobody goes first.")
    else:
        page.say(
            "Best play by all here is a strategy that all share and that nobody gains by leaving: "
            f"changing his own, from any position, gains a player at most {worth.temptation:.1e}. "
            "Other such strategies may share the game out differently."
        )
    if worth.seats and game.players > 2:
        rows = [
            [f"{seat + 1}", named(seat), told(each, True)] for seat, each in enumerate(worth.seats)
        ]
        page.table(["seat", "player", report.unit], rows, 2)
        page.say(
            f"The best seat gets {told(worth.spread, True)} more than the worst: 0 would be fair. "
            f"An even share is {told(_even(worth.seats))}."
        )
    page.figure(
        figures.seats_figure(worth, report.unit), "What each seat gets; dashed: an even share."
    )
    page.figure(figures.points_figure(worth, report.unit), "How likely each number of points is.")
    page.figure(
        figures.value_map(report),
        "What positions are worth to who is about to move, and the best move there, over two "
        "fields; the others are as at the start.",
    )


def _even(seats: Sequence[Number]) -> Number:
    total = sum(each.value or 0.0 for each in seats)
    return Number(total / len(seats), seats[0].error, seats[0].unit)


def _length(page: Page, report: Report) -> None:
    length = page.section("length", "How long it lasts", report.length)
    if length is None:
        return
    if math.isfinite(length.turns.value or 0.0):
        page.say(f"When all play best, a game takes {told(length.turns, True)} turns on average.")
    else:
        page.say("When all play best, a game may go on for ever: it has no length on average.")
    rows = [
        [what, told(each, True)]
        for what, each in (("moves", length.moves), ("throws", length.throws))
        if each
    ]
    page.table(["on average", "in a game"], rows) if rows else None
    turns = {share: turn for share, turn in length.quantiles.items() if turn is not None}
    if len(turns) > 1:
        page.table(
            ["of 100 games", "are over by turn"],
            [[f"{share}", f"{turn}"] for share, turn in turns.items()],
        )
    page.figure(figures.length_figure(length), "In which turn games end.")


def _endings(page: Page, report: Report) -> None:
    ends = page.section("endings", "Draws, and games that never end", report.endings)
    if ends is None:
        return
    game = report.game
    rows = []
    if game.players > 1:
        rows = [[f"{named(seat)} wins", told(each, True)] for seat, each in enumerate(ends.wins)]
    elif ends.wins:
        rows = [["makes it", told(ends.wins[0], True)]]
    rows.append(["draw", told(ends.draws, True) if game.players > 1 else "played alone: no draws"])
    rows.append(["never ends", told(ends.never_ends, True)])
    page.table(["with best play, the first player beginning", "chance"], rows)
    page.figure(figures.endings_figure(ends), "How games of best play end.")


def _skill(page: Page, report: Report) -> None:
    skill = page.section("skill", "How much is skill", report.skill)
    if skill is None:
        return
    game = report.game
    among = "each among others who play best, seats rotated"
    whom = {1: "what each brings", 2: "each against best play, both seats"}.get(game.players, among)
    page.say(f"The ladder, from random play to the optimum: {whom}.")
    rows = [
        [rung.name, told(rung.value), told(rung.wins), told(rung.mistakes), told(rung.each)]
        for rung in reversed(skill.ladder.rungs)
    ]
    page.table(["strategy", report.unit, "wins", "mistakes in a game", "cost of one"], rows)
    worst = max((rung.value.error or 0.0 for rung in skill.ladder.rungs), default=0.0)
    if worst:
        page.aside(f"What each gets is within {rounded_up(worst)}.")
    page.figure(figures.ladder_figure(skill.ladder, report.unit), "The ladder.")
    if skill.ladder.left_out:
        page.aside(
            f"Left out: {'; '.join(f'{name} ({why})' for name, why in skill.ladder.left_out)}."
        )
    if skill.mistake is not None and skill.mistake.refused:
        page.say(f"What a wrong move costs on average cannot be had: {skill.mistake.refused}.")
    elif skill.decisions is not None and skill.mistake is not None:
        page.say(
            f"A game of best play has {told(skill.decisions, True)} decisions that can go wrong, "
            f"and a wrong move costs {told(skill.mistake, True)}{_unit(report)} on average, each "
            "wrong move as likely as the others."
        )
    if isinstance(skill.spread, Refused):
        page.say(f"What spreads the results cannot be had: {skill.spread.sentence}.")
        return
    spread = skill.spread
    opposite = {
        "drawn as well": "the opponent is drawn as well, and a coin says who starts",
        "best play": "the others play best, and the seat is drawn",
        "nobody": "nobody sits opposite",
    }[spread.opponents]
    page.say(
        f"What spreads the results? Let a player be drawn from {', '.join(spread.drawn)}, each as "
        f"likely; {opposite}. The variance of the result falls apart exactly: the variance of the "
        "mean over who plays is play, that over who starts is the seat, the rest is chance (the "
        "law of total variance; Cloud and Laber 2020). Another circle of players has other shares."
    )
    parts = (("play", spread.by_play), ("who starts", spread.by_seat), ("chance", spread.by_chance))
    page.table(
        ["explained by", "share", "variance"],
        [[name, told(spread.share(each), True), told(each)] for name, each in parts],
    )
    page.figure(figures.spread_figure(spread), "What spreads the results.")


def _restricted(page: Page, report: Report) -> None:
    players = page.section("restricted", "Restricted players", report.restricted)
    if players is None:
        return
    page.say(
        "Each plays as well as he can but for one thing, against best play; the cost is what best "
        "play gets more (Jaffe and others 2012)."
    )
    shown = [one for one in players if one.cost is not None]
    if shown:
        rows = [[one.name, told(one.value), told(one.cost, True)] for one in shown]
        page.table(["player", "gets", "costs"], rows)
    page.explained(
        (one.name, one.about if one.cost is not None else f"not in this game: {one.refused}")
        for one in players
    )
    page.figure(figures.restricted_figure(players, report.unit), "What each restriction costs.")


def _lead(page: Page, report: Report) -> None:
    lead = page.section("lead", "Changes of the lead, and when it is decided", report.lead)
    if lead is None:
        return
    if lead.changes is None:
        page.say("Played alone, nobody leads.")
    else:
        page.say(
            f"The lead (who can expect the most, when all play best from there) changes "
            f"{told(lead.changes, True)} times in a game on average."
        )
    page.say(
        f"Half of what spreads the results has come about by {lead.step} {lead.half_settled} "
        f"(the variance of the result is {told(lead.variance, True)}, the sum of the variances of "
        f"its throws)."
    )
    if lead.decided:
        who = "somebody can expect" if report.game.players > 1 else "one end has a chance of"
        rows = [
            [f"{100 * share:.0f}%", told(turns, True), told(upsets)]
            for share, (turns, upsets) in lead.decided.items()
        ]
        page.table([f"until {who}", "turns on average", "comes otherwise after all"], rows)
    elif report.game.players > 1:
        page.say(
            "It is played for points: how much of the spread is settled tells when it is decided."
        )
    chances = bool(lead.decided)
    page.figure(
        figures.lead_figure(lead, report.game.players, chances),
        f"How a game is decided, {lead.step} by {lead.step}.",
    )


def _moves(page: Page, report: Report) -> None:
    moves = page.section("moves", "Moves that are never best", report.moves)
    if moves is None:
        return
    if not moves:
        page.say("There is no position with more than one move.")
        return
    never = [one.move for one in moves if one.is_never_best]
    if never:
        more = f" and {len(never) - 12} more" if len(never) > 12 else ""
        page.say(f"Never best, wherever there is a choice: {', '.join(never[:12])}{more}.")
    else:
        page.say("Every move is best somewhere.")
    rows = [
        [one.move, f"{one.allowed:,}", f"{one.best:,}", f"{one.only:,}", f"{one.played:.4g}"]
        for one in moves[:20]
    ]
    page.table(["move", "positions", "best at", "alone best at", "played in a game"], rows)
    page.figure(
        figures.moves_figure(moves),
        "Where each move is best, of all positions where there is a choice.",
    )


def _turning(page: Page, report: Report) -> None:
    points = page.section("turning", "Where the choice matters most", report.turning)
    if points is None:
        return
    if not points:
        page.say(
            "Nowhere: no position that best play comes to has a next best move that costs anything."
        )
        return
    page.say(
        "By what it would cost in a game to make the next best move there: how often best play "
        "comes there, times its cost."
    )
    rows = [
        [
            one.position,
            one.best,
            one.next_best,
            f"{one.visits:.4g}",
            told(Number(one.cost, one.error, report.unit)),
            told(Number(one.per_game, None, report.unit)),
        ]
        for one in points
    ]
    page.table(
        ["position", "best", "next best", "visits in a game", "costs there", "costs in a game"],
        rows,
        3,
    )
    page.figure(
        figures.turning_figure(points, report.unit), "What the next best move would cost in a game."
    )


def _thumb(page: Page, report: Report) -> None:
    card = page.section("rules-of-thumb", "The best rules of thumb", report.card)
    if card is None:
        return
    whom = f" against {', '.join(card.against)}" if card.against else ""
    page.say(
        f"The first clause that fits is played; costs are exact evaluations{whom}, seats taken in "
        "turn."
    )
    page.explained(
        (
            f"{one.size} number{'' if one.size == 1 else 's'}",
            f"{one.rule} (costs {told(Number(one.cost, one.error, card.unit), True)}; {one.proof})",
        )
        for one in card.rules
    )
    page.aside(f"{card.tried:,} ways to play were worked out; dicelab distil looks for more.")
    page.figure(figures.rules_figure(card), "What one more number to remember buys.")


def _changes(page: Page, report: Report) -> None:
    changes = page.section("changes", "What one step in each parameter would do", report.changes)
    if changes is None:
        return
    now = report.now
    done = [one for one in changes if one.numbers]
    if not done:
        page.say("It has no parameter that can be changed by a step.")
        return
    names = list(now)
    rows = [
        [
            f"{one.parameter} {one.before} to {one.after}",
            *(told(one.numbers.get(name)) for name in names),
        ]
        for one in done
    ]
    page.table(["change", *names], [["as it is", *(told(now[name]) for name in names)], *rows])
    refused = [f"{one.parameter}={one.after}: {one.refused}" for one in changes if one.refused]
    if refused:
        page.aside(f"Not worked out: {'; '.join(refused)}.")
    main = "advantage" if "advantage" in now else "value"
    page.figure(
        figures.changes_figure(changes, now, main, report.unit),
        f"By how much one step changes the {main}.",
    )
    page.figure(
        figures.changes_figure(changes, now, "length", "turns"),
        "By how much one step changes the length.",
    )
