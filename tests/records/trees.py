"""Random game trees for the tests of records, and what they hold in words."""

from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.records.codecs import codec_named
from hextui.records.record import Record
from hextui.records.record_text import escape
from hextui.records.tree import NO_SETUP, Node, Setup, Turn

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_NAMES = st.sampled_from(["C", "N", "XX", "TR", "LB", "BL", "GB", "IY"])
_VALUES = st.lists(_TEXT.map(escape), min_size=1, max_size=2).map(tuple)
_PROPERTIES = st.dictionaries(_NAMES, _VALUES, max_size=2)
_COLORS, _TO_MOVE = st.sampled_from(Color), st.sampled_from([None, *Color])
_STONES = st.sampled_from([0, 1, 2])
_HELD = st.sampled_from(["turn", "turn", "turn", "setup", "nothing"])


@st.composite
def turns(draw: st.DrawFn, board: Board, free: list[int]) -> Turn:
    kinds = ["play"] * 6 * bool(free) + ["swap-sides", "pass", "resign", "forfeit"]
    if board.rows == board.columns:
        kinds.append("swap-pieces")
    kind = draw(st.sampled_from(kinds))
    color = draw(_COLORS)
    if kind == "play":
        return Turn(color, Move.play(draw(st.sampled_from(free))))
    if kind == "forfeit":
        return Turn(color, Move(MoveKind.RESIGN), forfeit=True)
    return Turn(color, Move(MoveKind(kind)))


@st.composite
def setups(draw: st.DrawFn, board: Board) -> Setup:
    cells = draw(st.dictionaries(st.integers(0, board.cells - 1), _STONES))
    return Setup(cells, draw(_TO_MOVE))


@st.composite
def records(draw: st.DrawFn, largest: int = 5, length: int = 12) -> Record:
    """A record with variations, setups, every kind of turn, comments and unknown properties."""
    board = Board(draw(st.integers(1, largest)), draw(st.integers(1, largest)))
    record = Record(board)
    nodes = [record.root]
    for _ in range(draw(st.integers(0, length))):
        parent = nodes[draw(st.integers(max(0, len(nodes) - 4), len(nodes) - 1))]
        free = list(record.position(parent).empties)
        held = draw(_HELD)
        nodes.append(
            record.append(
                parent,
                draw(turns(board, free)) if held == "turn" else None,
                draw(setups(board)) if held == "setup" else NO_SETUP,
                draw(_PROPERTIES),
            )
        )
    return record


def names(record: Record) -> str:
    """Return the names of the moves of the main line."""
    return " ".join(turn.name(record.board) for turn in record.turns())


def colored_names(record: Record) -> str:
    """Return them with their colours: ``B:a1 W:swap-pieces``."""
    return " ".join(f"{t.color.name[0]}:{t.name(record.board)}" for t in record.turns())


def text_as(form: str, record: Record, node: Node | None = None) -> str:
    """Return a record in a format, which is not read back."""
    return codec_named(form).write(record, node)
