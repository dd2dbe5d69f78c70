"""Sentences that any game may say: who threw what, who won, several things in a row.

What somebody does has one sentence for you and one for another. How a verb bends is known of
English only; other languages have whole sentences in their catalogues.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicelab.core.language import ENGLISH, language, mark, tr, trn

YOU, OTHER_PLAYER = "You", mark("The other player")
THROWING = ("cast", "roll", "throw", "toss")  # moves that are the throw itself
VERDICTS = {
    "won": (mark("You won"), mark("{who} won")),
    "lost": (mark("You lost"), mark("{who} lost")),
    "drawn": (mark("It is a draw"), mark("It is a draw")),
    "done": (mark("You are done"), mark("{who} is done")),
}
DICE_SHOW = mark("The dice show {dice}.")
FURTHER = mark("{done}: {more}.")


def in_a_row(parts: Sequence[str]) -> str:
    """Return several things as one says them: 12, 8 and 5."""
    if len(parts) < 2:
        return "".join(parts)
    return tr("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1])


def said_by(you: bool, yours: str, theirs: str, /, **values: object) -> str:
    """Return what happened: one sentence where you did it, another where the other player did."""
    return tr(yours if you else theirs, **values)


def rolled(you: bool, dice: object) -> str:
    """Return that somebody rolled, and what the dice show, without a full stop."""
    return said_by(you, "You roll {dice}", "The other player rolls {dice}", dice=dice)


def threw(you: bool, dice: object) -> str:
    """Return that somebody threw, and what the dice show, without a full stop."""
    return said_by(you, "You throw {dice}", "The other player throws {dice}", dice=dice)


def verdict(ended: str, who: str = YOU) -> str:
    """Return how a game ended for somebody, without a full stop: You won, Ann lost."""
    yours, theirs = VERDICTS[ended]
    return tr(yours) if who == YOU else tr(theirs, who=who)


def upper_first(text: str) -> str:
    """Return a text as it begins a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def count(number: int, thing: str) -> str:
    """Return a number with what it counts: 1 turn, 3 turns, 2 dice."""
    if number == 1:
        return f"{number} {thing}"
    return f"{number} {'dice' if thing == 'die' else f'{thing}s'}"


def doing(move: str, you: bool) -> str:
    """Return a move as somebody does it: you roll, the other player rolls; you play 4+5."""
    word, _, rest = move.partition(" ")
    if not word.isalpha() or not word.islower():
        return f"{'play' if you else 'plays'} {move}"
    return " ".join(filter(None, [word if you else third_person(word), rest]))


def moved(move: str, faces: Sequence[int], you: bool, label: str = "") -> str:
    """Return who made a move and what the dice showed: you roll a 3; you climb and throw a 3.

    `label` is what stands on its button: other languages than English say that.
    """
    who, (verb, _, rest) = YOU if you else OTHER_PLAYER, move.partition(" ")
    throws = verb in THROWING and (not rest or rest == str(len(faces)))
    if language() != ENGLISH:  # how its verbs bend is known of English only
        said = label or tr(move)
        if faces and throws:
            return threw(you, shown(faces))
        if faces:
            return said_by(
                you,
                "You play {move} and throw {dice}",
                "The other player plays {move} and throws {dice}",
                move=said,
                dice=shown(faces),
            )
        return said_by(you, "You play {move}", "The other player plays {move}", move=said)
    if not faces:
        return f"{who} {doing(move, you)}"
    if throws:
        return f"{who} {doing(verb, you)} {shown(faces)}"
    return f"{who} {doing(move, you)} and {'throw' if you else 'throws'} {shown(faces)}"


def third_person(verb: str) -> str:
    """Return what somebody else does: throws, passes, tries."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def shown(faces: Sequence[int]) -> str:
    """Return the faces of a throw in words; many of them by their number."""
    if len(faces) == 1:
        sounds_open = str(faces[0])[0] == "8" or faces[0] in (11, 18)
        return tr(mark("an {face}") if sounds_open else mark("a {face}"), face=faces[0])
    if len(faces) > 6 or not faces:
        return trn("{n} die", "{n} dice", len(faces))
    return in_a_row([str(face) for face in faces])
