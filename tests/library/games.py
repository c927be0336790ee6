"""Small libraries for the tests: random games on tiny boards, with all that real ones hold."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.library.answers import Imported
from hextui.library.library import Library
from tests.oracles.retrograde import Line, verdict


@dataclass(frozen=True)
class Drawn:
    """A drawn game: board, moves, winner as the file states it."""

    board: Board
    moves: tuple[Move, ...]
    winner: Color | None

    def json(self) -> str:
        """Return the game as one line of a file."""
        size = {"rows": self.board.rows, "columns": self.board.columns}
        words = " ".join(move.name(self.board) for move in self.moves)
        winner = {None: None, Color.BLACK: "red", Color.WHITE: "blue"}[self.winner]
        return json.dumps({"size": size, "winner": winner, "end": "resign", "moves": words})

    def line(self) -> Line:
        """Return the game for the oracle."""
        positions = [Position.empty(self.board)]
        for move in self.moves:
            if positions[-1].winner is not None:
                break
            positions.append(positions[-1].apply(move))
        return Line(tuple(positions), positions[-1].winner or self.winner)


@st.composite
def drawn_games(draw: st.DrawFn, board: Board) -> Drawn:
    """Draw a game: some moves, often a swap, and any winner."""
    position = Position.empty(board)
    moves = []
    for _ in range(draw(st.integers(1, board.cells))):
        choices = [Move.play(cell) for cell in position.empties]
        if position.swap_legal:
            choices.append(Move(MoveKind.SWAP_SIDES))
            if board.rows == board.columns:
                choices.append(Move(MoveKind.SWAP_PIECES))
        if not choices:
            break
        moves.append(draw(st.sampled_from(choices)))
        position = position.apply(moves[-1])
    return Drawn(board, tuple(moves), draw(st.sampled_from([None, *Color])))


libraries = st.sampled_from([Board(2, 2), Board(2, 3), Board(3, 2), Board(3, 3)]).flatmap(
    lambda board: st.lists(drawn_games(board), min_size=1, max_size=7)
)


@contextmanager
def library_of(games: Sequence[Drawn], *, one_by_one: bool = False) -> Iterator[Library]:
    """Give a library of games, which come as one file or one by one."""
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "l.sqlite") as library:
        for some in ([game] for game in games) if one_by_one else [games]:
            add(library, some)
        yield library


def add(library: Library, games: Iterable[Drawn]) -> Imported:
    """Import games to a library from a file beside it."""
    path = library.path.with_name("games.jsonl")
    path.write_text("".join(game.json() + "\n" for game in games))
    return library.import_paths([path])


def check_value(library: Library, lines: list[Line], position: Position) -> None:
    """Compare the value of a position with the oracle's verdict."""
    value = library.value(position)
    assert value is not None
    word = "winning" if value.winning else "losing"
    assert (word, value.certain, value.moves) == verdict(lines, position)
