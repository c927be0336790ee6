"""Read and write SGF, the Smart Game Format, in the dialects that Hex programs write.

Source: red-bean.com/sgf, FF[4] and "Hex" (GM[11]). Swaps and points in real files:

- HexGui 0.0 to 0.9 (``AP[HexGui:0.9]``) wrote swap-pieces and meant swap-sides; since 0.10 it means
  what it writes. Other versions are read like the files of other programs.
- HexGui reads points with two letters, as SGF has them for Go; KataHex wrote these and ``GM[1]``,
  where ``tt`` is a pass.
- Sabaki writes a swap as the image of the first stone, which it takes away, ``W[c1]AE[a3]``; on the
  long diagonal it is the same cell again, ``W[b2]``.
- Files of the Computer Olympiads write ``W[SWAP]`` or ``W[swap-pieces]`` where stones stay and
  White moves next. That follow-up is how they are recognised: after swapped pieces it is the other
  player's turn.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.records.codecs.codec import (
    DEFAULT_SIDE,
    Codec,
    FileText,
    Flaws,
    GameText,
    TextWindow,
    board_of,
    read_board,
    split_before,
)
from hextui.records.codecs.plain import USUAL_SIDES
from hextui.records.codecs.sgf_lines import sgf_line
from hextui.records.codecs.sgf_syntax import (
    GAME_START,
    NEXT_GAME,
    RawNode,
    RawProperty,
    SgfSyntax,
    split_sgf,
)
from hextui.records.move_line import MoveLine
from hextui.records.record import Record
from hextui.records.record_text import PROPERTY_NAME, RAW_VALUE, RecordError, unescape_line
from hextui.records.tree import NO_SETUP, Node, Properties, Setup, Turn, cells_of, point_name
from hextui.version import __version__

HEX, GO = "11", "1"

_GAME = re.compile(rf"{HEX}\b.*|hex\b.*|\s*", re.IGNORECASE | re.DOTALL)
_SIZE = re.compile(r"([0-9]+)(?:\s*[:,;/x*\xd7\s]\s*([0-9]+))?", re.IGNORECASE)
_CELL = re.compile(r"([a-z])([1-9][0-9]?)")
_HEXGUI = re.compile(r"HexGui\s*:\s*0\.([0-9]{1,9})", re.IGNORECASE)
_FIRST_TRUE_HEXGUI = 10  # the first 0.x that means what it writes
_SABAKI = re.compile(r"Sabaki", re.IGNORECASE)
_OF_OLYMPIADS = re.compile(r"Hex-benzene", re.IGNORECASE)
_SETUP = {"AB": Color.BLACK, "AW": Color.WHITE, "AE": EMPTY}
SETUP_PROPERTIES = (*_SETUP, "PL")
_SWAP_PIECES = Move(MoveKind.SWAP_PIECES)
_NUMBERED_COLORS = {ord("1"): "b", ord("2"): "w"}  # of PL, as older versions of SGF have them
# What stands in a root for the sake of the file, not of the game: written anew each time.
FILE_PROPERTIES = frozenset({"FF", "GM", "CA", "AP", "SZ"})
# If the root holds a move it becomes a node of its own, and these go with it.
_OF_A_MOVE = re.compile(
    "[CNV]|BL|WL|OB|OW|BM|DO|IT|TE|DM|GB|GW|HO|UC|MN|IP|AR|CR|DD|LB|LN|MA|SL|SQ|TR|FG|PM"
)
_LINE_LENGTH = 80


def read_sgf(text: str) -> Record:
    """Return the record of one game. Raises RecordError with line and column."""
    return Sgf().read_text(text)


def read_size(syntax: SgfSyntax, size: RawProperty) -> Board:
    """Return the board of ``SZ``: columns or columns:rows. Raises RecordError."""
    match = _SIZE.fullmatch(size.values[0].strip())
    if match is None:
        what = f"SZ[{size.values[0]}] is neither a number nor columns:rows"
        raise syntax.error(what, size.offset)
    try:
        return read_board(match[1], match[2])
    except ValueError as error:
        raise syntax.error(f"SZ: {error}", size.offset) from None


def _head(nodes: Sequence[RawNode]) -> dict[str, RawProperty]:
    """Return the properties that stand before the first move, by name: of each the first."""
    head: dict[str, RawProperty] = {}
    for index, node in enumerate(nodes):
        if node.parent != index - 1:  # a variation
            break
        for p in node.properties:
            head.setdefault(p.name, p)
        if "B" in head or "W" in head:
            break
    return head


def _usual_board(syntax: SgfSyntax) -> Board:
    """Return the board of a game without ``SZ``: the given one, or a usual one that holds it."""
    if syntax.board is not None:
        return syntax.board
    properties = (p for node in syntax.nodes for p in node.properties)
    values = [value for p in properties if p.name in ("B", "W", *_SETUP) for value in p.values]
    corners = " ".join(values).lower().replace(":", " ").split()
    cells = filter(None, (_CELL.fullmatch(point_name(corner)) for corner in corners))
    sides = [max(ord(cell[1]) - ord("a") + 1, int(cell[2])) for cell in cells]
    needed = max((side for side in sides if side <= USUAL_SIDES[-1]), default=DEFAULT_SIDE)
    side = next(side for side in USUAL_SIDES if side >= needed)
    if side != DEFAULT_SIDE:
        syntax.guess(f"no board size is given: {side}x{side} fits every move (--size N sets it)")
    return board_of(side, side)


class SgfReader:
    """Builds a record from nodes; a dialect overrides how moves and other properties are read."""

    def __init__(self, syntax: SgfSyntax) -> None:
        self.syntax = syntax
        head = _head(syntax.nodes)
        self._application = unescape_line(head["AP"].values[0]) if "AP" in head else ""
        game = head["GM"].values[0].strip() if "GM" in head else HEX
        if not _GAME.fullmatch(game) and not syntax.as_hex:
            hint = ": --as-hex of `convert` and `library import` reads it as Hex"
            what = f"GM[{game}] is not Hex, which is GM[{HEX}]{hint if game == GO else ''}"
            raise syntax.error(what, head["GM"].offset)
        size = head.get("SZ")
        sized = size is not None and size.values[0].strip()
        self.record = Record(read_size(syntax, size) if size and sized else _usual_board(syntax))
        self.board = self.record.board
        self._unplayed: list[Node] = []
        last: list[Node | None] = []  # the tree's node for each node of the text, None if cut off
        for index, raw in enumerate(syntax.nodes):
            node = last[raw.parent] if last else self.record.root
            last.append(node and self._add(index, raw, node))
            raw.properties.clear()  # half of the memory; nodes before this one are not looked at
        for node in self._unplayed:
            if node.parent and len(node.siblings) == 1 and not node.properties:
                node.parent.children = []

    def flaw(self, p: RawProperty, what: object, value: str = "") -> None:
        """Note what is wrong with a property, and with which value of it."""
        self.syntax.flaw(f"{p.name}[{value or p.values[0]}]: {what}", p.offset)

    def _add(self, index: int, raw: RawNode, node: Node) -> Node | None:
        """Add what one node of the text holds and return the last node that this takes.

        Several moves, or setup and a move, become nodes in a row, the setup first; real files have
        them though SGF forbids it. So does a move in the root. A move that cannot be made is left
        out with all that follows (None); an empty node keeps other moves from taking its place.
        """
        turns = [p for p in raw.properties if p.name in ("B", "W")]
        others = self.others(raw)
        setup = self._setup(raw)
        swaps = len(turns) == 1 and self.swaps(node, turns[0], index, setup)
        setup = NO_SETUP if swaps else setup
        if index == 0:
            others = {k: v for k, v in others.items() if k not in FILE_PROPERTIES}
            moved = {k: v for k, v in others.items() if turns and _OF_A_MOVE.fullmatch(k)}
            node.setup = setup
            node.properties = {k: v for k, v in others.items() if k not in moved}
            others = moved
        elif setup or not turns:
            try:
                node = self.record.append(node, None, setup, {} if turns else others)
            except ValueError as error:
                raise self.syntax.error(error, raw.offset) from None
        for number, p in enumerate(turns, start=1):
            properties = others if number == len(turns) else None
            if len(p.values) > 1:
                self.flaw(p, f"{p.name} has {len(p.values)} values; a move has one")
            try:
                color = Color.parse(p.name)
                turn = Turn(color, _SWAP_PIECES) if swaps else self.turn(p, index)
                node = self.record.append(node, turn, properties=properties)
            except RecordError as error:  # too many nodes
                raise self.syntax.error(error, p.offset) from None
            except ValueError as error:
                self.flaw(p, error)
                if others or not node.children:
                    self._unplayed.append(self.record.append(node, properties=others))
                return None
        return node

    def swaps(self, node: Node, p: RawProperty, index: int, setup: Setup) -> bool:
        """Whether a move, with the setup of its node, stands for a swap, as Sabaki writes it.

        That is the second move, to the image of the first stone, which the setup takes away.
        """
        if node.ply != 1 or self.board.rows != self.board.columns:
            return False
        position = self.record.position(node)
        try:
            turn = self.turn(p, index)
        except ValueError:  # reported when it is made
            return False
        if not position.swap_legal or turn.color is not position.to_move:
            return False
        stone = position.stones.index(turn.color.opponent)
        image = self.board.mirror(stone)
        if stone == image:  # elsewhere an error
            taken = setup == NO_SETUP and bool(_SABAKI.match(self._application))
        else:
            taken = setup == Setup({stone: EMPTY})
        return taken and turn.move == Move.play(image)

    def others(self, raw: RawNode) -> dict[str, tuple[str, ...]]:
        """Return the properties of a node that are neither moves nor setup."""
        others: dict[str, list[str]] = {}
        for p in raw.properties:
            if p.name not in ("B", "W", *SETUP_PROPERTIES):
                others.setdefault(p.name, []).extend(p.values)
        return {name: tuple(values) for name, values in others.items()}

    def _setup(self, raw: RawNode) -> Setup:
        if not any(p.name in SETUP_PROPERTIES for p in raw.properties):
            return NO_SETUP
        names: dict[int, str] = {}  # of the properties that set the cells
        to_move = None
        for p in raw.properties:
            if p.name in _SETUP:
                for cell in (cell for value in p.values for cell in self._points(value, p)):
                    if names.setdefault(cell, p.name) != p.name:
                        name = self.board.name(cell)
                        self.flaw(p, f"{name} is in {names[cell]} and in {p.name}", name)
            elif p.name == "PL":
                try:
                    to_move = Color.parse(p.values[0].strip().translate(_NUMBERED_COLORS))
                except ValueError as error:
                    self.flaw(p, error)
        return Setup({cell: _SETUP[name] for cell, name in names.items()}, to_move)

    def _points(self, value: str, p: RawProperty) -> list[int]:
        try:
            cells = cells_of(value, self.board)
        except ValueError as error:
            self.flaw(p, error, value)
            return []
        self.syntax.count_values(len(cells), p.offset)
        return cells

    def turn(self, p: RawProperty, index: int) -> Turn:
        """Return the turn that a property of a node stands for. Raises ValueError."""
        color = Color.parse(p.name)
        word = p.values[0].strip().lower()
        if word in ("swap", MoveKind.SWAP_PIECES):
            return Turn(color, Move(self._swap(word, color, index)))
        if not word or (word == "tt" and max(self.board.rows, self.board.columns) < 20):
            word = MoveKind.PASS
        return Turn.parse(color, point_name(word), self.board)

    def _swap(self, word: str, color: Color, index: int) -> MoveKind:
        """Return which swap a word means (see the head of this file)."""
        if word == MoveKind.SWAP_PIECES and self._application.startswith("hextui"):
            return MoveKind.SWAP_PIECES
        if hexgui := _HEXGUI.match(self._application):
            true = int(hexgui[1]) >= _FIRST_TRUE_HEXGUI
            return MoveKind.SWAP_PIECES if true else MoveKind.SWAP_SIDES
        nodes = self.syntax.nodes
        while index + 1 < len(nodes) and nodes[index + 1].parent == index:  # its first child
            index += 1
            for p in nodes[index].properties:
                if p.name in ("B", "W"):
                    same = Color.parse(p.name) is color
                    return MoveKind.SWAP_SIDES if same else MoveKind.SWAP_PIECES
        sides = _OF_OLYMPIADS.match(self._application)
        return MoveKind.SWAP_SIDES if sides else MoveKind.SWAP_PIECES


def write_sgf(record: Record) -> str:
    """Return the record as SGF text, FF[4], which ``read_sgf`` reads to an equal record."""
    line = record.move_line
    parts = ["("]
    width = 1
    for text in _tree_texts(record) if line is None else _line_texts(line):
        if width + len(text) > _LINE_LENGTH and text.startswith(";"):
            parts.append("\n")
            width = 0
        parts.append(text)
        width += len(text)
        if "\n" in text:
            width = len(text) - text.rfind("\n") - 1
    return "".join([*parts, ")\n"])


def _tree_texts(record: Record) -> Iterator[str]:
    """Yield the texts of nodes, and the brackets of variations."""
    waiting: list[Node | str] = [record.root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        yield _node_text(item, record.board)
        if len(item.children) == 1:
            waiting.append(item.children[0])
        else:
            for child in reversed(item.children):
                waiting += [")", child, "(" if _looks_like_a_game(child) else "\n("]


def _line_texts(line: MoveLine) -> list[str]:
    """Return the texts of the nodes of a line."""
    names = _turn_texts(line.board)
    texts = [_head_text(line.board)]
    texts += [names[color][cell] for color, cell in zip(line.colors, line.cells, strict=True)]
    if line.swap is not None:
        texts.insert(2, f";W[{line.swap}]")
    if line.end is not None:
        texts.append(f";{_turn_text(line.end, line.board)}")
    for ply, properties in line.properties.items():
        texts[ply] += property_text(properties)
    return texts


@cache
def _turn_texts(board: Board) -> tuple[list[str], ...]:
    """Return the texts of nodes with a stone, by colour and cell."""
    names = list(map(board.name, range(board.cells)))
    black = [f";B[{name}]" for name in names]
    white = [f";W[{name}]" for name in names]
    return [], black, white


def _head_text(board: Board) -> str:
    """Return the begin of a root's text."""
    size = board.rows if board.rows == board.columns else f"{board.columns}:{board.rows}"
    return f";FF[4]GM[{HEX}]CA[UTF-8]AP[hextui:{__version__}]SZ[{size}]"


def _turn_text(turn: Turn, board: Board) -> str:
    return f"{'BW'[turn.color - 1]}[{turn.name(board)}]"


def property_text(properties: Properties) -> str:
    """Return properties as SGF writes them in a node."""
    parts = []
    for name, values in properties.items():
        parts.append(f"{name}[{']['.join(values)}]" if values else name)
    return "".join(parts)


def _looks_like_a_game(node: Node) -> bool:
    """Whether a variation that begins with this node would, on a line of its own, be a new game."""
    if node.turn or node.setup:
        return False
    return next(iter(node.properties), "") in FILE_PROPERTIES


def _node_text(node: Node, board: Board) -> str:
    parts = [";" if node.parent else _head_text(board)]
    if node.turn:
        parts.append(_turn_text(node.turn, board))
    if node.setup:
        for name, stone in _SETUP.items():
            if cells := node.setup.cells_with(stone):
                parts.append(name + "".join(f"[{board.name(cell)}]" for cell in cells))
        if node.setup.to_move:
            parts.append(f"PL[{'BW'[node.setup.to_move - 1]}]")
    parts.append(property_text(node.properties))
    return "".join(parts)


def unreadable_property(record: Record) -> str:
    """Return the first property that SGF cannot hold, and where; '' if it can hold all."""
    line = record.move_line
    if line is not None and all(map(_is_readable, line.properties.values())):
        return ""
    for node in record.nodes():
        for name, values in node.properties.items():
            if not _is_readable({name: values}):
                return f"property {name} {node.place(record.board)}"
    return ""


def _is_readable(properties: Properties) -> bool:
    """Whether SGF can hold properties."""
    for name, values in properties.items():
        whole = bool(values) and all(map(RAW_VALUE.fullmatch, values))
        if not (whole and PROPERTY_NAME.fullmatch(name)):
            return False
    return True


class Sgf(Codec):
    """SGF, which holds all that a record is; saved records are in this format by default."""

    name = "sgf"
    suffixes = (".sgf", ".sgfs")

    def detects(self, head: str) -> bool:
        # text such as a mail's may stand before the game
        return GAME_START.search(head) is not None

    def recognizes(self, word: str, bare: bool = False) -> bool:
        return GAME_START.match(word) is not None

    def split(self, file: FileText) -> Iterator[GameText]:
        for text, start, stray in split_sgf(file, lead_bytes=file.lead_bytes):
            yield replace(file.game(self, text, start, file.board), flaws=Flaws(stray))

    def split_broken(self, game: GameText) -> Iterator[GameText]:
        if NEXT_GAME.search(game.text, 1) is None:
            return
        for stretch, start in split_before(NEXT_GAME, game.text, game.start):
            for text, place, stray in split_sgf(TextWindow(stretch), start):
                yield replace(game, text=text, start=place, flaws=Flaws(stray))

    def read(self, game: GameText) -> Record:
        if line := sgf_line(game, FILE_PROPERTIES):
            return Record(line.board, line=line)
        return SgfReader(SgfSyntax(game)).record

    def write(self, record: Record, node: Node | None = None) -> str:
        return write_sgf(record)

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        return record.difference(again)
