"""The positions of a line of play, each with the move made there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise, product

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind, Position
from hextui.records.move_line import MoveLine
from hextui.records.record import Record
from hextui.records.tree import Node

_WAYS = tuple(product((False, True), repeat=2))
"""Whether a board is mirrored, and turned: all orientations of a game."""


@dataclass(frozen=True)
class GamePosition:
    """A position of a line of play; the side to move is the one that moved there.

    ``node`` is its node in the record. ``next_node`` holds the turn made there (None at the end
    of the line) and ``cell`` its stone, None if it put none. ``player`` is the colour of the player
    to move at the end of the game: the other one before an odd number of swap-sides.
    """

    node: Node
    position: Position
    player: Color
    next_node: Node | None = None
    cell: int | None = None

    @property
    def ply(self) -> int:
        """The number of turns made before."""
        return self.node.ply


def game_positions(record: Record, line: Sequence[Node]) -> tuple[GamePosition, ...]:
    """Return the positions of a line up to the first one won by a chain.

    A node that only sets up stones counts if it is the last before a turn.
    """
    swaps = sum(_kind(node) is MoveKind.SWAP_SIDES for node in line)
    line_positions = []
    for node, following in pairwise([*line, None]):
        assert node is not None
        if _kind(node) is MoveKind.SWAP_SIDES:
            swaps -= 1
        position = record.position(node)
        cell = None
        if following is not None:
            if following.turn is None:
                continue
            position = position.with_to_move(following.turn.color)
            cell = following.cell
        over = position.winner is not None
        player = position.to_move if swaps % 2 == 0 else position.to_move.opponent
        game_position = GamePosition(
            node=node,
            position=position,
            player=player,
            next_node=following,
            cell=None if over else cell,
        )
        line_positions.append(game_position)
        if over:
            break
    return tuple(line_positions)


def game_key(board: Board, end: Node) -> bytes:
    """Return 16 bytes that are equal for the same game, also turned or mirrored.

    The board, the stones set up, moves and swaps from the root to ``end`` make a game; players,
    comments, and who resigned do not.
    """
    return _key([_image(board, end, *how) for how in _WAYS])


def record_key(record: Record) -> bytes:
    """Return the key of a record's main line; see `game_key`."""
    line = record.move_line
    if line is None:
        return game_key(record.board, record.root.end())
    return _key([_image_of_line(line, *how) for how in _WAYS])


def _key(images: Sequence[str]) -> bytes:
    return blake2b(min(images).encode(), digest_size=16).digest()


def _image_of_line(line: MoveLine, mirrored: bool, turned: bool) -> str:
    """Return what `_image` does, many times faster."""
    texts = _texts_of_stones(line.board, mirrored, turned)
    events = [texts[color][cell] for color, cell in zip(line.colors, line.cells, strict=True)]
    if line.swap is not None:
        side = Color.BLACK if mirrored else Color.WHITE
        events.insert(1, str((int(side), str(line.swap))))
    board = line.board.transposed if mirrored else line.board
    return f"{board} [{', '.join(events)}]"


@lru_cache(maxsize=64)
def _texts_of_stones(board: Board, mirrored: bool, turned: bool) -> dict[Color, list[str]]:
    """Return the texts of turns that put a stone on the board, by colour and cell."""
    places = [board.image(cell, mirrored, turned) for cell in range(board.cells)]
    texts = {}
    for color in Color:
        side = color.opponent if mirrored else color
        texts[color] = [str((int(side), place)) for place in places]
    return texts


def _image(board: Board, end: Node, mirrored: bool, turned: bool) -> str:
    """Return a game as a text, mirrored with the colours exchanged, or turned."""

    def side(stone: int) -> int:
        return int(Color(stone).opponent) if stone and mirrored else int(stone)

    def place(cell: int) -> int:
        return board.image(cell, mirrored, turned)

    events: list[tuple[object, ...]] = []
    for node in end.line():
        setup, turn = node.setup, node.turn
        if setup:
            stones = sorted((place(cell), side(stone)) for cell, stone in setup.cells.items())
            events.append((stones, side(setup.to_move or 0)))
        if turn and turn.move.kind is MoveKind.PLAY:
            events.append((side(turn.color), place(turn.move.cell)))
        elif turn and turn.move.kind is not MoveKind.RESIGN:
            events.append((side(turn.color), str(turn.move.kind)))
    return f"{board.transposed if mirrored else board} {events}"


def line_key(positions: Sequence[GamePosition]) -> bytes:
    """Return the key of the game that positions are of; see `game_key`."""
    last = positions[-1]
    return game_key(last.position.board, last.node)


def leads_to(before: GamePosition, following: GamePosition) -> bool:
    """Whether the stone put at a position, and nothing else, led to the following one."""
    if before.cell is None:
        return False
    return before.position.play(before.cell).key == following.position.key


def _kind(node: Node) -> MoveKind | None:
    return node.turn.move.kind if node.turn else None
