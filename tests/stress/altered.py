"""Records made by chance, written in a format, and altered: what the attacks on readers read."""

import random
from collections.abc import Callable, Sequence

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.records.record import Record
from hextui.records.record_text import RecordError, escape
from hextui.records.tree import NO_SETUP, Node, Setup, Turn
from tests.records.trees import text_as

OTHERS = ("hexworld", "hexata", "plain", "json")
READ_ONLY = (
    "BoardSize: 5x5\nFirst: V\nSwap: 1\nMoves:\n  1. A3 (12 ms) Swap (3 ms)\n  2. D4 (4 ms)\n",
    "InitialBoard:\n  A B\n1 V . 1\n 2 . H 2\n  A B\nFirst: H\nSwap: 0\nMoves:\n  1. B1 (1 ms)\n",
    "B[a3] W[d4] B[c5] 1\n", "boardsize 5 5\n1 play b a3\n=1\n\ngenmove w\n= b2\nundo\n",
    '{"game": "hex", "stack": [{"_results": [{"type": "place", "where": "d4"}]}]}\n',
    '<hexboard size="3x4" contents="R a1 B 2:b2 S (c1 c2) E *:c3"/>\n',
    "<hex> R3 C4 Va1 Hb2 Mc3 2:VH_ </hex>\n", "  a b\n 1 B . 1\n  2 . W 2\n   a b\n",
)  # fmt: skip
TEXTS = (
    "", "x", "a]b", "a\\", "a:b", "(;GM[11])", "\n(;SZ[5]B[a1])", "[[", "é", "林", "\u202e",
    "\x1b[31m", "\x9b", "\ufeff", "\ufffd", "\0", "\r", "\r\n", "\t", "\\\n", " a ", "B+R", "Void",
    "#5,a1", "{", "1.",
)  # fmt: skip
NAMES = (
    "C", "N", "TR", "LB", "PB", "PW", "RE", "GN", "EV", "IP", "HEXWORLD", "BL", "XX", "Z9", "TE",
    "BM", "SZ", "GM", "CA", "FF", "AP", "DT", "KO", "A1B2",
)  # fmt: skip
TOKENS = (
    "(", ")", ";", "[", "]", "\\", ":", ",", "(;", ")(", "\n", "\r\n", " ", "\n(;SZ[5]",
    "\n(;FF[4]GM[11]", "B[a1]", "W[b2]", "W[swap-pieces]", "W[swap]", "B[]", "B[a1]W[b2]",
    "AB[a1:c2]", "AE[a1]", "PL[W]", "SZ[3:2]", "SZ[19]", "GM[1]", "x1[5]", "f6W[a]", "b[a1]",
    "comment[x]", "C[", "CA[utf-16]", "CA[Shift_JIS]", "CA[rot13]", "IP[]", "AP[HexGui:0.9]",
    "AP[HexGui:0.10]", "CA[gb2312]", "CA[windows-31j]", "表]", "\x1b$B[\\\x1b(B", '"red": "表",',
    "FF[4]EV[x]", ";W[aa]", "SO[http://www.littlegolem.com]", "HEXWORLD[9]", "#", "#5,", ":s",
    ":S", ":p", ":rb", ":fw", "(a1)", "a1", "s19", "t20", "swap", "pass", "resign", "1.", "11",
    "5x5", "size 5", "red", "B+R", "{", "}", '"', '{"size": 5, "moves": ""}', "null", "true",
    "1e999", "-1", "9" * 30, "[" * 40, '{"a":' * 40, "\\ud800", "\0", "\x1b]52;c;aGk=\x07",
    "\u202e", "\x85", "\u2028", "\ufeff", "٣", "é", "%0A", "%00", "\n---\n", " good move ", "{t=3}",
    "], [", " (see b) ", "]C[", " TR[a1] hm]", "\n> ", "- ", "* ", "1 ", "!", "?!", "{hm}",
)  # fmt: skip


# Records, made by chance


def make_record(chance: random.Random) -> Record:
    """Return a small record with all that records can hold."""
    side = chance.choice((1, 2, 3, 3, 4, 5, 5, 7, 11, 19))
    board = Board(side, side if chance.random() < 0.8 else chance.randint(1, 6))
    record = Record(board, Node(properties=_properties(chance, 0.5)))
    nodes = [record.root]
    for _ in range(chance.randint(0, 10)):
        parent = nodes[-1] if chance.random() < 0.7 else chance.choice(nodes)
        turn, setup = _content(chance, record, parent)
        try:
            nodes.append(record.append(parent, turn, setup, _properties(chance, 0.2)))
        except IllegalMoveError:
            continue
    return record


def _properties(chance: random.Random, share: float) -> dict[str, tuple[str, ...]]:
    if chance.random() > share:
        return {}
    names = chance.choices(NAMES, k=chance.randint(1, 3))
    return {name: tuple(_values(chance)) for name in names}


def _values(chance: random.Random) -> list[str]:
    return [escape(chance.choice(TEXTS)) for _ in range(chance.choice((1, 1, 1, 2)))]


def _content(chance: random.Random, record: Record, parent: Node) -> tuple[Turn | None, Setup]:
    kind = chance.random()
    cells = range(record.board.cells)
    if kind < 0.05:
        return None, NO_SETUP
    if kind < 0.15:
        chosen = chance.sample(cells, min(len(cells), 4))
        to_move = chance.choice((None, *Color))
        stones = (Color.BLACK, Color.WHITE, Color.WHITE, EMPTY)
        return None, Setup(dict(zip(chosen, stones, strict=False)), to_move)
    position = record.position(parent)
    color = position.to_move if chance.random() < 0.9 else chance.choice(list(Color))
    if kind < 0.85 and position.empties:
        return Turn(color, Move.play(chance.choice(position.empties))), NO_SETUP
    move = Move(chance.choice([k for k in MoveKind if k is not MoveKind.PLAY]))
    return Turn(color, move, move.kind is MoveKind.RESIGN and chance.random() < 0.5), NO_SETUP


def make_text(chance: random.Random) -> str:
    """Return the text of a file with one or a few records in a format."""
    if chance.random() < 0.1:
        return "\n".join(_little_golem(chance) for _ in range(chance.choice((1, 1, 2))))
    if chance.random() < 0.15:
        return "".join(chance.choices(READ_ONLY, k=chance.choice((1, 1, 2))))
    form = chance.choice(("sgf", "sgf", "sgf", *OTHERS))
    return "".join(_one(chance, form) for _ in range(chance.choice((1, 1, 1, 1, 2, 3))))


def _one(chance: random.Random, form: str) -> str:
    record = make_record(chance)
    try:
        return text_as(form, record).rstrip("\n") + "\n"
    except RecordError:  # the format cannot hold it
        moves = [Move.play(cell) for cell in range(chance.randint(0, record.board.cells))]
        return text_as(form, Record.of_moves(record.board, moves[:8])).rstrip("\n") + "\n"


def _little_golem(chance: random.Random) -> str:
    side = chance.choice((11, 13, 19))
    letters = "abcdefghijklmnopqrs"[:side]
    first, *others = ("".join(chance.choices(letters, k=2)) for _ in range(4))
    points = [first, *["swap"] * (chance.random() < 0.5), *others]
    points += ["resign"] if chance.random() < 0.5 else []
    moves = "".join(f";{'WB'[n % 2]}[{point}]" for n, point in enumerate(points))
    names = [chance.choice(TEXTS) for _ in range(2)]
    return (
        f"(;FF[4]EV[{chance.choice(TEXTS)}]PB[{names[0]}]PW[{names[1]}]SZ[{side}]"
        f"RE[{chance.choice('BWx')}]SO[http://www.littlegolem.com]{moves})"
    )


# Alterations


def alter(data: bytes, chance: random.Random) -> bytes:
    """Return the text changed at one to a few places."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 2, 4, 8))):
        data = chance.choice(_ALTERATIONS)(data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randint(0, len(data))


def _piece(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = _place(data, chance)
    return start, min(len(data), start + chance.choice((1, 1, 2, 5, 20, 100)))


def _with_token(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.choice(TOKENS).encode() + data[at:]


def _with_token_at_sign(data: bytes, chance: random.Random) -> bytes:
    """Insert a token where something begins, so that more of the text stays whole."""
    signs = [at for at, byte in enumerate(data) if byte in b"();[],\n "]
    at = chance.choice(signs) if signs else 0
    return data[:at] + chance.choice(TOKENS).encode() + data[at:]


def _with_property(data: bytes, chance: random.Random) -> bytes:
    """Insert a property of any name behind a value."""
    ends = [at + 1 for at, byte in enumerate(data) if byte in b"];"]
    at = chance.choice(ends) if ends else 0
    letters = "abxyzABCFGMPSWZ0123456789"
    name = "".join(chance.choices(letters, k=chance.randint(1, 4)))
    if chance.random() < 0.3:
        name = chance.choice(NAMES)
    return data[:at] + f"{name}[{escape(chance.choice(TEXTS))}]".encode() + data[at:]


def _with_byte(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.randbytes(1) + data[at:]


def _with_other_byte(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def _without_piece(data: bytes, chance: random.Random) -> bytes:
    start, end = _piece(data, chance)
    return data[:start] + data[end:]


def _with_piece_again(data: bytes, chance: random.Random) -> bytes:
    start, end = _piece(data, chance)
    at = _place(data, chance)
    return data[:at] + data[start:end] + data[at:]


def _with_variation_again(data: bytes, chance: random.Random) -> bytes:
    """Insert what stands in a pair of parentheses in front of another one."""
    opened = [at for at, byte in enumerate(data) if byte == 40]
    if not opened:
        return data + data
    start = chance.choice(opened)
    end = data.find(b")", start) + 1
    at = chance.choice(opened)
    return data[:at] + data[start:end] + data[at:] if end else data + data[start:]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _nested(data: bytes, chance: random.Random) -> bytes:
    times = chance.choice((2, 50, 1200))
    return chance.choice((b"(", b"(;", b"[", b"{", b'{"a":', b'{"size":', b"#5,a1(")) * times + data


def _encoded(data: bytes, chance: random.Random) -> bytes:
    encoding = chance.choice(
        ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "cp932", "gb18030", "cp950")
    )
    return data.decode(errors="replace").encode(encoding, "replace")


_ALTERATIONS: Sequence[Callable[[bytes, random.Random], bytes]] = (
    *[_with_token] * 4, *[_with_token_at_sign] * 5, *[_with_property] * 6, *[_with_byte] * 2,
    *[_with_other_byte] * 3, *[_without_piece] * 4, *[_with_piece_again] * 3,
    *[_with_variation_again] * 2, _cut, _nested, _encoded,
)  # fmt: skip
