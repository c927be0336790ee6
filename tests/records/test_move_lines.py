"""Games of moves in turn are read without nodes, and are the same as those read node by node."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board, Color, LargeBoard
from hextui.engine.position import MoveKind
from hextui.library.game import game_of
from hextui.library.stored_games import INFO_COLUMNS, StoredPositions, positions_kept, sgf_text
from hextui.records.codecs.codec import GameText
from hextui.records.codecs.json_games import JsonGames
from hextui.records.codecs.sgf import FILE_PROPERTIES, Sgf, SgfReader, write_sgf
from hextui.records.codecs.sgf_lines import sgf_line
from hextui.records.codecs.sgf_syntax import SgfSyntax
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from tests.library.games import Drawn, drawn_games

BOARDS = [Board(1, 1), Board(1, 4), Board(3, 2), Board(4, 4), Board(12, 12)]
games = st.sampled_from(BOARDS).flatmap(drawn_games)
HEADS = [
    "",
    "PB[Ann]PW[B\u00f6b]",
    "RE[B+R]DT[2019-05]",
    "AP[HexGui:0.9]",
    "AP[hextui:1]GN[x]RE[?]",
]
NOTES = ["", "C[so]", "BL[7.5]LB[a1:x][b1:y]", "\nWL[]"]
PIECES = ";()[]\\ BWAEGMSZ:a1b2\n"


def by_nodes(text: str) -> Record:
    return SgfReader(SgfSyntax(GameText(Sgf(), text, strict=True))).record


def check_same(record: Record, other: Record) -> None:
    """A record is the same as one with nodes, and so are its games."""
    assert record.move_line is not None
    assert other.move_line is None
    assert write_sgf(record) == write_sgf(other)
    if not isinstance(record.board, LargeBoard):
        check_same_game(record, other)
    assert record.move_line is not None
    assert record.plies == other.plies
    assert record.difference(other) == ""
    assert record.move_line is None
    assert record.position() == other.position()


def check_same_game(record: Record, other: Record) -> None:
    """The library keeps the same of both."""
    game, expected = game_of(record), game_of(other)
    positions, keys = game.positions, expected.positions
    assert positions.packed() == keys.packed()
    assert (positions.first_ply, positions.complete) == (keys.first_ply, keys.complete)
    assert game.moves
    stored = StoredPositions(
        rows=game.rows,
        columns=game.columns,
        moves=game.moves,
        positions=len(keys.keys),
        way=b"",
        first_ply=0,
        complete=keys.complete,
    )
    (kept,) = positions_kept([stored])
    assert kept.packed() == keys.packed()
    texts = []
    for one in (game, expected):
        columns = [getattr(one, name) for name in INFO_COLUMNS.values()]
        texts.append(sgf_text(record.board, one.moves, one.text, columns))
    assert texts[0] == texts[1]
    same = {"positions": None, "moves": None, "text": None}
    assert vars(game) | same == vars(expected) | same


def sgf_of(drawn: Drawn, head: str, notes: list[str], end: str) -> str:
    sides = f"{drawn.board.columns}:{drawn.board.rows}"
    parts = [f"(;GM[11]SZ[{sides}]{head}"]
    color = Color.BLACK
    for number, move in enumerate(drawn.moves):
        parts.append(f";{'BW'[color - 1]}[{move.name(drawn.board)}]{notes[number % len(notes)]}")
        if move.kind is not MoveKind.SWAP_SIDES:
            color = color.opponent
    return "".join([*parts, end, ")"])


@settings(max_examples=60)
@given(games, st.sampled_from(HEADS), st.lists(st.sampled_from(NOTES), min_size=1, max_size=3),
       st.sampled_from(["", ";B[resign]", ";W[forfeit]"]))  # fmt: skip
def test_sgf(drawn: Drawn, head: str, notes: list[str], end: str) -> None:
    text = sgf_of(drawn, head, notes, end)
    line = sgf_line(GameText(Sgf(), text), FILE_PROPERTIES)
    if drawn.moves[-1].kind is MoveKind.PLAY and not any(
        move.kind is MoveKind.SWAP_SIDES or ("HexGui" in head and move.kind is not MoveKind.PLAY)
        for move in drawn.moves
    ):
        assert line is not None
    if line is not None:
        check_same(Record(line.board, line=line), by_nodes(text))


@settings(max_examples=60)
@given(games, st.sampled_from([[], ["resign"], ["forfeit"]]))
def test_json(drawn: Drawn, end: list[str]) -> None:
    document = {"id": 7, **json.loads(drawn.json())}
    words = [*document["moves"].split(), *end]
    record, other = (
        JsonGames().read_text(json.dumps({**document, "moves": moves}))
        for moves in (" ".join(words), words)
    )
    check_same(record, other)


@settings(max_examples=300)
@given(drawn_games(Board(4, 4)), st.data())
def test_damaged_sgf_is_read_by_nodes_or_means_the_same(drawn: Drawn, data: st.DataObject) -> None:
    text = sgf_of(drawn, data.draw(st.sampled_from(HEADS)), NOTES, "")
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(begin + 3, len(text))))
        text = text[:begin] + data.draw(st.text(PIECES, max_size=4)) + text[end:]
    line = sgf_line(GameText(Sgf(), text), FILE_PROPERTIES)
    if line is not None:
        check_same(Record(line.board, line=line), by_nodes(text))


OPEN_QUESTIONS = [
    "(;SZ[5]AP[HexGui:0.9];B[a2];W[swap-pieces];B[c3])",
    "(;SZ[5]AP[ hexgui:0.9];B[a2];W[swap];B[c3])",
    "(;SZ[5];B[a2];W[swap])",
    "(;SZ[5];B[a2];W[SWAP];W[b2])",
    "(;SZ[5]AP[Hex-benzene:0.1];B[a2];W[SWAP])",
    "(;SZ[5];B[a2];W[swap-pieces];W[c3])",
    "(;SZ[5]AP[Sabaki:1];B[b2];W[b2])",
    "(;SZ[5];B[a2];W[b1]AE[a2])",
    "(;SZ[5];B[a1]AP[HexGui:0.9];W[swap-pieces];B[c3])",
    "(;SZ[5];B[a1];B[a2])",
    "(;SZ[5];B[a1];W[])",
    "(;SZ[5];B[aa];W[bb])",
    "(;SZ[5]C[a [b\\] c];B[a1];W[b2])",
    "(;SZ[5];B[a1](;W[b1])(;W[c1]))",
    "(;SZ[5]AB[c3];B[a1];W[b2])",
    "(;B[a1];W[b2])",
    "(;SZ[99];B[a1])",
    "(;SZ[5];B[a1]C[x]C[y])",
]


@pytest.mark.parametrize("text", OPEN_QUESTIONS)
def test_what_leaves_a_question_open_is_read_by_nodes(text: str) -> None:
    assert sgf_line(GameText(Sgf(), text), FILE_PROPERTIES) is None


def test_boards_that_are_not_analysed() -> None:
    text = "(;SZ[44:3];B[a1];W[b2])"
    line = sgf_line(GameText(Sgf(), text), FILE_PROPERTIES)
    assert line is not None
    check_same(Record(line.board, line=line), by_nodes(text))


@pytest.mark.parametrize("text", ["(;SZ[5];B[a1];W[a1])", "(;SZ[5];B[a2];W[swap];B[b1])"])
def test_a_move_to_a_taken_cell_is_reported(text: str) -> None:
    with pytest.raises(RecordError, match="is taken"):
        Sgf().read_text(text)
