"""dicelab reproduce: a study worked out again, its numbers beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Jobs, Json
from dicelab.console.output import check_folder, emit, progress, say, show_table, writing, wrote
from dicelab.core.json_object import JsonObject

if TYPE_CHECKING:
    from dicelab.studies.checks import Reproduction

EVERY = "all"


@app.command("reproduce")
def reproduce(
    study: Annotated[
        list[str] | None,
        typer.Argument(metavar="STUDY", help="A study; a wrong name lists them. [default: all]"),
    ] = None,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Where the reports and figures go.")
    ] = "out/reproduce",
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer games and starts: for a look, in seconds.")
    ] = False,
    only_wrong: Annotated[
        bool, typer.Option("--differences", help="Print only what differs.")
    ] = False,
    jobs: Jobs = -1,
    json: Json = False,
) -> None:
    """Work out again what a study prints, and say whether it agrees.

    Each number, claim and figure of the study stands beside ours, with the reason where they
    differ. A report with the figures is written for each study. The exit code is 1 if anything
    differs without a reason that we can show.

    JSON keys: studies, each with study, title, agree, explained, wrong, seconds, report and checks
    (section, source, claim, claimed, paper, ours, verdict, reason). Checks that are not claimed by
    the study are not counted in agree, explained and wrong.

    Examples:

        dicelab reproduce greed --quick --jobs 1

        dicelab reproduce 421 --quick --out report --differences --jobs 1 --json
    """
    from dicelab import studies as work
    from dicelab.studies.report import write_reports

    names = list(dict.fromkeys(study or [EVERY]))
    if EVERY in names:
        names = list(work.STUDIES)
    for name in names:
        work.study(name)  # refuse an unknown one before the work
    check_folder(out)
    with progress(f"reproducing {', '.join(names)}") as report:
        report(0.0)
        found = work.reproduce(names, quick, jobs, report)
    with writing(out):
        written = write_reports(found, Path(out))
    if json:
        emit({"studies": [_data(one, Path(out)) for one in found]})
    else:
        for one in found:
            _tell(one, only_wrong)
        wrote(*written)
    if not all(one.holds for one in found):
        raise typer.Exit(1)


def _tell(found: Reproduction, only_wrong: bool) -> None:
    """Print the checks of one study as a table."""
    from rich.table import Table

    from dicelab.studies.checks import AGREES, EXPLAINED
    from dicelab.studies.report import WORDS, tally

    colours = {AGREES: "green", EXPLAINED: "cyan"}
    say(f"{found.study.title} ({found.study.about})")
    for section in found.sections:
        shown = [c for c in section.checks if not only_wrong or c.verdict != AGREES]
        if not shown:
            continue
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in (section.title, "study", "ours", "agrees?"):
            table.add_column(column, overflow="fold", ratio=3 if column == section.title else 2)
        for check in shown:
            verdict = "yes" if check.verdict == AGREES else WORDS[check.verdict]
            told = verdict + (f": {check.remark}" if check.remark else "")
            paper = check.paper if check.is_claimed else "(not claimed)"
            cells = (f"{check.claim} ({check.source})", paper, check.ours, told)
            table.add_row(
                *(cell.replace("[", r"\[") for cell in cells),
                style=colours.get(check.verdict, "bold red") if check.verdict != AGREES else None,
            )
        show_table(table)
        say("")
    say(tally(found), "")


def _data(found: Reproduction, out: Path) -> JsonObject:
    """Return what `--json` says about one study."""
    from dicelab.studies.checks import AGREES, EXPLAINED, WRONG

    return {
        "study": found.study.name,
        "title": found.study.title,
        "agree": found.count(AGREES),
        "explained": found.count(EXPLAINED),
        "wrong": found.count(WRONG),
        "seconds": found.seconds,
        "report": str(out / f"{found.study.name}.html"),
        "checks": [
            {
                "section": section.title,
                "source": check.source,
                "claim": check.claim,
                "claimed": check.is_claimed,
                "paper": check.paper or None,
                "ours": check.ours,
                "verdict": check.verdict,
                "reason": check.remark or None,
            }
            for section in found.sections
            for check in section.checks
        ],
    }
