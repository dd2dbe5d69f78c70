"""What `dicelab round` says, as rows for people and plain data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.console.output import picked
from dicelab.core.csv_cells import csv_text, guarded_row
from dicelab.core.exact import fraction
from dicelab.core.json_object import JsonObject
from dicelab.errors import RulesError
from dicelab.rounds import (
    Benchmark,
    Failure,
    Round,
    RoundStrategy,
    Utility,
    cut,
    effort,
    mistakes,
    presence,
    simulate,
    solve,
)
from dicelab.rounds.goals import NOTATION, identified

LISTED = 12
"""How many mistakes or dilemmas are shown to people; --json has them all."""


def header(game: Round) -> JsonObject:
    """Return what every answer in JSON begins with."""
    return {
        "dice": game.dice,
        "faces": game.die.sides,
        "die": str(game.die),
        "casts": game.casts,
        "rule": "421" if game.keep == "aside" else "yahtzee",
    }


def number(name: str, value: Fraction) -> JsonObject:
    """Return a number as a decimal and as a fraction."""
    stem = "" if name == "value" else f"{name}_"
    return {name: float(value), f"{stem}fraction": fraction(value)}


@dataclass(frozen=True)
class Told:
    """One part of an answer."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    data: Any
    left: int = 1


def extras(game: Round, plan: RoundStrategy, ours: Utility, asked: JsonObject) -> dict[str, Told]:
    """Return what was asked for besides the value, in the order it is shown."""
    told = {}
    if asked["mistakes"]:
        told["mistakes"] = _mistakes(game, plan, ours)
    if asked["dilemmas"]:
        told["dilemmas"] = _dilemmas(game, plan, ours)
    if asked["goals"]:
        told["goals"] = _goals(game, plan, ours, asked)
    if asked["live"]:
        told["live_dice"] = _live(game, plan)
    if asked["costs"]:
        told["costs"] = _costs(game, plan, ours, asked)
    if asked["simulate"] is not None:
        told["simulation"] = _simulation(plan, ours, asked["simulate"], asked["seed"])
    return told


def _many(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _mistakes(game: Round, plan: RoundStrategy, ours: Utility) -> Told:
    found = mistakes(plan, ours)
    write = game.numbers.write
    rows, data = [], []
    for each in found:
        best = " ".join(write(kept) for kept in each.best)
        table = game.write_table(each.table)
        numbers = [f"{float(number):.6g}" for number in (each.cost, each.chance, each.loss)]
        rows.append([str(each.cast), table, write(each.kept), best, *numbers])
        told = {"cast": each.cast, "table": table, "keeps": write(each.kept)}
        told["best"] = [write(kept) for kept in each.best]
        data.append({**told, "cost": each.cost, "chance": each.chance, "loss": each.loss})
    columns = ["cast", "table", "keeps", "best", "cost", "chance", "loss"]
    title = _many(len(found), "wrong decision") + (", the most expensive first:" if found else "")
    return Told(title, columns, rows, data, 4)


def _dilemmas(game: Round, plan: RoundStrategy, ours: Utility) -> Told:
    solution = solve(game, ours, plan.player)
    found = [
        (cast, game.write_table(table), [game.numbers.write(kept) for kept in options])
        for cast in range(1, game.casts + 1)
        for table, options in solution.dilemmas(cast).items()
    ]
    rows = [[str(cast), table, " ".join(best)] for cast, table, best in found]
    data = [{"cast": cast, "table": table, "best": best} for cast, table, best in found]
    title = _many(len(data), "dilemma") + " on the way of best play" + (":" if found else "")
    return Told(title, ["cast", "table", "all best"], rows, data, 3)


def _goals(game: Round, plan: RoundStrategy, ours: Utility, asked: JsonObject) -> Told:
    """Return the goals a policy identifies, the likeliest positions first, ties among them told."""
    if not NOTATION.fullmatch(plan.name):
        raise RulesError(
            f"only policies such as h0s0 or h1s1 identify goals: got the policy {plan.name}"
        )
    found = identified(plan, ours, asked["ties"], asked["play"])
    found.sort(key=lambda each: (each.cast, -each.chance, each.aside))
    write = game.numbers.write
    rows, data = [], []
    for each in found:
        goals = [write(goal) for goal in each.goals]
        told = " ".join(goals[:TIED]) + (f" and {len(goals) - TIED} more" if goals[TIED:] else "")
        numbers = [f"{float(number):.6g}" for number in (each.promise, each.chance)]
        rows.append([str(each.cast), write(each.aside), told, *numbers])
        place = {"casts": each.cast, "aside": write(each.aside), "goals": goals}
        data.append({**place, "promise": each.promise, "chance": each.chance})
    tied = sum(len(each.goals) > 1 for each in found)
    title = f"Goals identified at {_many(len(found), 'position')}, {tied or 'none'} with a tie:"
    return Told(title, ["casts", "aside", "goal", "promises", "chance"], rows, data, left=3)


TIED = 6
"""Goals of a tie that are shown to people."""


def _live(game: Round, plan: RoundStrategy) -> Told:
    where = presence(plan)
    laws = [where.live_dice(cast) for cast in range(game.casts + 1)]
    rows = [[str(cast), *map(str, law)] for cast, law in enumerate(laws)]
    columns = ["casts", *(f"{number} left" for number in range(game.dice + 1))]
    return Told("Dice left to throw after each cast:", columns, rows, laws)


def _costs(game: Round, plan: RoundStrategy, ours: Utility, asked: JsonObject) -> Told:
    found = effort(plan.name, game, ours, plan.player, asked["ties"], asked["play"])
    data, rows = {}, []
    for name, tally in (
        ("first decision", found.first),
        ("per decision", found.per_decision),
        ("per round", found.per_round),
    ):
        data[name.replace(" ", "_")] = picked(tally, "terms comparisons")
        rows.append([name, f"{float(tally.terms):.6g}", f"{float(tally.comparisons):.6g}"])
    return Told("Operations, on average:", ["", "terms", "comparisons"], rows, data)


def _simulation(plan: RoundStrategy, ours: Utility, rounds: int, seed: int) -> Told:

    seen = simulate(plan, ours, rounds, np.random.default_rng(seed))
    title = (
        f"{rounds} rounds with seed {seed} earned {seen.mean:.6g} "
        f"with a standard error of {seen.error:.2g}"
    )
    data = {"mean": seen.mean, "error": seen.error, "rounds": rounds, "seed": seed}
    return Told(title, [], [], data)


def table_title(table: Benchmark) -> list[str]:
    """Return what stands above the table of one utility."""
    fuzzy = [player for player, is_so in table.fuzzy.items() if is_so]
    who = f"fuzzy for the {' and the '.join(fuzzy)} player" if fuzzy else "fuzzy for nobody"
    return [f"{table.utility.name}: the first player gets {cut(table.best)} at best; {who}"]


def table_rows(table: Benchmark, costs: bool) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a benchmark table, first and next player side by side."""
    rows = []
    for name in dict.fromkeys(cell.policy for cell in table.cells):
        row, counted = [name], []
        for player in table.fuzzy:
            cell = table.cell(name, player)
            shown = "-" if cell.optimality is None else cut(cell.optimality)
            row += [shown + ("*" if cell.beyond else ""), str(cell.value)]
            if costs and cell.effort:
                counted.append(f"{float(cell.effort.per_decision.operations):.4g}")
        rows.append(row + counted)
    columns = ["policy", "first", "value", "next", "value"]
    return columns + (["operations, first", "next"] if costs else []), rows


def table_data(table: Benchmark) -> JsonObject:
    """Return a benchmark table as plain data."""
    cells = []
    for cell in table.cells:
        told: JsonObject = {
            "policy": cell.policy,
            "player": cell.player,
            "value": float(cell.value),
            "fraction": str(cell.value),
            "optimality": None if cell.optimality is None else float(cell.optimality),
            "optimality_fraction": None if cell.optimality is None else str(cell.optimality),
            "printed": None if cell.optimality is None else cut(cell.optimality),
            "beyond_the_study": cell.beyond,
        }
        if cell.effort:
            told["operations_per_decision"] = float(cell.effort.per_decision.operations)
        cells.append(told)
    return {
        "utility": table.utility.name,
        "best": float(table.best),
        "best_fraction": str(table.best),
        "best_printed": cut(table.best),
        "fuzzy": dict(table.fuzzy),
        "cells": cells,
    }


def benchmark_csv(tables: Sequence[Benchmark]) -> str:
    """Return benchmark tables as CSV, one cell a row."""
    columns = ["policy", "player", "fraction", "value", "optimality", "printed"]
    rows = [
        guarded_row((table.utility.name, *(cell[column] for column in columns)))
        for table in tables
        for cell in table_data(table)["cells"]
    ]
    return csv_text([["utility", *columns], *rows])


def failure(size: tuple[int, int], found: Failure | None) -> JsonObject:
    """Return one entry of the table of failures as plain data."""
    told: JsonObject = {"dice": size[0], "faces": size[1], "casts": None}
    names = ("casts", "goals", "ratchet", "best") if found else ()
    return told | {name: getattr(found, name) for name in names}
