"""An explanation as it is shown: texts beside the board, and what the board shows at each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hextui.engine.board import EMPTY, Color
from hextui.engine.explanation import Amount, Explanation, Illustration, Role, Term
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import BoardView, Mark
from hextui.words.explanations import ExplanationWords, explanation_words, picture_words
from hextui.words.names import Names, digits

WIDTH = 38
"""Columns of the text."""
_SIGNS = {
    Role.CARRIER: ("++", 0.3, "++ used by its links"),
    Role.BLOCKED: ("xx", 0.0, "xx blocked"),
    Role.LINKED: ("**", 0.75, "** linked to it"),
    Role.BESIDE: ("--", 0.15, "-- used by the shorter one too"),
}
_WAY_STRENGTH = 0.75


@dataclass(frozen=True)
class ShownStep:
    """A step: of which group it is, its text, and the board."""

    group: str
    text: str
    view: BoardView


def steps_of(found: Explanation, names: Names) -> tuple[ShownStep, ...]:
    """Return the steps of an explanation: value, numbers, what they mean, then all pictures."""
    view, words = _plain(found.position, found.move), explanation_words(found, names)
    return (
        ShownStep("value", _value(found, words), view),
        ShownStep("numbers", _numbers(found, words, names), view),
        ShownStep("terms", _terms(found, words, names), view),
        *picture_steps(found.position, found.move, found.facts.pictures, names),
    )


def picture_steps(
    position: Position, cell: int, pictures: Sequence[Illustration], names: Names
) -> tuple[ShownStep, ...]:
    """Return a step for each picture; ``cell`` is what they are about."""
    words = picture_words(pictures, position.board, cell, names)
    return tuple(
        ShownStep(group, f"{text}{_legend(one)}", _painted(position, cell, one))
        for one, (group, text) in zip(pictures, words, strict=True)
    )


def _plain(position: Position, cell: int) -> BoardView:
    """Return a board with the cell: the cursor on it, or its stone as the last move."""
    if position.stones[cell] == EMPTY:
        return BoardView(position, cursor=cell)
    return BoardView(position, cursor=cell, last_move=cell)


def _painted(position: Position, cell: int, picture: Illustration) -> BoardView:
    marks: dict[int, Mark] = {}
    for role, (sign, strength, _) in _SIGNS.items():
        tint = picture.color if strength else None
        marks |= dict.fromkeys(picture.cells(role), Mark(sign, tint, strength))
    for number, passed in enumerate(picture.cells(Role.WAY), start=1):
        marks[passed] = Mark(f"{number:<2}"[:2], picture.color, _WAY_STRENGTH)
    for other, amount in picture.amounts:
        marks[other] = Mark(f"{min(100 * amount, 99):2.0f}")
    most = max((amount for _, amount in picture.amounts), default=1.0)
    return BoardView(
        position,
        cursor=cell,
        last_move=None if position.stones[cell] == EMPTY else cell,
        marks=marks,
        heat={other: amount / most for other, amount in picture.amounts},
    )


def _legend(picture: Illustration) -> str:
    """Return what the signs on the board mean, as far as there are any."""
    told = ["1 2 3 cells passed"] if picture.cells(Role.WAY) else []
    told += [legend for role, (_, _, legend) in _SIGNS.items() if picture.cells(role)]
    told += ["numbers: per cent"] if picture.amounts else []
    return "\n\n" + "\n".join(told) if told else ""


def _value(found: Explanation, words: ExplanationWords) -> str:
    """Return the value, what it is, and its formula."""
    move = found.before.board.name(found.move)
    lines = [
        f"{move}: rank {found.rank} of {found.moves} by {found.evaluator}",
        "",
        words.sentence,
        "",
        words.direction,
        "",
        f"value {figure(found.value)}",
        words.formula,
    ]
    return "\n".join(lines)


def _numbers(found: Explanation, words: ExplanationWords, names: Names) -> str:
    """Return the terms in columns, and the notes."""
    rows = _table(found.facts.terms, names)
    return "\n".join([*rows, *(f"\n{note}" for note in words.notes)])


def _terms(found: Explanation, words: ExplanationWords, names: Names) -> str:
    """Return what each term means, and where the formula is published."""
    source = words.source
    lines = [*_meanings(found.facts.terms, words.meanings, names), ""]
    lines.append(f"{source.authors} {source.year}: {source.title}; {source.where}.")
    return "\n".join(lines)


def _meanings(terms: Sequence[Term], texts: Sequence[str], names: Names) -> Iterator[str]:
    """Yield what each symbol means: once, where it is the same for both sides."""
    for symbol in dict.fromkeys(term.symbol for term in terms):
        sides = {
            text: term.color
            for term, text in zip(terms, texts, strict=True)
            if term.symbol == symbol
        }
        if len(sides) == 1:
            yield f"{symbol}: {next(iter(sides))}"
        else:
            both = (f"{names.player(c)}: {text}" for text, c in sides.items() if c is not None)
            yield f"{symbol}: {'; '.join(both)}"


def _table(terms: Sequence[Term], names: Names) -> Iterator[str]:
    """Yield lines: a symbol and its values, side by side where there is room for both."""
    width = max((len(term.symbol) for term in terms), default=0) + 2
    column = (WIDTH - width) // 2
    colored = any(term.color for term in terms)
    if colored:
        yield f"{'':{width}}{names.player(Color.BLACK):<{column}}{names.player(Color.WHITE)}"
    for symbol in dict.fromkeys(term.symbol for term in terms):
        values = {t.color: figure(t.value) for t in terms if t.symbol == symbol}
        if None in values:
            yield f"{symbol:{width}}{values[None]}"
            continue
        first, second = (values.get(color, "") for color in Color)
        if len(first) < column and len(second) <= column:
            yield f"{symbol:{width}}{first:<{column}}{second}".rstrip()
        else:
            yield f"{symbol:{width}}{first}".rstrip()
            yield f"{'':{width}}{second:>{2 * column}}"


def figure(value: Amount) -> str:
    """Return a number with all its digits.

    >>> figure(3), figure(0.1), figure(float("inf"))
    ('3', '0.1', 'inf')
    """
    return str(value) if isinstance(value, int) else digits(float(value))


def groups(steps: Sequence[ShownStep]) -> list[int]:
    """Return where each group of steps begins."""
    numbered = groupby(range(len(steps)), key=lambda place: steps[place].group)
    return [next(places) for _, places in numbered]
