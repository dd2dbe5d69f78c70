"""Every study: each check has a verdict, none is wrong, and what differs says why.

The numbers come from the studies themselves, as `dicelab/studies/printed` has them.
"""

from dataclasses import replace

import pytest

from dicelab.errors import UnknownStudy
from dicelab.studies import STUDIES, reproduce, study
from dicelab.studies.checks import AGREES, EXPLAINED

COUNTS = {  # how many numbers the study prints there
    "Tables 1 to 4: policies": ("table", 36),
    "Tables 5 to 10: tokens and result probabilities": ("table", 6 + 130 + 1),
    "Strategy against strategy": ("figure 17", 30),
}
PARTS = [(name, place) for name, one in STUDIES.items() for place in range(len(one.parts))]


@pytest.mark.usefixtures("studies_worked_out_once")
@pytest.mark.parametrize(
    ("name", "place"), PARTS, ids=[f"{n}: {STUDIES[n].parts[p].title}" for n, p in PARTS]
)
def test_every_check_agrees_or_is_explained(name, place):
    part = STUDIES[name].parts[place]
    section = part.work(True)
    assert section.title == part.title
    assert section.checks or section.figures
    for check in section.checks:
        assert check.verdict in (AGREES, EXPLAINED), (check, check.remark)
        assert check.source, check
        assert check.claim, check
        assert check.paper, check
        assert check.ours, check
        assert (check.verdict == EXPLAINED) == bool(check.remark), check
    source, count = COUNTS.get(part.title, ("", len(section.checks)))
    assert sum(check.source.startswith(source) for check in section.checks) == count
    for figure in section.figures:
        assert figure.svg.startswith(b"<?xml")
        assert figure.png.startswith(b"\x89PNG")
        assert figure.command.startswith(f"dicelab plot {name} ")


def test_a_study_is_worked_out_part_by_part(monkeypatch):
    small = replace(STUDIES["421"], parts=STUDIES["421"].parts[2:4])
    monkeypatch.setitem(STUDIES, "421", small)
    seen = []
    (found,) = reproduce(["421"], quick=True, jobs=1, progress=seen.append)
    assert seen == [0.5, 1.0]
    assert [section.title for section in found.sections] == ["Theory", "Claims in words"]
    assert found.count(AGREES) + found.count(EXPLAINED) == len(found.checks)
    assert found.holds


def test_an_unknown_study_is_refused():
    with pytest.raises(UnknownStudy) as refused:
        study("pgi")
    assert str(refused.value) == "no study called 'pgi'; did you mean 'pig'?"
    with pytest.raises(UnknownStudy) as refused:
        study("chess")
    assert str(refused.value) == (
        "no study called 'chess'; there is 421, all, dice-battle, greed, pig"
    )
