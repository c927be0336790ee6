"""A game's moves and text as the library's file holds them.

Moves in turn from the empty board take a byte each, two on boards of more than 252 cells: the
numbers of ``MoveLine.numbers``, the negative ones as the largest. Where the game holds no more than
these moves and properties of its root, its text is that of the properties only; otherwise it is
SGF. In place of a value of a property that a column of the game's row has too stands a semicolon.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from hextui.engine.board import Board, Color
from hextui.engine.position import SWAPS
from hextui.library.answers import storable
from hextui.library.graph_positions import GamePositions, positions_up_to
from hextui.records.codecs.sgf import property_text, read_sgf, write_sgf
from hextui.records.move_line import LEAST_NUMBER, SWAP_NUMBERS, MoveLine, line_of_numbers
from hextui.records.record import Record
from hextui.records.record_text import IN_BRACKETS, RecordError
from hextui.records.tree import Properties

ONE_BYTE = 256 + LEAST_NUMBER
"""The most cells of a board whose moves take a byte."""
INFO_COLUMNS = {"PB": "black", "PW": "white", "EV": "event", "GN": "title", "DT": "date"}
"""The properties of SGF that columns of a game's row hold."""
_SGF = "("  # begins it, and no property
_OF_COLUMN = ";"  # in place of the value
_PROPERTIES = re.compile(rf"([A-Z][A-Z0-9]*+)({_OF_COLUMN}|(?:\[(?:[^\]\\]|\\.)*+\])++)", re.DOTALL)
_VALUES = re.compile(r"\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL)


def packed_moves(record: Record) -> bytes:
    """Return the moves of a record, b'' if they are not in turn from the empty board."""
    line = record.move_line
    if line is None:
        return b""
    numbers = np.array(line.numbers, "<i2")
    if line.board.cells <= ONE_BYTE:
        return numbers.astype(np.uint8).tobytes()
    return numbers.tobytes()


def line_of_moves(board: Board, data: bytes, properties: Properties) -> MoveLine:
    """Return the moves that were packed. Raises ValueError for what is not."""
    line = None
    numbers = _numbers(board, data)
    if numbers and max(numbers) < board.cells:
        line = line_of_numbers(board, numbers, {0: properties})
    if line is None:
        raise ValueError(f"moves are damaged on a {board} board")
    return line


def _numbers(board: Board, data: bytes) -> list[int]:
    """Return the numbers of packed moves, nothing if there are more than a game can have."""
    width = 1 if board.cells <= ONE_BYTE else 2
    if len(data) > width * (board.cells + 2):  # a swap and a resignation are the others
        return []
    if width == 2:
        numbers = np.frombuffer(data, "<i2")
    else:
        numbers = np.frombuffer(data, np.uint8).astype("<i2")
        numbers[numbers >= ONE_BYTE] -= 256
    listed: list[int] = numbers.tolist()
    return listed


def swapper_in(rows: int, columns: int, moves: bytes, text: str) -> int:
    """Return the Color that swapped in a game that is kept, 0 if nobody did."""
    if moves:
        return int(Color.WHITE) if _has_swap(Board(rows, columns), moves) else 0
    try:
        return swapper_of(read_sgf(text))
    except RecordError:
        return 0


def swapper_of(record: Record) -> int:
    """Return the Color that swapped in a game, 0 if nobody did."""
    line = record.move_line
    if line is not None:
        return 0 if line.swap is None else int(Color.WHITE)
    swaps = (turn for turn in record.turns() if turn.move.kind in SWAPS)
    return next((int(turn.color) for turn in swaps), 0)


def _has_swap(board: Board, moves: bytes) -> bool:
    """Return whether the second of packed moves is a swap."""
    width = 1 if board.cells <= ONE_BYTE else 2
    second = int.from_bytes(moves[width : 2 * width], "little", signed=True)
    return second in SWAP_NUMBERS


def rating_in(text: str, code: str) -> str:
    """Return the rating that a kept text gives under a code of SGF, '' without a number."""
    match = _rating_pattern(code).match(text)
    return match[1] if match else ""


@cache
def _rating_pattern(code: str) -> re.Pattern[str]:
    """Return what finds a property of the root that begins with a number."""
    others = rf"(?:\s*+(?!{code}\[)[A-Z]++{_OF_COLUMN}?+(?:\s*+{IN_BRACKETS})*+)*+"
    return re.compile(rf"(?:\(\s*+;)?{others}\s*+{code}\[\s*+([0-9]{{1,9}})", re.DOTALL)


def stored_text(record: Record) -> str:
    """Return the text that is kept of a record: its root's properties, or all of it as SGF."""
    line = record.move_line
    if line is None or len(line.properties) > 1 or not line.ends_in_turn:
        return storable(write_sgf(record))
    return storable(property_text(line.properties[0]))


def is_whole(text: str) -> bool:
    """Return whether a text that is kept is SGF."""
    return text.startswith(_SGF)


def without_columns(text: str, *columns: str) -> str:
    """Return a text as a row with these INFO_COLUMNS keeps it."""
    if is_whole(text):
        return text
    values = {code: f"[{value}]" for code, value in zip(INFO_COLUMNS, columns, strict=True)}

    def shortened(match: re.Match[str]) -> str:
        return match[1] + _OF_COLUMN if values.get(match[1]) == match[2] else match[0]

    return _PROPERTIES.sub(shortened, text)


def sgf_text(board: Board, moves: bytes, text: str, columns: Sequence[str]) -> str:
    """Return a game of a row with these INFO_COLUMNS as SGF.

    Raises ValueError or LookupError if its moves or its text are damaged.
    """
    if is_whole(text):
        return text
    values = dict(zip(INFO_COLUMNS, columns, strict=True))
    line = line_of_moves(board, moves, _properties(text, values))
    return write_sgf(Record(board, line=line))


def _properties(text: str, columns: Mapping[str, str]) -> Properties:
    """Return the properties of a text, in its order. Raises ValueError for any other text."""
    properties = {}
    end = 0
    for match in _PROPERTIES.finditer(text):
        if match.start() != end:
            break
        end = match.end()
        code, values = match.groups()
        properties[code] = (
            (columns[code],) if values == _OF_COLUMN else tuple(_VALUES.findall(values))
        )
    if end != len(text):
        raise ValueError("the properties of a game are damaged")
    return properties


class StoredPositions(NamedTuple):
    """The columns of a game's row that its positions follow from."""

    rows: int
    columns: int
    moves: bytes
    positions: int
    way: bytes
    first_ply: int
    complete: int


def positions_kept(games: Sequence[StoredPositions]) -> list[GamePositions]:
    """Return the positions of games. Raises ValueError or TypeError for damaged columns."""
    by_number: dict[int, GamePositions] = {}
    by_board: dict[Board, list[int]] = {}
    for number, game in enumerate(games):
        if game.moves:
            by_board.setdefault(Board(game.rows, game.columns), []).append(number)
        else:
            by_number[number] = GamePositions.unpack(game.way, game.first_ply, bool(game.complete))
    for board, numbers in by_board.items():
        lines = [line_of_moves(board, games[number].moves, {}) for number in numbers]
        counts = [games[number].positions for number in numbers]
        complete = [bool(games[number].complete) for number in numbers]
        positions = positions_up_to(board, lines, counts, complete)
        by_number.update(zip(numbers, positions, strict=True))
    return [by_number[number] for number in range(len(games))]


def moves_in(text: str) -> bytes:
    """Return the packed moves of a game in SGF, b'' if it cannot be read."""
    return _kept(text)[0]


def text_kept(text: str) -> str:
    """Return the text that is kept of a game in SGF, all of it if it cannot be read."""
    return _kept(text)[1]


@lru_cache(maxsize=1)  # both are asked for, of one game after the other
def _kept(text: str) -> tuple[bytes, str]:
    try:
        record = read_sgf(text)
    except RecordError:
        return b"", text
    if record.move_line is None:
        return b"", text
    return packed_moves(record), stored_text(record)
