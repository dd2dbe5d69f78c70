"""The page speaks the language of its reader, who may choose another."""

from __future__ import annotations

import re
from typing import Any

from babel.messages.pofile import read_po
from playwright.sync_api import expect

from browser.person import begin, pick, ready, settled, visit
from dicelab.lab import languages


def test_the_browser_chooses_and_the_reader_may_switch(open_page: Any) -> None:
    page = open_page("/play", locale="fr-CA")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("[data-tab='play']")).to_have_text("Jouer")
    page.get_by_role("button", name="English").click()
    page.wait_for_function("document.documentElement.lang === 'en'")
    ready(page)
    expect(page.locator("[data-tab='play']")).to_have_text("Play")
    page.reload()  # the choice is kept
    ready(page)
    expect(page.get_by_role("button", name="Français")).to_be_visible()


ENGLISH = re.compile(
    r"\b(and|are|best|each|from|have|the|they|this|what|when|with|you|your)\b", re.I
)
TEXTS = """() => {
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = [document.title];
  const skipped = "script, style, noscript, pre, code, input, [lang='en']";
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest(skipped)) found.push(walker.currentNode.data);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt", "label"]) {
    const named = document.querySelectorAll(`[${name}]:not([lang='en'])`);
    for (const node of named) found.push(node.getAttribute(name));
  }
  return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
}"""


def in_english() -> re.Pattern[str]:
    """What the catalogue says in English, and in French in other words."""
    with (languages.LOCALE / "fr.po").open("rb") as file:
        known = list(read_po(file, "fr"))
    sentences = set()
    for message in known:
        forms = [message.id] if isinstance(message.id, str) else message.id
        said = [message.string] if isinstance(message.string, str) else message.string
        for text in {*forms} - {*said}:
            parts = re.split(r"\{\w+(?:!r)?\}", text.strip())
            if len(re.findall("[A-Za-z]{2,}", " ".join(parts))) > 1:
                sentences.add(".+?".join(map(re.escape, parts)))
    return re.compile("|".join(sorted(sentences)))


def test_no_page_says_anything_in_english_to_who_reads_french(open_page: Any) -> None:
    english, found = in_english(), []
    page = open_page("/study", locale="fr-FR")
    page.set_viewport_size({"width": 390, "height": 800})

    def looks(place: str) -> None:
        page.wait_for_load_state("networkidle")
        texts = page.evaluate(TEXTS)
        wrong = [text for text in texts if ENGLISH.search(text) or english.fullmatch(text)]
        found.extend(f"{place}: {text}" for text in wrong)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{place} is {wide} pixels too wide")

    match = begin(page, game="piglet", parameters={"target": 3}, starts="me")
    looks("the table")
    while settled(page) == "you":
        pick(page, page.locator("[data-move]").first.get_attribute("data-move"))
    looks("the table at the end")
    for name in ("421", "farkle", "ur", "shut-the-box", "bear-off", "yahtzee", "greed"):
        rules = {"max": 20} if name == "greed" else {"tokens": 5} if name == "421" else {}
        rival = {"kind": "strategy", "name": "random"}
        begin(page, game=name, parameters=rules, opponent=rival, starts="me", coach="off")
        looks(name)
    for path in (
        f"/review/{match['id']}",
        "/play",
        "/play?game=pig",
        "/history",
        "/train",
        "/train?game=piglet&target=4",
        "/daily",
        "/explore?game=pig&target=10",
        "/explore?game=greed&max=10&die=3",
        "/explore?game=421-round",
        "/position?game=pig&target=10",
        "/versus?game=pig&target=10",
        "/study",
        "/admin",
        "/nowhere",
    ):
        visit(page, path)
        looks(path)
        if path == "/history":
            expect(page.locator("table.totals")).to_be_visible()
    page.locator("#help-button").click()
    looks("the help")
    assert not found, "\n".join(found)
