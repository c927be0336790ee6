"""Why a move has its value, or what a cell is linked to, step by step on a board."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from textual.binding import Binding

from hextui.engine.board import EMPTY, Color
from hextui.engine.explanation import Explanation, Illustration, Role, Term
from hextui.engine.position import Position
from hextui.engines.questions import Explain, ShowLinks
from hextui.engines.snapshot import Progress
from hextui.records.board_view import BoardView, Mark
from hextui.text import Names, digits
from hextui.ui.screens.step_screen import WIDTH, ShownStep, StepScreen, step_bindings
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.explanations import explanation_words, picture_words

_SIGNS = {
    Role.CARRIER: ("++", 0.3, "++ used by its links"),
    Role.BLOCKED: ("xx", 0.0, "xx blocked"),
    Role.LINKED: ("**", 0.75, "** linked to it"),
    Role.BESIDE: ("--", 0.15, "-- used by the shorter one too"),
}
_WAY_STRENGTH = 0.75


class ExplainScreen(StepScreen[Explain | ShowLinks, ShownStep]):
    """Explains a move, or a cell's links, in the position that a question is about."""

    BINDINGS = step_bindings(
        [Binding("N", "over(1)", show=False)], over=("Next set", "Previous set")
    )

    def board(self) -> BoardWidget:
        return BoardWidget(BoardView(self.subject.position, cursor=self.subject.move))

    def on_mount(self) -> None:
        asked = self.subject
        move = asked.position.board.name(asked.move)
        if isinstance(asked, ShowLinks):
            empty = asked.position.stones[asked.move] == EMPTY
            self.heading = f"Links of {move} (N: all)" if empty else "All links"
            self.query_one(BoardWidget).graphics = None  # lines are drawn with characters
        else:
            self.heading = f"Why {move} by {asked.evaluator}"
        self.show_title("asking")
        self.ask(asked)

    def take(
        self, answer: Explanation | tuple[Illustration, ...] | Progress | None, problem: str
    ) -> None:
        position, move = self.subject.position, self.subject.move
        match answer:
            case Explanation():
                self._steps = steps_of(answer, self.names)
            case tuple():
                self._steps = picture_steps(position, move, answer, self.names)
            case Progress():
                self.show_title(f"{answer.label}: {answer.amount}")
                return
            case None:
                self.show_title("no answer")
                self.show_text(problem)
                return
        self.show_step()

    def shown(self, step: ShownStep) -> ShownStep:
        return step

    def begins(self, place: int) -> bool:
        """Return whether a set of steps begins at a place."""
        return place == 0 or self._steps[place].about != self._steps[place - 1].about


def steps_of(explanation: Explanation, names: Names) -> tuple[ShownStep, ...]:
    """Return the steps of an explanation: value, numbers, what they mean, then all pictures."""
    words = explanation_words(explanation, names)
    terms = explanation.facts.terms
    view = _plain(explanation.position, explanation.move)
    move = explanation.before.board.name(explanation.move)
    value = [
        f"{move}: rank {explanation.rank} of {explanation.moves} by {explanation.evaluator}",
        "",
    ]
    value += [words.sentence, "", words.direction, ""]
    value += [f"value {digits(explanation.value)}", words.formula]
    numbers = [*_table(terms, names), *(f"\n{note}" for note in words.notes)]
    source = words.source
    meanings = [*_meanings(terms, words.meanings, names), ""]
    meanings += [f"{source.authors} {source.year}: {source.title}; {source.where}."]
    return (
        ShownStep(view, "\n".join(value), "value"),
        ShownStep(view, "\n".join(numbers), "numbers"),
        ShownStep(view, "\n".join(meanings), "terms"),
        *picture_steps(explanation.position, explanation.move, explanation.facts.pictures, names),
    )


def picture_steps(
    position: Position, cell: int, pictures: Sequence[Illustration], names: Names
) -> tuple[ShownStep, ...]:
    """Return a step for each picture; ``cell`` is what they are about."""
    words = picture_words(pictures, position.board, cell, names)
    return tuple(
        ShownStep(_painted(position, cell, picture), f"{text}{_legend(picture)}", subject)
        for picture, (subject, text) in zip(pictures, words, strict=True)
    )


def _plain(position: Position, cell: int) -> BoardView:
    """Return a board with the cursor on the cell; its stone, if any, is the last move."""
    last = None if position.stones[cell] == EMPTY else cell
    return BoardView(position, cursor=cell, last_move=last)


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
    heat = {other: amount / most for other, amount in picture.amounts}
    view = replace(_plain(position, cell), marks=marks, heat=heat, links=picture.links)
    return view if picture.color is None else replace(view, links_of=picture.color)


def _legend(picture: Illustration) -> str:
    """Return what the signs on the board mean, after a blank line; '' without signs."""
    signs = ["1 2 3 cells passed"] if picture.cells(Role.WAY) else []
    signs += [legend for role, (_, _, legend) in _SIGNS.items() if picture.cells(role)]
    signs += ["numbers: per cent"] if picture.amounts else []
    return "\n\n" + "\n".join(signs) if signs else ""


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
    if any(term.color for term in terms):
        yield f"{'':{width}}{names.player(Color.BLACK):<{column}}{names.player(Color.WHITE)}"
    for symbol in dict.fromkeys(term.symbol for term in terms):
        values = {term.color: digits(term.value) for term in terms if term.symbol == symbol}
        label = symbol.ljust(width)
        if None in values:
            yield f"{label}{values[None]}"
        else:
            black = values.get(Color.BLACK, "")
            white = values.get(Color.WHITE, "")
            yield from _of_both(label, black, white, column)


def _of_both(label: str, black: str, white: str, column: int) -> Iterator[str]:
    """Yield the values of both sides: on one line, or on two if a value fills its column."""
    if len(black) < column and len(white) <= column:
        yield f"{label}{black:<{column}}{white}".rstrip()
    else:
        yield f"{label}{black}".rstrip()
        yield f"{'':{len(label)}}{white:>{2 * column}}"
