"""On a phone: moves in reach of the thumb, the coach in a line, many numbers by a stepper."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import begin, match, move_on, pick, serious_faults, settled, start, visit

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HIDDEN = (
    "all => all.filter(node => { const box = node.getBoundingClientRect();"
    " const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
    " return node !== over && !node.contains(over) }).map(node => node.textContent)"
)


OUT_OF_SIGHT = """() => {
  const box = (node) => node.getBoundingClientRect();
  const line = box(document.querySelector('.fold'));
  const bar = box(document.querySelector('.actions-place'));
  const over = document.elementFromPoint(line.x + 40, line.y + line.height / 2);
  const dice = [...document.querySelectorAll('.dice-place .die')].map(box);
  return [
    ...dice.filter((die) => die.top < 0 || die.bottom > line.top)
      .map((die) => `a die from ${die.top} to ${die.bottom}`),
    ...(line.bottom <= bar.top && over?.closest('.fold') ? [] : [`the coach at ${line.top}`]),
    ...(bar.height < 0.34 * innerHeight ? [] : [`moves from ${bar.top} on`]),
    ...(dice.length ? [] : ['no dice']),
  ];
}"""
RANDOM = {"opponent": {"kind": "strategy", "name": "random"}, "starts": "me"}
THROWN: dict[str, dict[str, Any]] = {
    "421": RANDOM,
    "bear-off": RANDOM,
    "shut-the-box": {"opponent": {"kind": "nobody"}},
    "ur": RANDOM,
    "yahtzee": {"opponent": {"kind": "nobody"}},
    "greed": {"opponent": {"kind": "optimal"}, "starts": "me"},
}


def out_of_reach(page: Page) -> list[str]:
    """Return the moves that something lies over, or that are out of sight."""
    hidden: list[str] = page.locator(".actions-place button").evaluate_all(HIDDEN)
    return hidden


def test_moves_stay_above_the_tabs_and_the_coach_is_a_line_that_opens(open_page: Any) -> None:
    page = open_page("/play", **PHONE)
    start(page, "pig", opponent="strategy hold-at:20", starts="me", coach="on", target=60)
    pick(page, "roll")
    fold, advice = page.locator(".fold"), page.locator("[data-advice]")
    expect(fold).to_be_visible()
    expect(advice).to_be_hidden()
    assert out_of_reach(page) == []
    told = match(page)["coach"]
    page.wait_for_selector(".chances[data-against]", state="attached")
    expect(fold).to_contain_text(f"{told['share']:.1%}{told['sentence']}")  # costs are of that
    fold.click()
    expect(advice).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert out_of_reach(page) == []
    bottom = page.locator(".actions-place").evaluate("it => it.getBoundingClientRect().bottom")
    tabs = page.locator(".tabs").evaluate("it => it.getBoundingClientRect().top")
    assert bottom == pytest.approx(tabs, abs=1)
    log = page.locator(".log").evaluate("it => it.getBoundingClientRect().bottom")
    assert log < page.locator(".actions-place").evaluate("it => it.getBoundingClientRect().top")
    assert serious_faults(page) == []
    page.reload()  # it stays as it was left
    settled(page)
    expect(advice).to_be_visible()


def test_a_warning_opens_the_line_of_the_coach(open_page: Any) -> None:
    page = open_page("/play", **PHONE)
    start(page, "pig", opponent="optimal", starts="me", coach="warn", warn_at="0.01", target=10)
    while settled(page) == "you" and not match(page)["position"]["fields"]["at_risk"]:
        pick(page, "roll")
    page.locator(".actions-place [data-move='hold']").click()
    think = page.get_by_role("button", name="Think again")
    expect(think).to_be_in_viewport()
    assert think.evaluate_all(HIDDEN) == []
    think.click()
    expect(think).to_have_count(0)


def test_a_number_among_many_is_stepped_to_from_a_sensible_one(open_page: Any) -> None:
    page = open_page("/play", **PHONE)
    # Room for 100 and dice of 3.5 with a variance of 35/12: 26 dice have 91 and 8.7 to spare, 27
    # have 94.5 and 8.9, which is too much.
    document = start(page, "greed", opponent="optimal", starts="me", coach="off")
    number, throw = page.locator("[data-field='number']"), page.locator(".stepper .primary")
    expect(number).to_have_value("26")
    expect(throw).to_have_attribute("data-move", "throw 26")
    assert out_of_reach(page) == []
    page.get_by_role("button", name="One less").click()
    expect(throw).to_have_text("Throw 25")
    for key in ("2", "3"):
        page.keyboard.press(key)
    expect(throw).to_have_text("Throw 23")
    number.fill("60")
    expect(page.locator(".stepper p")).to_have_text("More than 29 is never better.")
    number.fill("")
    expect(throw).to_be_disabled()
    number.fill("101")
    expect(throw).to_have_text("From 0 to 100")
    number.fill("22")
    assert serious_faults(page) == []
    throw.click()
    move_on(page, document["ply"])
    assert match(page)["events"][0]["move"] == "throw 22"


@pytest.mark.parametrize("game", THROWN)
def test_what_was_thrown_and_the_line_of_the_coach_are_seen_after_each_move(
    open_page: Any, game: str
) -> None:
    page = open_page("/play", **PHONE)
    seen = 0
    while not seen:  # a game may be over after one throw
        begin(page, game=game, coach="on", **THROWN[game])
        while seen < 6 and settled(page) == "you":
            # 20 dice are many, and fewer than the 100 that may be thrown.
            most = max(match(page)["moves"], key=lambda each: min(each["dice"], 20))
            pick(page, most["move"])
            if settled(page) == "you":
                assert page.evaluate(OUT_OF_SIGHT) == [], match(page)["position"]
                seen += 1


def test_names_and_amounts_are_read_whole(open_page: Any) -> None:
    page = open_page("/play", locale="fr-FR", **PHONE)
    begin(page, game="hog", starts="me", opponent={"kind": "optimal"})
    cut = "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
    assert page.locator(".actions-place button").evaluate_all(cut) == []
    page.locator(".score.them b").evaluate("it => { it.textContent = 'The creature of habit' }")
    assert page.locator(".score b").evaluate_all(cut) == []
    visit(page, "/position?game=ur")
    page.wait_for_selector("[data-asked]")
    assert page.locator(".board-name").evaluate_all(cut) == []


def test_a_drill_shows_the_board_and_what_was_thrown(open_page: Any) -> None:
    page = open_page("/train?game=ur", **PHONE)
    page.wait_for_selector("[data-drill]")
    expect(page.locator("[data-drill] .board-squares")).to_be_visible()
    said = page.locator("[data-drill]").inner_text()
    thrown = page.locator("[data-drill] .position .die").get_attribute("data-face")
    assert f"The throw is {thrown}." in said
    expect(page.locator("[data-drill] .position .die text")).to_have_text(thrown)
