"""Lines of play as rows: what stands before the moves, and the words above the list."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextui.analysis import Snapshot
from hextui.engine.evaluators import improves, scale_of
from hextui.engines.attached.engine_config import engine_in
from hextui.ui.widgets.move_columns import figures, number, percent, short_count
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.search.lines import Lines
    from hextui.engines.snapshot import Examined, ExaminedMove


@dataclass(frozen=True)
class ShownLine:
    """A line: its moves, and what is said of it, as wide as the heading."""

    moves: tuple[int, ...]
    said: str


@dataclass(frozen=True)
class ShownLines:
    """Lines with what stands above them; ``note`` has two lines at most."""

    note: str
    heading: str = ""
    lines: tuple[ShownLine, ...] = ()


def shown_lines(snapshot: Snapshot | None, names: Names) -> ShownLines:
    """Return the lines of minimax, or those of the engine or the tree search that is to judge."""
    if snapshot is None:
        return ShownLines("No lines yet")
    by = snapshot.lines_by
    engine = by if improves(by) else engine_in(by)
    if engine is not None:
        problem = snapshot.problems.get(snapshot.lines_by)
        found = snapshot.examined.get(snapshot.lines_by)
        if problem or found is None:
            return ShownLines(problem or f"{engine}: no lines yet")
        return _of_engine(found, names)
    if snapshot.lines is None:
        return ShownLines(f"{by}: no lines yet" if by else "No lines yet")
    return _of_search(snapshot.lines, names)


def _of_search(lines: "Lines", names: Names) -> ShownLines:
    """Return the lines of our search: each with its value, on a scale where it can be read."""
    if not lines.lines:
        return ShownLines("The game is over")
    scale = scale_of(lines.evaluator)
    read = [scale.of(line.value) if scale else line.value for line in lines.lines]
    places = figures(tuple(read))
    values = [
        f"{names.player(line.winner)} wins" if line.winner else number(value, places)
        for line, value in zip(lines.lines, read, strict=True)
    ]
    return _listed(
        _note_of_search(lines, names),
        [line.moves for line in lines.lines],
        [(scale.unit if scale else "value", values)],
    )


def _note_of_search(lines: "Lines", names: Names) -> str:
    """Return what was searched, and how far."""
    going = "" if lines.final or not lines.moves else f" ({lines.searched} of {lines.moves})"
    proved = f"; {names.player(lines.winner)} wins, proved" if lines.winner else ""
    literal = ", literal" if lines.settings.literal else ""
    return (
        f"{lines.evaluator}{literal}, depth {lines.depth}{going}{proved}\n"
        f"{lines.nodes:,} of {counted(lines.full_nodes, 'position')}"
    )


def _of_engine(found: "Examined", names: Names) -> ShownLines:
    """Return the lines of an attached engine: with all that it tells of each."""
    moves = [move for move in found.moves if move.copy_of is None]
    columns = [
        (title, texts)
        for title, tell in _TOLD
        if any(texts := [tell(move) for move in moves])  # what nobody is told is left out
    ]
    lines = [move.line or (move.cell,) for move in moves]
    return _listed(_note_of_engine(found, names), lines, columns)


def _note_of_engine(found: "Examined", names: Names) -> str:
    """Return how much an engine has searched, and whose the win rates are."""
    if found.position.winner is not None:
        return "The game is over"
    if not found.moves:
        return f"{found.engine}: no move named{' in its time' if found.final else ' yet'}"
    mover = names.player(found.position.to_move)
    visits = counted(found.visits, "visit") if found.visits else "searching"
    speed = f", {found.visits / found.seconds:,.0f} a second" if found.seconds else ""
    whose = f"win rates of {mover}" if found.winrate is not None else f"{mover} to move"
    return f"{found.engine}: {visits}{speed if found.visits else ''}\n{whose}"


def _standing(move: "ExaminedMove") -> str:
    if move.proved is not None:
        return "wins" if move.proved else "loses"
    return "" if move.winrate is None else percent(move.winrate)


_TOLD: Sequence[tuple[str, "Callable[[ExaminedMove], str]"]] = (
    ("win rate", _standing),
    ("score", lambda move: "" if move.score is None else number(move.score)),
    ("visits", lambda move: short_count(move.visits) if move.visits else ""),
    ("policy", lambda move: "" if move.prior is None else percent(move.prior)),
)


def _listed(
    note: str, moves: Sequence[tuple[int, ...]], columns: Sequence[tuple[str, Sequence[str]]]
) -> ShownLines:
    """Return lines with columns in front of them, each as wide as it needs."""
    if not moves:
        return ShownLines(note)

    def row(texts: Iterator[str]) -> str:
        return "".join(f"{text:>{width}}  " for text, width in zip(texts, widths, strict=True))

    widths = [max(len(title), *map(len, texts)) for title, texts in columns]
    lines = tuple(
        ShownLine(line, row(texts[place] for _, texts in columns))
        for place, line in enumerate(moves)
    )
    return ShownLines(note, row(title for title, _ in columns), lines)
