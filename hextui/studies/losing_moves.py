"""The study ``losing-moves``: where an evaluator loses games that it could have won.

Past Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 7, which leaves it to be done.
An evaluator plays one ply deep against another player. Of each game that it loses, the solver goes
back from the end as far as it can prove who wins: the first move there by which the evaluator lost
a won position is kept, with a move that would have won.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.benches import bench_of
from hextui.engine.limit import Limit
from hextui.engine.position import Move, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.matches.match import MatchGame, play_game
from hextui.matches.results import Row
from hextui.matches.runs import Task
from hextui.studies.round_robin import meetings

COLUMNS = (
    "opening",
    "player",
    "winner",
    "plies",
    "moves",
    "known_from",
    "ply",
    "move",
    "better",
    "better_rank",
    "candidates",
)
TABLE_BYTES = 32 << 20


@dataclass(frozen=True)
class Trial:
    """A game of the evaluator ``name``, and how many positions the solver expands a ply at most."""

    board: Board
    name: str
    black: str
    white: str
    opening: int
    seed: int
    nodes: int


@dataclass(frozen=True)
class Loss:
    """What the solver says of a lost game; plies count from 1, 0 is none.

    ``known_from``: from before this ply on it is proved who wins each position. At ``ply`` the
    loser made ``move`` in a position that ``better`` wins.
    """

    known_from: int
    ply: int = 0
    move: int | None = None
    better: int | None = None


def trials(
    name: str, other: str, board: Board, cells: Sequence[int], nodes: int, seed: int
) -> list[Task]:
    """Return the games: every first stone of Black's, once with each colour."""
    return [
        Task(task.number, Trial(board, name, m.black, m.white, m.opening, m.seed, nodes))
        for task in meetings((name, other), board, cells, seed)
        for m in [task.payload]
    ]


def try_game(trial: Trial) -> list[Row]:
    """Play a game and look for the losing move; return its row."""
    board = trial.board
    game = play_game(trial.black, trial.white, board, trial.seed, [Move.play(trial.opening)])
    color = Color.BLACK if trial.black == trial.name else Color.WHITE
    loss = Loss(0) if game.winner is color else find_loss(game, color, trial.nodes)
    rank, candidates = 0, 0
    if loss.better is not None:
        position = _positions(game)[loss.ply - 1]
        bench = bench_of(board)
        bench.look_at(position)
        *_, ranking = evaluator(trial.name).rank(bench)
        rank, candidates = ranking.by_cell[loss.better].rank, len(ranking.moves)
    return [
        (
            board.name(trial.opening),
            str(color),
            str(game.winner),
            len(game.moves),
            " ".join(move.name(board) for move in game.moves),
            loss.known_from,
            loss.ply,
            "" if loss.move is None else board.name(loss.move),
            "" if loss.better is None else board.name(loss.better),
            rank,
            candidates,
        )
    ]


def find_loss(game: MatchGame, loser: Color, nodes: int) -> Loss:
    """Go back from the end of a game that a colour lost; ``nodes``: the solver's limit a ply.

    Moves of the opening are nobody's.
    """
    positions = _positions(game)
    solver = Solver(game.board, SolverSettings(table_bytes=TABLE_BYTES))
    winner, found = game.winner, Loss(len(game.moves))
    try:
        for at in reversed(range(len(game.moves))):
            position, after = positions[at], winner
            better: int | None = game.moves[at].cell
            if after is not position.to_move:
                *_, solution = solver.solve(position, Limit(nodes=nodes))
                if solution.winner is None:
                    break
                winner = solution.winner
                better = next(iter(solution.winning_moves), None)
            if at < game.opening:
                found = Loss(at + 1, found.ply, found.move, found.better)
            elif winner is loser and after is not loser:
                found = Loss(at + 1, at + 1, game.moves[at].cell, better)
            else:
                found = Loss(at + 1, found.ply, found.move, found.better)
    finally:
        solver.close()
    return found


def _positions(game: MatchGame) -> list[Position]:
    """Return the positions before each move, and the last one."""
    positions = [Position.empty(game.board)]
    for move in game.moves:
        positions.append(positions[-1].apply(move))
    return positions
