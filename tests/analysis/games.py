"""Games for the tests of the analysis: lines of play, and verdicts on their plies."""

import random

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.ranking import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record

RED, BLUE = Color.BLACK, Color.WHITE
Line = tuple[GamePosition, ...]


def line_of(record: Record) -> Line:
    return game_positions(record, record.main_line())


def played(moves: str, side: int = 4) -> Line:
    board = Board(side, side)
    return line_of(Record.of_moves(board, [Move.parse(word, board) for word in moves.split()]))


def random_game(board: Board, seed: int) -> Record:
    """Return a game of random moves until a chain."""
    rng = random.Random(seed)
    position, moves = Position.empty(board), []
    while position.winner is None:
        moves.append(Move.play(rng.choice(position.empties)))
        position = position.apply(moves[-1])
    return Record.of_moves(board, moves)


def known(
    line: Line,
    winners: dict[int, Color],
    wins: dict[int, tuple[tuple[int, ...], bool]] | None = None,
    kind: VerdictKind = VerdictKind.SOLVER,
) -> Estimates:
    """Return estimates with proved winners, by ply, and moves proved to win: some or all."""
    found = Estimates()
    for ply, color in winners.items():
        found.keep_verdict(line[ply].position, Verdict(kind, color))
    for ply, (moves, complete) in (wins or {}).items():
        found.keep_wins(line[ply].position, moves, complete)
    return found


def rank_moves(line: Line, found: Estimates, ranks: dict[int, tuple[int, int]]) -> Estimates:
    """Rank the moves of plies, from 1, by the evaluator ``some``: a rank, of so many moves."""
    for ply, (rank, candidates) in ranks.items():
        here = line[ply - 1]
        assert here.cell is not None
        qualities = {here.cell: Quality(candidates, rank, float(rank))}
        best = here.position.empties[0]
        found.keep(here.position, "some", Estimate(1.0, (best,), qualities, True))
    return found


def rate(line: Line, by: str, *winrates: float | None, best: int = 4) -> Estimates:
    """Return estimates with win probabilities of plies by a search."""
    found = Estimates()
    for here, winrate in zip(line, winrates, strict=False):
        estimate = Estimate(winrate or 0.0, (best,), {}, False, winrate)
        found.keep(here.position, by, estimate)
    return found
