"""Public API: evaluators and their explanations, lines of play, other engines, compilation."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from hextui.api.positions import Closable, board_of, cell_of, expect, expect_position
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.lines import DEFAULT_EVALUATOR, DEFAULT_WIDTHS, Line, LineSettings
from hextui.text import Names

if TYPE_CHECKING:
    from hextui.engine.evaluators import Evaluator
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engines.attached_engine import AttachedEngine
    from hextui.engines.snapshot import SearchReport

__all__ = ["evaluators", "explain", "lines", "open_engine", "rank", "warm"]


class EvaluatorInfo(NamedTuple):
    """An evaluator: its name, what it measures, and its options with the values they have."""

    name: str
    about: str
    options: Mapping[str, Any]


def evaluators() -> tuple[EvaluatorInfo, ...]:
    """Return all evaluators; options stand behind a name's colon (docs/methods.md#evaluators).

    Those of other packages come last; one that cannot be loaded is left out with a warning.

    >>> for found in evaluators()[2:4]:
    ...     print(f"{found.name}: {found.about}; options {', '.join(found.options)}")
    k-paths:0: distance and shortest paths; options k, raw, nodes, fresh, x, ties, seed
    k-mixed:1: k-paths with contribution; options k, y, fresh
    >>> evaluators()[0].options["x"]
    1e-05
    """
    from hextui.engine.evaluators import evaluator, listed_names
    from hextui.engine.evaluators.offered_evaluators import OfferedEvaluatorError

    infos = []
    for name in listed_names():
        try:
            by = evaluator(name)
        except OfferedEvaluatorError as error:
            warnings.warn(str(error), stacklevel=2)
            continue
        options = {field.name: _plain(getattr(by, field.name)) for field in fields(by)}
        infos.append(EvaluatorInfo(name, by.about, options))
    return tuple(infos)


def rank(position: Position, evaluator: str = DEFAULT_EVALUATOR) -> Ranking:
    """Rank every legal move by an evaluator, or by ``engine(NAME)`` of the settings file.

    ``swap-pieces`` is among the moves of ``search`` and ``network`` where it is legal.

    Raises ValueError for an unknown name, EngineError if an engine fails.

    >>> from hextui import position
    >>> [(m.move, m.rank) for m in rank(position("5x5", "a5 c3"), "k-paths:1")[:3]]
    [('b3', 1), ('d3', 2), ('d2', 3)]
    """
    by, bench = _prepared(position, evaluator)
    *_, final = by.rank(bench)
    return final.named(position)


class ExplainedTerm(NamedTuple):
    """A term of the formula: its symbol, in whose network (None: both), value, and meaning."""

    symbol: str
    color: Color | None
    value: int | float
    meaning: str

    def __str__(self) -> str:
        whose = "" if self.color is None else f" of {self.color}"
        return f"{self.symbol}{whose} = {self.value:g}: {self.meaning}"


@dataclass(frozen=True)
class ExplainedMove:
    """Why an evaluator gives a move its value; ``str`` is a text for people.

    ``rank`` is its place among ``moves`` legal moves. ``figures`` are pairs of texts: of which set
    of paths or links a figure is, and what it shows. ``source`` is where the method is published.
    """

    evaluator: str
    move: str
    value: float
    rank: int
    moves: int
    sentence: str
    formula: str
    direction: str
    terms: tuple[ExplainedTerm, ...]
    notes: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    source: str

    def __str__(self) -> str:
        head = f"{self.evaluator}: {self.move} has rank {self.rank} of {self.moves}"
        terms = [f"  {term}" for term in self.terms]
        value = f"value {self.value:g}: {self.formula}"
        lines = [head, self.sentence, self.direction, value, *terms, *self.notes, self.source]
        return "\n".join(lines)


def explain(position: Position, move: str, evaluator: str = DEFAULT_EVALUATOR) -> ExplainedMove:
    """Explain the value that an evaluator gives a move; Black and White name the players.

    Raises ValueError for an unknown name, a cell that is not empty, or an attached engine.

    >>> from hextui import position
    >>> found = explain(position("5x5", "a5 c3"), "b3")
    >>> found.rank, found.terms[0].symbol, found.terms[0].meaning
    (1, 'I', 'current through it, circuit of Black')
    """
    from hextui.words.explanations import explanation_words

    by, bench = _prepared(position, evaluator)
    explanation = by.explained(bench, cell_of(position.board, move))
    words = explanation_words(explanation, Names.BLACK_WHITE)
    terms = tuple(
        ExplainedTerm(term.symbol, term.color, _plain(term.value), meaning)
        for term, meaning in zip(explanation.facts.terms, words.meanings, strict=True)
    )
    source = by.source
    return ExplainedMove(
        evaluator=explanation.evaluator,
        move=position.board.name(explanation.move),
        value=explanation.value,
        rank=explanation.rank,
        moves=explanation.moves,
        sentence=words.sentence,
        formula=words.formula,
        direction=words.direction,
        terms=terms,
        notes=words.notes,
        figures=words.pictures,
        source=f"{source.authors} {source.year}: {source.title}; {source.where}. {source.link}",
    )


def lines(
    position: Position,
    evaluator: str = DEFAULT_EVALUATOR,
    *,
    widths: Sequence[int] = DEFAULT_WIDTHS,
    count: int = 5,
    literal: bool = False,
) -> tuple[Line, ...]:
    """Return the best lines of play by selective minimax, best first; none after a win.

    ``widths`` are the numbers of moves considered, ply by ply, the last 0 (see
    docs/methods.md#selective-minimax). ``literal``: no proof ends a line, as in the source of
    ``blocking``; otherwise the solver is tried first. Raises ValueError for wrong widths or an
    unknown evaluator.

    >>> from hextui import position
    >>> [line] = lines(position("5x5", "a5 c3"), widths=(4, 2, 0), count=1)
    >>> line.moves, line.value, line.winner
    (<Cells b3>, inf, <Color.BLACK: 1>)
    """
    from hextui.engine.evaluators import evaluator as evaluator_named
    from hextui.engine.search.front import best_lines

    expect(evaluator, str, "an evaluator's name")
    settings = LineSettings(tuple(widths), count, literal)
    *_, final = best_lines(expect_position(position), evaluator_named(evaluator), settings)
    return final.lines


class Engine(Closable):
    """Another program that analyses positions; it starts with the first question.

    If it dies, it is restarted and asked again. Use ``with``, or ``close`` it. All methods raise
    EngineError, a ValueError in one line, if it fails or was closed.
    """

    def __init__(self, engine: "AttachedEngine") -> None:
        self._engine = engine
        self._lane = engine.lane()
        self._stopped = Event()

    def __repr__(self) -> str:
        return f"<Engine {self._engine.name}: {self._engine.state}>"

    def close(self) -> None:
        """End the program."""
        self._engine.close()

    def stop(self) -> None:
        """End the present question; may be called from any thread."""
        self._stopped.set()

    def stream(
        self, position: Position, *, seconds: float | None = None, visits: int | None = None
    ) -> "Iterator[SearchReport]":
        """Yield reports that improve, until a limit, ``stop``, or the end of the iteration.

        The engine's own limits of the settings file hold too, 10 seconds by default.
        """
        from hextui.engine.limit import Limit
        from hextui.engines.questions import SearchMoves

        question = SearchMoves(expect_position(position), Limit(seconds, visits=visits))
        self._stopped.clear()
        yield from self._lane.answers(question, self._stopped.is_set)

    def ask(
        self, position: Position, *, seconds: float | None = None, visits: int | None = None
    ) -> "SearchReport":
        """Return the last report of ``stream``, an empty one if it was stopped before any."""
        from hextui.engines.snapshot import SearchReport

        last = SearchReport(position, self._engine.name)
        for report in self.stream(position, seconds=seconds, visits=visits):
            last = report
        return last


def open_engine(engine: str | Sequence[str], dialect: str = "htp") -> Engine:
    """Return an engine of the settings file by its name, or a program by its command.

    A command is a list of the program and its arguments; ``dialect`` is its protocol, ``htp`` or
    ``kata`` (docs/engines.md). Raises ValueError for an unknown name or dialect.

    >>> from hextui import position
    >>> import sys
    >>> with open_engine([sys.executable, "-m", "hextui", "htp"]) as engine:
    ...     engine.ask(position("3x3", "a1"), seconds=10).best
    'b2'
    """
    from hextui.engines.attached_engine import AttachedEngine
    from hextui.settings.engine_tables import configuration, read_engine

    expect(engine, str | Sequence, "an engine's name, or its command as a list")
    if isinstance(engine, str):
        return Engine(AttachedEngine(configuration(engine)))
    settings = {"command": list(engine), "dialect": dialect}
    return Engine(AttachedEngine(read_engine("program", settings)))


def warm(
    board: Board | str | int | None = None, *, progress: Callable[[str], object] | None = None
) -> None:
    """Compile the engine for a board, or for all sizes; compiled code is kept on disk.

    ``progress`` gets a line for each step.

    >>> warm("3x3", progress=lambda step: None)
    """
    from hextui.engine.limit import check_analysed
    from hextui.engine.warm import compile_widths
    from hextui.engine.widths import WIDTHS, width_of
    from hextui.engines.limits import cores

    widths = WIDTHS
    if board is not None:
        board = board_of(board)
        check_analysed(board)
        widths = (width_of(board.cells),)
    for step in compile_widths(widths, cores()):
        if progress is not None:
            progress(f"up to {64 * step.width} cells: {step.done} of {step.total}, {step.label}")


def _prepared(position: Position, evaluator: str) -> "tuple[Evaluator, Workbench]":
    """Return an evaluator by its name, and the thread's workbench at a position."""
    from hextui.engine.evaluators.workbench import bench_at
    from hextui.engines.registry import evaluator_called

    expect(evaluator, str, "an evaluator's name")
    return evaluator_called(evaluator), bench_at(expect_position(position))


def _plain(value: Any) -> Any:
    """Return a fraction as a float, anything else as it is."""
    return float(value) if isinstance(value, Fraction) else value
