"""Makes the sample game of the package: two of our own evaluators play each other.

Run: ``python -m tests.make_sample``
"""

from pathlib import Path

import hextui
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import Move, Position
from hextui.records.formats import save
from hextui.records.record import Record

OPENING = "a2"
PLAYERS = {Color.BLACK: "k-paths:1", Color.WHITE: "resistance"}


def best_cell(bench: Workbench, position: Position, name: str) -> int:
    bench.look_at(position)
    *_, ranking = evaluator(name).rank(bench)
    return ranking.moves[0].cell


def main() -> None:
    board = Board(11, 11)
    bench = Workbench(board)
    moves = [Move.parse(OPENING, board)]
    position = Position.empty(board).apply(moves[0])
    while position.winner is None:
        moves.append(Move.play(best_cell(bench, position, PLAYERS[position.to_move])))
        position = position.apply(moves[-1])
    record = Record.of_moves(board, moves)
    winner = "B" if position.winner is Color.BLACK else "W"
    for name, value in (
        ("GN", "Sample: two evaluators of hextui"),
        ("PB", PLAYERS[Color.BLACK]),
        ("PW", PLAYERS[Color.WHITE]),
        ("RE", f"{winner}+"),
        ("C", f"Played by hextui itself, one ply ahead, after the opening {OPENING}."),
    ):
        record.set_property(record.root, name, [value])
    save(record, Path(hextui.__file__).parent / "samples" / "sample.sgf")


if __name__ == "__main__":
    main()
