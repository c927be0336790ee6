"""Games and matches between two players given by name, and the report on a match.

A match is many games, each fixed by its seed and its opening, as tasks for ``runs.run``.
"""

import random
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators.workbench import DEFAULT
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position, SwapRule
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engines.engine import EngineError
from hextui.engines.registry import player
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.records.record_text import escape
from hextui.runs.experiment import Experiment
from hextui.runs.proportions import Interval, proportion
from hextui.runs.reports import RunReport
from hextui.runs.results import Document, Row, RunError, Table
from hextui.text import Names, counted

if TYPE_CHECKING:
    from hextui.engines.attached_engine import AttachedPlayer
    from hextui.engines.own_players import EvaluatorPlayer

SOLVER_SETTINGS = SolverSettings(table_bytes=32 << 20)
COLUMNS = ("game", "black", "white", "first", "seed", "opening", "winner", "plies", "moves")


@dataclass(frozen=True)
class Terms:
    """Limits of a move, and when a lost game is resigned.

    ``seconds`` per move, None for no limit; one of our players then plays the best move found in
    time. ``visits`` per move of an attached engine, None for its own setting. ``resign_nodes``:
    nodes that the solver may expand before each move to prove that the player to move has lost,
    which then resigns; 0: games are played to the chain.
    """

    seconds: float | None = None
    visits: int | None = None
    resign_nodes: int = 0

    def clock(self) -> Callable[[], bool]:
        """Start the time of a move; return a function that returns whether it is over."""
        if self.seconds is None:
            return lambda: False
        end = time.monotonic() + self.seconds
        return lambda: time.monotonic() >= end


FREE = Terms()


@dataclass(frozen=True)
class MatchGame:
    """A finished game up to a chain or a resignation; the first ``opening`` moves were given."""

    board: Board
    black: str
    white: str
    opening: int
    moves: tuple[Move, ...]
    winner: Color

    @property
    def text(self) -> str:
        """The names of the moves, separated by blanks."""
        return " ".join(move.name(self.board) for move in self.moves)

    def positions(self) -> list[Position]:
        """Return the position before each move, and the last one, unless it was resigned."""
        positions = [Position.empty(self.board)]
        for move in self.moves:
            if move.kind is not MoveKind.RESIGN:
                positions.append(positions[-1].apply(move))
        return positions


def _is_lost(solver: Solver, position: Position, nodes: int) -> bool:
    """Return whether the nodes suffice to prove that the side to move loses without a swap."""
    *_, solution = solver.solve(position, Limit(nodes=nodes))
    return solution.winner is position.to_move.opponent


def derived_seed(*parts: object) -> int:
    """Return a seed that depends on all parts."""
    return random.Random(" ".join(map(str, parts))).getrandbits(31)


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played, as a worker gets it; ``opening``: names of moves.

    ``swap``: after a first move the second player may swap.
    ``connections``: how virtual connections are searched, for both. ``number``: in its match.
    """

    board: Board
    black: str
    white: str
    seed: int
    opening: tuple[str, ...] = ()
    swap: bool = False
    terms: Terms = FREE
    number: int = 0
    connections: ConnectionSettings = DEFAULT

    @property
    def first(self) -> str:
        """The colour of a match's first player, who has Black in games 1, 3, 5, ..."""
        return "black" if self.number % 2 else "white"

    def play(self) -> MatchGame:
        """Let the players play until a chain or a resignation; return the game.

        Attached engines may resign, and ``terms`` may make players resign that are proved to have
        lost and may not swap. Each player draws lots from its own seed, derived from ``seed``.
        Raises ValueError for an unknown name, IllegalMoveError if the opening does not fit, and
        RunError if an attached engine fails.
        """
        board, terms = self.board, self.terms
        limit = Limit(terms.seconds, visits=terms.visits)
        players = {
            color: player(name, derived_seed(self.seed, str(color)), self.connections, limit)
            for color, name in ((Color.BLACK, self.black), (Color.WHITE, self.white))
        }
        moves = [Move.parse(name, board) for name in self.opening]
        rule = SwapRule.usual(board) if self.swap else SwapRule.NONE
        position = Position.empty(board, swap_rule=rule)
        for move in moves:
            position = position.apply(move)
        with ExitStack() as stack:
            solver = None
            if terms.resign_nodes:
                solver = stack.enter_context(closing(Solver(board, SOLVER_SETTINGS)))
            while (winner := position.winner) is None:
                move = self._next_move(players[position.to_move], position, solver)
                moves.append(move)
                if move.kind is MoveKind.RESIGN:
                    winner = position.to_move.opponent
                    break
                position = position.apply(move)
        return MatchGame(
            board=board,
            black=players[Color.BLACK].name,
            white=players[Color.WHITE].name,
            opening=len(self.opening),
            moves=tuple(moves),
            winner=winner,
        )

    def _next_move(
        self, chooser: "EvaluatorPlayer | AttachedPlayer", position: Position, solver: Solver | None
    ) -> Move:
        """Return the player's move, or with a ``solver`` the resignation of a proved loss."""
        if solver is not None and self._resigns(solver, position):
            return Move(MoveKind.RESIGN)
        try:
            return chooser.choose(position, self.terms.clock())
        except EngineError as error:
            raise RunError(str(error)) from None

    def _resigns(self, solver: Solver, position: Position) -> bool:
        """Return whether the side to move may not swap and is proved to have lost."""
        return not position.swap_legal and _is_lost(solver, position, self.terms.resign_nodes)


def experiment(
    first: str,
    second: str,
    board: Board,
    games: int,
    openings: tuple[tuple[str, ...], ...] = ((),),
    swap: bool = False,
    seed: int = 0,
    terms: Terms = FREE,
) -> Experiment:
    """Return the match of two players; the first has Black in games 1, 3, 5, ...

    Pairs of games share an opening and a seed; they take the openings, names of moves, in turn.
    """
    tasks = {}
    for number in range(1, games + 1):
        pair, reversed_colors = divmod(number - 1, 2)
        black, white = (second, first) if reversed_colors else (first, second)
        opening = openings[pair % len(openings)]
        its_seed = derived_seed(seed, pair)
        tasks[number] = ScheduledGame(
            board=board,
            black=black,
            white=white,
            seed=its_seed,
            opening=opening,
            swap=swap,
            terms=terms,
            number=number,
        )
    settings = {
        "first": first,
        "second": second,
        "board": str(board),
        "games": games,
        "openings": [" ".join(opening) for opening in openings],
        "swap": swap,
        "seed": seed,
    }
    if terms != FREE:  # runs that were begun before there were terms have none
        settings["terms"] = asdict(terms)
    return Experiment(
        study="match",
        settings=settings,
        columns=COLUMNS,
        tasks=tasks,
        work=play,
        report=report,
        cells={board.cells},
    )


def every_cell(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return the openings of one stone, one a cell, in row order."""
    return tuple((board.name(cell),) for cell in range(board.cells))


def play(scheduled: ScheduledGame) -> list[Row]:
    """Play a game of a match; return its row."""
    game = scheduled.play()
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
            game.text,
        )
    ]


@dataclass(frozen=True)
class Score:
    """How many of some games were won."""

    games: int
    wins: int

    @property
    def share(self) -> Interval:
        """The share of wins with its 95% interval (Wilson)."""
        return proportion(self.wins, self.games)

    def document(self) -> Document:
        """Return the score as JSON; a share of no games is null."""
        ends = ("value", "low", "high")
        return asdict(self) | (asdict(self.share) if self.games else dict.fromkeys(ends))


def scores(table: Table) -> dict[str, Score]:
    """Return the first player's wins in all games, as Black and as White, and Black's wins."""
    games = list(zip(table.column("first"), table.column("winner"), strict=True))
    wins = {"overall": [own == won for own, won in games]}
    for color in ("black", "white"):
        wins[f"as_{color}"] = [won == color for own, won in games if own == color]
    wins["black"] = [won == "black" for _, won in games]
    return {name: Score(len(won), sum(won)) for name, won in wins.items()}


def report(table: Table, document: Document, names: Names) -> RunReport:
    """Return the report on a match, with ``games.sgf``."""
    settings = document["settings"]
    results = scores(table)
    distinct = len(table.distinct("moves"))
    player = settings["first"]
    other = settings["second"]
    made = RunReport(
        f"{player} against {other}",
        {"first": player, "second": other, "distinct": distinct}
        | {name: score.document() for name, score in results.items()},
    )
    opened = settings["openings"] != [""]
    conditions = [
        f"{settings['board']} board",
        counted(len(table.rows), "game"),
        *([counted(len(settings["openings"]), "opening")] if opened else []),
        *(["swap rule"] if settings["swap"] else []),
        f"seed {settings['seed']}",
        *_terms(settings.get("terms", {})),
    ]
    made.text(f"{', '.join(conditions)}. Share of wins with its 95% interval (Wilson).")
    first, second = names.both
    who = (player, f"{player} as {first}", f"{player} as {second}", first)
    rows = []
    for name, score in zip(who, results.values(), strict=True):
        share = f"{score.share:.3f}" if score.games else "-"
        rows.append([name, score.games, score.wins, share])
    made.table(["who", "games", "won", "share"], rows)
    if distinct < len(table.rows):
        made.text(
            f"Only {distinct} of the games differ: the intervals, which take games as "
            "independent, are too narrow."
        )
    games = _games(table, Board.parse(settings["board"]))
    made.files["games.sgf"] = "".join(write_sgf(record_of(game)) for game in games)
    return made


def _terms(terms: Document) -> list[str]:
    terms_told = []
    if terms.get("seconds") is not None:
        terms_told.append(f"{terms['seconds']:g} s a move")
    if terms.get("visits") is not None:
        terms_told.append(f"{counted(terms['visits'], 'visit')} a move of another engine")
    if terms.get("resign_nodes"):
        terms_told.append(f"losses proved with {counted(terms['resign_nodes'], 'node')} resigned")
    return terms_told


def _games(table: Table, board: Board) -> list[MatchGame]:
    games = []
    for row in table.records():
        game = MatchGame(
            board=board,
            black=row["black"],
            white=row["white"],
            opening=len(row["opening"].split()),
            moves=tuple(Move.parse(name, board) for name in row["moves"].split()),
            winner=Color.parse(row["winner"]),
        )
        games.append(game)
    return games


def record_of(game: MatchGame) -> Record:
    """Return a game as a record, with players, winner and opening."""
    record = Record.of_moves(game.board, game.moves)
    opening = " ".join(move.name(game.board) for move in game.moves[: game.opening])
    about = {
        "PB": game.black,
        "PW": game.white,
        "RE": "B+" if game.winner is Color.BLACK else "W+",
        **({"ON": opening} if opening else {}),
    }
    record.root.properties.update({name: (escape(text),) for name, text in about.items()})
    return record
