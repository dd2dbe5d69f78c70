"""What commands say about three players and more."""

from __future__ import annotations

from dicelab.console.output import in_unit, percent, picked, say, show, show_ranking, within
from dicelab.core.json_object import JsonObject
from dicelab.rules.sentences import count
from dicelab.verbs.best_response import BestResponse
from dicelab.verbs.playback import named
from dicelab.verbs.profile_solution import Equilibrium, Profile
from dicelab.verbs.seated_tournament import SeatedTournament
from dicelab.verbs.seats import SeatedEvaluation, SeatedSimulation

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(seat: int) -> str:
    """Return which player sits there, in words: first, second, ..., 7th."""
    return ORDINALS[seat] if seat < len(ORDINALS) else f"{seat + 1}th"


def profile_lines(solution: Profile) -> list[str]:
    """Return what solving found for three players and more."""
    game = solution.game
    gets = "wins" if solution.unit == "chance to win" else "gets"
    shares = ", ".join(
        f"the {ordinal(seat)} {in_unit(solution, value)}"
        for seat, value in enumerate(solution.shares)
    )
    unit = "" if solution.unit == "chance to win" else f" {solution.unit}"
    return [
        f"{game}: where all play the strategy found, the first player {gets}"
        f"{shares.removeprefix('the first')}{unit}",
        _stable(solution),
        *(_other(solution, each) for each in solution.others),
        f"{solution.extent} in {solution.seconds:.2f} s",
    ]


def _stable(solution: Profile) -> str:
    """Return what anybody could gain by changing his strategy, in words."""
    if not solution.is_stable:
        most = f"{float(solution.temptation):.6g}"
        return (
            f"the players did not settle: in this profile somebody could gain up to {most} by "
            f"changing his own strategy, and no better one was found"
        )
    if solution.exact:
        sure = "computed in rationals"
        sure += "" if solution.temptation == 0 else f", but for {float(solution.temptation):.1g}"
    else:
        sure = f"certified {within(float(solution.temptation))}"
    lines = f"nobody gains by changing his own strategy, from any position ({sure})"
    if solution.mixing:
        lines += f"; at {count(solution.mixing, 'position')} the move is left to chance"
    if not solution.compared:
        return f"{lines}; other equilibria were not looked for"
    return lines if solution.others else f"{lines}; no other equilibrium was met"


def _other(solution: Profile, other: Equilibrium) -> str:
    values = ", ".join(in_unit(solution, value) for value in other.values)
    return (
        f"another equilibrium was met: {values}; it differs at "
        f"{count(other.apart, 'position')}, such as {other.example}"
    )


def evaluation_json(found: SeatedEvaluation) -> JsonObject:
    """Return what `--json` says about three players and more who have decided."""
    answer: JsonObject = {
        "players": list(found.names),
        "values": [float(each) for each in found.values],
        "overall": [float(each) for each in found.overall],
        "starts": [
            {
                "wins": [float(each) for each in wins],
                "draws": float(draws),
                "never_ends": float(never),
                "values": [float(each) for each in values],
            }
            for wins, draws, never, values in zip(
                found.wins, found.draws, found.never_ends, found.by_starter, strict=True
            )
        ],
        **picked(found, "error value_error unit exact seconds"),
    }
    if found.exact:
        answer["fractions"] = {
            "values": list(map(str, found.values)),
            "overall": list(map(str, found.overall)),
        }
    return answer


def _who(names: tuple[str, ...]) -> str:
    return ", ".join(f"{named(seat)} is {name}" for seat, name in enumerate(names))


def tell_evaluation(found: SeatedEvaluation) -> None:
    """Print an evaluation of three players and more for people."""
    players = range(len(found.names))
    say(f"{found.game}: {_who(found.names)}")
    columns = [f"{named(seat)} wins" for seat in players]
    columns += ["draw"] * any(found.draws) + ["never ends"] * any(found.never_ends)
    rows = []
    for starter in players:
        row = [f"{named(starter)} starts", *map(percent, found.wins[starter])]
        row += [percent(found.draws[starter])] * any(found.draws)
        row += [percent(found.never_ends[starter])] * any(found.never_ends)
        rows.append(row)
    show(["", *columns], rows)
    sure = "computed in rationals" if found.exact else f"certified {within(found.value_error)}"
    gets = ", ".join(
        f"{named(seat)} {in_unit(found, value)}" for seat, value in enumerate(found.overall)
    )
    what = "of the games" if found.unit == "chance to win" else found.unit
    say(f"when they take turns in starting they get {gets} {what} ({sure})")


def reply_json(reply: BestResponse) -> JsonObject:
    """Return what `--json` says about one who replies to all others."""
    solution = reply.solution
    by_seat = solution.by_seat(solution.game.start())  # type: ignore[attr-defined]
    return {
        "seats": [float(value) for value in by_seat],
        "overall": float(sum(by_seat) / len(by_seat)),
        "values": [float(value) for value in reply.evaluation.values],
        **picked(solution, "unit positions method"),
        "sweeps": reply.sweeps,
        "lower": float(solution.lower),
        "upper": float(solution.upper),
        "exact": solution.exact,
        "seconds": reply.seconds,
    } | ({"fractions": list(map(str, by_seat))} if solution.exact else {})


def tell_reply(reply: BestResponse) -> None:
    """Print how one fares who replies to all others."""
    solution = reply.solution
    rest = " and ".join(plan.name for plan in solution.rest)  # type: ignore[attr-defined]
    by_seat = solution.by_seat(solution.game.start())  # type: ignore[attr-defined]
    error = float(max(solution.upper - solution.value, solution.value - solution.lower))
    shares = ", ".join(
        f"{in_unit(solution, value)} as the {ordinal(seat)}" for seat, value in enumerate(by_seat)
    )
    gets = "wins" if solution.unit == "chance to win" else "gets"
    say(
        f"{solution.game}: the best reply to {rest}, who sit after it in this order,",
        f"{gets} {shares} to play (certified {within(error)})",
        f"{in_unit(solution, sum(by_seat) / len(by_seat))} when they take turns in starting",
    )


def simulation_json(found: SeatedSimulation) -> JsonObject:
    """Return what `--json` says about games of three players and more."""
    players = range(len(found.plans))
    return {
        "players": list(found.names),
        **picked(found, "games seed"),
        "wins": [found.won(seat) for seat in players],
        "values": [found.got(seat) for seat in players],
        "unit": found.table.unit,
        "ends": found.ends.tolist(),
        **picked(found, "draws never_ended mean_length seconds"),
    }


def tell_simulation(found: SeatedSimulation) -> None:
    """Print how games of three players and more went."""
    say(f"{found.game}: {_who(found.names)}; {found.games:,} games, seed {found.seed}")
    players = range(len(found.plans))
    rows = []
    for seat in players:
        won = found.won(seat)
        rows.append([named(seat), percent(won.value), f"{percent(won.low)} to {percent(won.high)}"])
    show(["", "wins", "95% interval"], rows)
    if found.table.unit != "chance to win":
        got = [found.got(seat) for seat in players]
        gets = ", ".join(
            f"{named(seat)} {each.value:.6g} ({each.low:.6g} to {each.high:.6g})"
            for seat, each in enumerate(got)
        )
        say(f"{found.table.unit} on average: {gets}")
    if found.draws or found.never_ended:
        say(f"{found.draws:,} games were drawn, {found.never_ended:,} did not end")
    say(
        f"a game that ends takes {found.mean_length:.2f} turns on average; "
        f"played in {found.seconds:.2f} s"
    )


def tournament_json(found: SeatedTournament) -> JsonObject:
    """Return what `--json` says about a tournament over tables of three and more."""
    answer = picked(found, "names best ranking share low high wins beside tables")
    return answer | {"unit": found.game.unit} | picked(found, "exact games seed seconds")


def tell_tournament(found: SeatedTournament, most: int) -> None:
    """Print a tournament over tables of three and more."""
    how = "exact" if found.exact else f"{found.games:,} games a table, seed {found.seed}"
    seats = found.game.players
    say(
        f"{found.game}: {len(found.names)} strategies at {found.tables:,} tables of {seats}, "
        f"everybody starting in turn ({how})"
    )
    show_ranking(
        found,
        ["gets", "wins"],
        lambda place: [in_unit(found.game, found.share[place]), percent(found.wins[place])],
        most,
    )
    say(f"{found.best} gets most; an even share is {in_unit(found.game, 1 / seats)}")
