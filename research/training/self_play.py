"""``python -m research.training.self_play``: games that the tree search plays against itself.

Half of the games begin with one of all first moves in turn, which the second player takes over if
the search prefers that side; half with some plies of a game that is not held out. Then both sides
search each position. They play the most visited move, or in one ply of ten a move drawn by the
policy. A game ends when the search or a short proof by the solver finds the winner. Then the solver
goes back through the game to find from which ply on the result was certain.

A game depends on the seed and its number alone: several processes may play ranges of numbers. A
run that was stopped continues after its last game. Compressed with ``gzip -9``, the file is as good
as it was.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.tree_search import SearchedMove, TreeSearch
from hextui.engine.solver.dfpn import Solver, SolverSettings
from research.training.data import (
    HeldOut,
    add_held_out,
    after_move,
    after_moves,
    next_number,
    read_games,
    run_program,
    split,
)

BORROWED = 12
"""At most so many plies are those of a game."""
DRAWN = 0.1
"""The share of the moves that are drawn by the policy."""
LISTED = 6
"""So many of the most visited moves are written down."""
GOING_BACK = 10
"""Going back through the game, the solver has so many times as many nodes."""
SWAP_BELOW = 0.5
"""The second player takes the first move over if a win without it is less likely."""
TABLE_BYTES = 1 << 25


def main() -> int:
    """Write the games and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.self_play", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a game a line")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--count", type=int, default=1500, help="games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--visits", type=int, default=150, help="of the search, a position")
    parser.add_argument("--nodes", type=int, default=40, help="of the solver, a position")
    add_held_out(parser, "begin with no game whose number EVERY divides")
    return run_program(parser, _make)


def _make(options: argparse.Namespace) -> None:
    games, _ = split(read_games(options.games), HeldOut(options.held_out))
    board = Board(options.size, options.size)
    openings = [game.moves for game in games if game.board == board and len(game.moves) > 1]
    begun = max(next_number(options.file), options.first)
    with options.file.open("a", encoding="utf-8") as lines:
        for number in range(begun, options.first + options.count):
            game = SelfPlay(board, openings, number, options.seed)
            line = game.play(options.visits, options.nodes)
            print(json.dumps(line, separators=(",", ":")), file=lines, flush=True)


class SelfPlay:
    """A game that the search plays against itself; ``openings`` are the moves of other games."""

    def __init__(
        self, board: Board, openings: Sequence[Sequence[Move]], number: int, seed: int
    ) -> None:
        self._board = board
        self._number = number
        self._chance = np.random.default_rng((seed, number))
        self._search = TreeSearch(board)
        self._solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES))
        self._moves = [Move.play((number // 4 * 2 + number % 2) % board.cells)]
        if number % 4 >= 2 and openings:
            opening = openings[int(self._chance.integers(len(openings)))]
            most = min(BORROWED, len(opening) - 1)
            self._moves = list(opening[: int(self._chance.integers(1, most + 1))])

    def play(self, visits: int, nodes: int) -> dict[str, object]:
        """Play to the end and return the game as files have it: see data.py.

        ``visits`` of the search and ``nodes`` of the solver are spent on each position.
        """
        board, begun = self._board, len(self._moves)
        values, shares = list[str](), list[str]()
        position = after_moves(board, self._moves)
        while (winner := self._winner(position, visits, nodes)) is None:
            found = self._search.moves()
            if len(self._moves) == 1 and found[0].value < SWAP_BELOW:
                begun += 1
                position = self._go_on(position, Move(MoveKind.SWAP_PIECES))
                continue
            values.append(f"{100 * found[0].value:.0f}")
            shares.append(_shares(found, board))
            position = self._go_on(position, Move.play(self._choose(position, found)))
        proved = self._proved_from(winner, GOING_BACK * nodes)
        self._solver.close()
        return {
            "id": self._number,
            "size": board.rows,
            "winner": "red" if winner is Color.BLACK else "blue",
            "moves": " ".join(move.name(board) for move in self._moves),
            "begun": begun,
            "proved": proved,
            "values": " ".join(values),
            "visits": ",".join(shares),
        }

    def _go_on(self, position: Position, move: Move) -> Position:
        self._moves.append(move)
        return after_move(position, move)

    def _winner(self, position: Position, visits: int, nodes: int) -> Color | None:
        """Search a position; return who wins if the search or the solver proves it."""
        self._search.look_at(position, afresh=False)
        for _ in self._search.grow(Limit(visits=visits)):
            pass
        if self._search.wins is None:
            return self._solved(position, nodes)
        return position.to_move if self._search.wins else position.to_move.opponent

    def _solved(self, position: Position, nodes: int) -> Color | None:
        *_, solution = self._solver.solve(position, Limit(nodes=nodes))
        return solution.winner

    def _choose(self, position: Position, found: Sequence[SearchedMove]) -> int:
        """Return the cell of the most visited move, or one drawn by the policy."""
        if self._chance.random() < DRAWN:
            policy = shipped_judge().move_probabilities(position)
            shares = np.array(list(policy.values()))
            return int(self._chance.choice(list(policy), p=shares / shares.sum()))
        return max(found, key=lambda move: move.visits).cell

    def _proved_from(self, winner: Color, nodes: int) -> int:
        """Return after how many plies the solver proves the winner, and after each later one."""
        for ply in reversed(range(len(self._moves))):
            position = after_moves(self._board, self._moves[:ply])
            if self._solved(position, nodes) is not winner:
                return ply + 1
        return 0


def _shares(found: Sequence[SearchedMove], board: Board) -> str:
    """Return the most visited moves with their percentages of the visits."""
    total = sum(move.visits for move in found)
    most = sorted(found, key=lambda move: -move.visits)[:LISTED]
    percent = [(move.cell, round(100 * move.visits / total)) for move in most]
    return " ".join(f"{board.name(cell)}:{share}" for cell, share in percent if share)


if __name__ == "__main__":
    sys.exit(main())
