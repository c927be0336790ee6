"""Matches: two players, both colours, many games, each fixed by its seed and its opening.

``play_game`` plays one game; a ``Match`` says which games there are, as tasks for ``runs.run``,
with ``play`` as their work: any executor will do.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators.benches import DEFAULT
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.matches.players import player
from hextui.matches.results import Description, Row
from hextui.matches.runs import Task

TABLE_BYTES = 32 << 20


@dataclass(frozen=True)
class Terms:
    """What a move may take, and how hard a loss is looked for.

    ``seconds`` a move, None for as long as the player likes; a player of ours plays the best move
    found by then. ``visits`` a move of another engine, None for as many as it is set to.
    ``resign_nodes``: positions that the solver may expand before each move to prove that its player
    has lost, which then resigns; 0: games are played to the chain.
    """

    seconds: float | None = None
    visits: int | None = None
    resign_nodes: int = 0

    @property
    def limit(self) -> Limit:
        """What another engine gets for a move."""
        return Limit(self.seconds, self.visits)

    def clock(self) -> Callable[[], bool]:
        """Start the time of a move; return what tells whether it is over."""
        if self.seconds is None:
            return lambda: False
        end = time.monotonic() + self.seconds
        return lambda: time.monotonic() >= end


class Adjudicator:
    """Tells whether the side to move is proved to have lost, by our solver; one board a time."""

    def __init__(self, board: Board, nodes: int) -> None:
        self._nodes = nodes
        self._solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES)) if nodes else None

    def __enter__(self) -> "Adjudicator":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._solver is not None:
            self._solver.close()

    def lost(self, position: Position) -> bool:
        """Whether the side to move loses, if nobody swaps, as far as the nodes prove it."""
        if self._solver is None:
            return False
        *_, solution = self._solver.solve(position, Limit(nodes=self._nodes))
        return solution.winner is position.to_move.opponent


FREE = Terms()
COLUMNS = ("game", "black", "white", "first", "seed", "opening", "winner", "plies", "moves")


@dataclass(frozen=True)
class MatchGame:
    """A finished game: Black and White by name, all moves (``opening`` of them were given).

    It ends with the first chain, or with a resignation.
    """

    board: Board
    black: str
    white: str
    seed: int
    opening: int
    moves: tuple[Move, ...]
    winner: Color


def play_game(
    black: str,
    white: str,
    board: Board,
    seed: int = 0,
    opening: Sequence[Move] = (),
    swap: bool = False,
    connections: ConnectionSettings = DEFAULT,
    terms: Terms = FREE,
) -> MatchGame:
    """Let two players, given by name, play from an opening until a chain; return the game.

    It ends too when a player resigns, as attached engines may, and all by ``terms`` once they are
    proved to have lost, unless they may swap. The seed draws for both, for each differently.
    ``swap``: after a first move the second player may swap pieces, which needs a square board.
    ``connections``: how virtual connections are searched, for both. Raises ValueError for a name
    that is none, and IllegalMoveError if the opening does not fit.
    """
    players = {
        Color.BLACK: player(black, _mix(seed, "black"), connections, terms.limit),
        Color.WHITE: player(white, _mix(seed, "white"), connections, terms.limit),
    }
    position = Position.empty(board)
    for move in opening:
        position = position.apply(move)
    moves = list(opening)
    with Adjudicator(board, terms.resign_nodes) as adjudicator:
        while (winner := position.winner) is None:
            may_swap = swap and position.swap_legal
            if not may_swap and adjudicator.lost(position):
                move = Move(MoveKind.RESIGN)
            else:
                move = players[position.to_move].choose(position, swap, terms.clock())
            moves.append(move)
            if move.kind is MoveKind.RESIGN:
                winner = position.to_move.opponent
                break
            position = position.apply(move)
    return MatchGame(
        board,
        players[Color.BLACK].name,
        players[Color.WHITE].name,
        seed,
        len(opening),
        tuple(moves),
        winner,
    )


def _mix(seed: int, word: str) -> int:
    """Return a seed that both determine."""
    return random.Random(f"{seed} {word}").getrandbits(31)


@dataclass(frozen=True)
class Scheduled:
    """A game to be played, as a worker gets it. ``first``: the colour of the first player."""

    number: int
    rows: int
    columns: int
    black: str
    white: str
    first: str
    seed: int
    opening: tuple[str, ...]
    swap: bool
    terms: Terms = FREE


@dataclass(frozen=True)
class Match:
    """Which games two players play: the first has Black in games 1, 3, 5, ...

    Games go in pairs with one opening and one seed; pairs take the openings in turn. An opening
    is a list of names of moves, () if the players open themselves.
    """

    first: str
    second: str
    board: Board
    games: int
    openings: tuple[tuple[str, ...], ...] = ((),)
    swap: bool = False
    seed: int = 0
    terms: Terms = FREE

    def schedule(self) -> list[Task]:
        """Return one task a game, numbered from 1."""
        return [Task(number, self._game(number)) for number in range(1, self.games + 1)]

    def _game(self, number: int) -> Scheduled:
        pair, reversed_colors = divmod(number - 1, 2)
        pair_of_names = (self.first, self.second)
        black, white = pair_of_names[::-1] if reversed_colors else pair_of_names
        return Scheduled(
            number,
            self.board.rows,
            self.board.columns,
            black,
            white,
            "white" if reversed_colors else "black",
            _mix(self.seed, str(pair)),
            self.openings[pair % len(self.openings)],
            self.swap,
            self.terms,
        )

    def description(self) -> Description:
        """Return what the folder of results keeps of the match."""
        settings = {**asdict(self), "board": str(self.board)}
        settings["openings"] = [" ".join(opening) for opening in self.openings]
        if self.terms == FREE:  # as runs that were begun before there were terms
            del settings["terms"]
        return Description("match", settings, COLUMNS, self.games, {})


def every_cell(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return the openings of one stone, one a cell, in row order."""
    return tuple((board.name(cell),) for cell in range(board.cells))


def play(scheduled: Scheduled) -> list[Row]:
    """Play a scheduled game; return its row."""
    board = Board(scheduled.rows, scheduled.columns)
    opening = [Move.parse(name, board) for name in scheduled.opening]
    game = play_game(
        scheduled.black,
        scheduled.white,
        board,
        scheduled.seed,
        opening,
        scheduled.swap,
        terms=scheduled.terms,
    )
    return [
        (
            scheduled.number,
            game.black,
            game.white,
            scheduled.first,
            scheduled.seed,
            " ".join(scheduled.opening),
            str(game.winner),
            len(game.moves),
            " ".join(move.name(board) for move in game.moves),
        )
    ]
