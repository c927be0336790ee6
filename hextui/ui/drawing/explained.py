"""An explanation as it is shown: texts beside the board, and what the board shows at each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hextui.engine.board import EMPTY, Color
from hextui.engine.explanation import Amount, Explanation, Painting, Role, Term
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import BoardView, Mark
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
    """Return the steps of an explanation: value, numbers, what they mean, then all paintings."""
    view = _plain(found.position, found.move)
    return (
        ShownStep("value", _value(found, names), view),
        ShownStep("numbers", _numbers(found, names), view),
        ShownStep("terms", _terms(found, names), view),
        *painted_steps(found.position, found.move, found.paintings, names),
    )


def painted_steps(
    position: Position, cell: int, paintings: Sequence[Painting], names: Names
) -> tuple[ShownStep, ...]:
    """Return a step for each painting; ``cell`` is what they are about."""
    return tuple(
        ShownStep(
            names.fill(one.group),
            f"{names.fill(one.text)}{_legend(one)}",
            _painted(position, cell, one),
        )
        for one in paintings
    )


def _plain(position: Position, cell: int) -> BoardView:
    """Return a board with the cell: the cursor on it, or its stone as the last move."""
    if position.stones[cell] == EMPTY:
        return BoardView(position, cursor=cell)
    return BoardView(position, cursor=cell, last_move=cell)


def _painted(position: Position, cell: int, painting: Painting) -> BoardView:
    marks: dict[int, Mark] = {}
    for role, (sign, strength, _) in _SIGNS.items():
        tint = painting.color if strength else None
        marks |= dict.fromkeys(painting.cells(role), Mark(sign, tint, strength))
    for number, passed in enumerate(painting.cells(Role.WAY), start=1):
        marks[passed] = Mark(f"{number:<2}"[:2], painting.color, _WAY_STRENGTH)
    for other, amount in painting.amounts:
        marks[other] = Mark(f"{min(100 * amount, 99):2.0f}")
    most = max((amount for _, amount in painting.amounts), default=1.0)
    return BoardView(
        position,
        cursor=cell,
        last_move=None if position.stones[cell] == EMPTY else cell,
        marks=marks,
        heat={other: amount / most for other, amount in painting.amounts},
    )


def _legend(painting: Painting) -> str:
    """Return what the signs on the board mean, as far as there are any."""
    told = ["1 2 3 cells passed"] if painting.cells(Role.WAY) else []
    told += [legend for role, (_, _, legend) in _SIGNS.items() if painting.cells(role)]
    told += ["numbers: per cent"] if painting.amounts else []
    return "\n\n" + "\n".join(told) if told else ""


def _value(found: Explanation, names: Names) -> str:
    """Return the value, what it is, and its formula."""
    move = found.before.board.name(found.move)
    lines = [
        f"{move}: rank {found.rank} of {found.moves} by {found.evaluator}",
        "",
        found.sentence,
        "",
        found.direction,
        "",
        f"value {figure(found.value)}",
        found.formula,
    ]
    return names.fill("\n".join(lines))


def _numbers(found: Explanation, names: Names) -> str:
    """Return the terms in columns, and what there is to note."""
    return names.fill(
        "\n".join([*_table(found.terms, names), *(f"\n{note}" for note in found.notes)])
    )


def _terms(found: Explanation, names: Names) -> str:
    """Return what each term means, and where the formula is told."""
    source, meanings = found.source, _meanings(found.terms, names)
    return names.fill(
        "\n".join(
            [
                *(f"{symbol}: {meaning}" for symbol, meaning in meanings.items()),
                "",
                f"{source.authors} {source.year}: {source.title}; {source.where}.",
            ]
        )
    )


def _meanings(terms: Sequence[Term], names: Names) -> dict[str, str]:
    """Return what each symbol means: once, where it is the same for both sides."""
    found = {}
    for symbol in dict.fromkeys(term.symbol for term in terms):
        told = {t.meaning: t.color for t in terms if t.symbol == symbol}
        if len(told) == 1:
            (found[symbol],) = told
        else:
            sides = (f"{names.player(c)}: {text}" for text, c in told.items() if c is not None)
            found[symbol] = "; ".join(sides)
    return found


def _table(terms: Sequence[Term], names: Names) -> Iterator[str]:
    """Yield lines: a symbol and its values, side by side where there is room for both."""
    width = max((len(term.symbol) for term in terms), default=0) + 2
    column = (WIDTH - width) // 2
    colored = any(term.color for term in terms)
    if colored:
        black, white = names.both
        yield f"{'':{width}}{black:<{column}}{white}"
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
