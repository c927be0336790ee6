"""What a hostile user does at the terminal, made from a seed: keys, mouse, pastes, resizes.

An action is what goes to the terminal at once: bytes, or another size. A burst is a row of actions
between which nothing is waited for.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.ui.app.main_screen import all_actions


@dataclass(frozen=True)
class Send:
    """Bytes that the terminal sends to the program."""

    data: bytes


@dataclass(frozen=True)
class Resize:
    """Another size of the terminal."""

    columns: int
    rows: int


Action = Send | Resize
Burst = tuple[Action, ...]

SHOT = "31337m"
"""Part of every escape sequence that is hidden in a record: it must never reach the terminal."""
HOSTILE = (
    f"\x1b[{SHOT}", f"\x9b{SHOT}", f"\x1b]52;c;{SHOT}\x07", f"\x1bP{SHOT}\x1b\\",
    f"\u202e{SHOT}\u2066", f"\x9d0;{SHOT}\x9c", "[@click=app.quit]click[/]", "[red]$x[/nothing]",
    "\U0001f600\u0301\u200d\u4e2d\uffff", "\r\n\t\x00\x7f", "]" + 40 * "[" + "\\",
)  # fmt: skip
_NAMED = {
    "enter": b"\r", "escape": b"\x1b", "tab": b"\t", "shift+tab": b"\x1b[Z", "space": b" ",
    "up": b"\x1b[A", "down": b"\x1b[B", "right": b"\x1b[C", "left": b"\x1b[D",
    "home": b"\x1b[H", "end": b"\x1b[F", "pageup": b"\x1b[5~", "pagedown": b"\x1b[6~",
    "delete": b"\x1b[3~", "backspace": b"\x7f", "insert": b"\x1b[2~", "f1": b"\x1bOP",
    "ctrl+up": b"\x1b[1;5A", "ctrl+home": b"\x1b[1;5H", "ctrl+end": b"\x1b[1;5F",
    "shift+left": b"\x1b[1;2D", "shift+home": b"\x1b[1;2H",
    "left_square_bracket": b"[", "right_square_bracket": b"]", "left_curly_bracket": b"{",
    "right_curly_bracket": b"}", "exclamation_mark": b"!", "comma": b",", "full_stop": b".",
    "question_mark": b"?", "slash": b"/",
}  # fmt: skip
_QUITTING = {"q", "ctrl+q"}
_MOVING = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab")
# What leads to places that single keys seldom find: typed one by one or in one piece.
_WAYS = (
    ["ctrl+n", *"9", "enter"],
    ["ctrl+n", "backspace", "backspace", *"3", "enter"],
    ["ctrl+n", *"x", "enter", "escape"],
    ["ctrl+o", *"games.sgf", "enter", "down", "enter"],
    ["ctrl+o", "down", "enter"],
    ["ctrl+p", "pagedown", "enter"],
    ["ctrl+p", *"zoom", "enter"],
    ["ctrl+p", *"theme", "enter", "down", "enter"],
    ["ctrl+s", "enter", "o"],
    ["X", "enter", "o"],
    ["L", "i", *"games.sgf", "enter"],
    ["L", "s", "r", "enter"],
    ["L", "slash", *"player=ann", "enter", "escape"],
    ["L", "delete", "y", "escape"],
    ["L", "w", "x", "escape"],
    ["C", "space", "down", "space", "enter"],
    ["V", "down", "enter"],
    ["K", *"triangle", "enter"],
    ["K", *"A", "enter"],
    ["F", *"date=2019", "enter"],
    ["W", "n", "n", "end", "q"],
    ["Y", "n", "n", "end", "p", "q"],
    ["Y", "o", "ctrl+u", *"nim 1,2", "enter", "n", "n", "n", "q"],
    ["7", "down", "up", "escape"],
    ["c", *"text", "escape"],
    ["c", "ctrl+s"],
    ["i", "b", "right", "w", "down", "x", "t", "i"],
    ["3", "y", "1"],
    ["2", "w", "down", "enter", "down", "escape"],
    ["4", "s", "s", "enter", "1"],
    ["tab", "Z", "n", "Z"],
    ["o", "down", "enter", "O"],
    ["?", "pagedown", "?"],
    ["a", "d", "D", "A"],
    ["ctrl+w", "d"],
    ["g", *"nnnnnnnn"],
)


def actions(seed: int, count: int) -> Iterator[Burst]:
    """Yield ``count`` actions in bursts."""
    chance = random.Random(seed)
    user = _User(chance)
    left = count
    while left > 0:
        length = min(left, 1 if chance.random() < 0.6 else chance.randint(2, 40))
        burst: list[Action] = []
        while len(burst) < length:
            burst += user.act()
        yield tuple(burst[:length])
        left -= length


class _User:
    """Chooses one act after the other; knows the size of the terminal."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._size = (80, 24)
        keys = {key for action in all_actions() for key in action.keys.split(",")}
        self._keys = sorted(keys - _QUITTING)

    def act(self) -> list[Action]:
        """Return the actions of one act."""
        chance = self._chance
        acts = (self._key, self._way, self._mouse, self._paste, self._resize)
        return chance.choices(acts, (50, 12, 30, 4, 4))[0]()

    def _key(self) -> list[Action]:
        chance = self._chance
        kind = chance.random()
        if kind < 0.002:
            key = chance.choice(sorted(_QUITTING))
        elif kind < 0.6:
            key = chance.choice(self._keys)
        elif kind < 0.8:
            key = chance.choice(_MOVING)
        elif kind < 0.95:
            key = chance.choice(("enter", "escape", "escape"))
        else:
            key = chance.choice((*_NAMED, *"019+-=xyzYN"))
        return [Send(bytes_of(key))] * (1 if chance.random() < 0.8 else chance.randint(2, 8))

    def _way(self) -> list[Action]:
        return [Send(bytes_of(key)) for key in self._chance.choice(_WAYS)]

    def _mouse(self) -> list[Action]:
        chance = self._chance
        width, height = self._size if chance.random() < 0.9 else (230, 70)
        x, y = chance.randint(1, width), chance.randint(1, height)
        kind = chance.random()
        if kind < 0.25:
            return [_mouse(chance.choice((64, 65, 65, 66, 67)), x, y)] * chance.randint(1, 5)
        if kind < 0.35:
            return [_mouse(35, x, y)]  # moved
        button = chance.choices((0, 1, 2), (10, 1, 2))[0] + chance.choice((0, 0, 0, 0, 4, 8, 16))
        if kind < 0.4:  # pressed or released, no more
            return [_mouse(button, x, y, chance.choice("Mm"))]
        if kind < 0.5:  # dragged
            to = [(chance.randint(1, width), chance.randint(1, height)) for _ in range(3)]
            moves = [_mouse(button + 32, *place) for place in to]
            return [_mouse(button, x, y), *moves, _mouse(button, *to[-1], "m")]
        click: list[Action] = [_mouse(button, x, y), _mouse(button, x, y, "m")]
        return click * chance.choice((1, 1, 1, 2, 3))

    def _paste(self) -> list[Action]:
        data = self._pasted().encode("utf-8", "replace")
        if self._chance.random() < 0.1:
            data = self._chance.randbytes(50).replace(b"\x1b", b"") + data
        return [Send(b"\x1b[200~" + data + b"\x1b[201~")]

    def _pasted(self) -> str:
        chance = self._chance
        kind = chance.random()
        if kind < 0.5:
            return hostile_record(chance)
        if kind < 0.75:
            return link(chance)
        if kind < 0.95:
            return "".join(chance.choices(HOSTILE, k=chance.randint(1, 5)))
        return chance.choice(("(;", "#", "x")) * chance.choice((1, 300, 5000))

    def _resize(self) -> list[Action]:
        chance = self._chance
        columns = chance.choice((1, 2, 20, 39, 40, 60, 80, 100, 120, 140, 160, 200))
        rows = chance.choice((1, 2, 5, 10, 20, 24, 30, 45, 60))
        self._size = (columns, rows)
        return [Resize(columns, rows)]


def bytes_of(key: str) -> bytes:
    """Return what a terminal sends for a key, by Textual's name of it."""
    if key in _NAMED:
        return _NAMED[key]
    modifier, _, letter = key.rpartition("+")
    if modifier == "ctrl" and len(letter) == 1:
        return bytes([ord(letter) & 31])
    return key.encode() if len(key) == 1 else b""


def hostile_record(chance: random.Random) -> str:
    """Return a record of chance as SGF, its texts full of escape sequences."""
    side = chance.choice((1, 2, 3, 3, 4, 5, 6, 7, 8, 11, 13, 19))
    board = Board(side, side if chance.random() < 0.8 else chance.randint(1, 9))
    cells = list(range(board.cells))
    chance.shuffle(cells)
    moves = [Move.play(cell) for cell in cells[: chance.randrange(min(board.cells, 40))]]
    record = Record.of_moves(board, moves)
    for name in ("PB", "PW", "EV", "GN", "RE", "DT"):
        if chance.random() < 0.5:
            record.set_texts(record.root, {name: "".join(chance.choices(HOSTILE, k=2))})
    for node in record.main_line():
        if chance.random() < 0.3:
            record.set_comment(node, "".join(chance.choices(HOSTILE, k=3)))
    return write_sgf(record)


def link(chance: random.Random) -> str:
    """Return a link of hexworld.org, sometimes a broken one."""
    board = Board(chance.choice((3, 5, 11)), chance.choice((3, 5, 11)))
    cells = chance.sample(range(board.cells), min(board.cells, chance.randint(0, 12)))
    moves = "".join(board.name(cell) for cell in cells)
    text = f"https://hexworld.org/board/#{board.columns}x{board.rows}n,{moves}"
    return text if chance.random() < 0.8 else text[: chance.randrange(len(text))]


def _mouse(button: int, x: int, y: int, state: str = "M") -> Send:
    return Send(f"\x1b[<{button};{x};{y}{state}".encode())
