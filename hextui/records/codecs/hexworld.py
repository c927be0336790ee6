"""Links to the boards of hexworld.org and trmph.com, and Hexata's text with variations.

A link ends in ``#size flags,played,future``. The size is columns or columns x rows, the flags turn
the view (``r1`` to ``r12``, ``m``), number moves (``n``) and choose colours (``c1``); the second
comma is the cursor. Moves stand without separators; colours follow from their order, Black (Red)
first. Hexata adds variations in parentheses after the first move of the main line. In links of
trmph.com a second move on the first cell is a swap.

The rules are those of HexWorld's own reader: a swap is legal as the second move only, and after
swap-sides the stones of the colour that swapped come next.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from urllib.parse import unquote

from hextui.engine.board import Color
from hextui.engine.position import SWAPS, Move, MoveKind, Position
from hextui.records.codecs.codec import (
    DEFAULT_SIDE,
    VIEW_FLAGS,
    Codec,
    FileText,
    GameText,
    is_size,
    split_lines,
)
from hextui.records.record import Record
from hextui.records.record_text import Place, RecordError, bare_link, shorten
from hextui.records.tree import Node, Setup, Turn

ADDRESS = "https://hexworld.org/board/"
USUAL_FLAGS = "c1"  # as in most links: a record without flags of its own is written with them

_FLAGS = re.compile(r"(?i:r[0-9]+|m|n|c[0-9]+)*")
_HEAD = re.compile(rf"(?:([0-9]+)(?:x([0-9]+))?)?({_FLAGS.pattern})")
_TOKEN = re.compile(r"[A-Za-z]+[1-9][0-9]*|:s|:S|:p|:[rf][bw]|[,()]")
_WINNER = re.compile(r"\s+([br12])\s*", re.IGNORECASE)
_FRAGMENT = re.compile(
    rf"[0-9]+(?:x[0-9]+)?{_FLAGS.pattern}(?:,(?:[A-Za-z]+[0-9]+|:[sSp]|:[rf][bw]|[,()])*)?(?:\s+[br12])?"
)
_ADDRESS = re.compile(r"https?://|(?:www\.)?(?:hexworld\.org|trmph\.com)/|#[0-9]", re.IGNORECASE)

_LINK_IN_TEXT = re.compile(
    r"(?<![\w./])(?:https?://)?(?:www\.)?(?:hexworld\.org/board/?|trmph\.com/hex/board)(?:#|%23)"
    r"[0-9A-Za-z:,()%]++",
    re.IGNORECASE,
)

_WORDS = {
    ":s": Turn(Color.WHITE, Move(MoveKind.SWAP_PIECES)),
    ":S": Turn(Color.WHITE, Move(MoveKind.SWAP_SIDES)),
    ":rb": Turn(Color.BLACK, Move(MoveKind.RESIGN)),
    ":rw": Turn(Color.WHITE, Move(MoveKind.RESIGN)),
    ":fb": Turn(Color.BLACK, Move(MoveKind.RESIGN), forfeit=True),
    ":fw": Turn(Color.WHITE, Move(MoveKind.RESIGN), forfeit=True),
}
_TOKENS = {turn: token for token, turn in _WORDS.items()}


class HexWorld(Codec):
    """Links and fragments of hexworld.org, one a line; Hexata's text is read here, too.

    The cursor is kept as ``IP`` (see ``Record.shown``) unless it is at the end. Behind a link of
    trmph.com, whose first player is Blue, the winner may follow (``b``, ``r``, 1, 2). A turn out of
    order is written with a pass before it, and stones set outside the turns as moves and passes; no
    move stands for cells set to empty or to the other colour.
    """

    name = "hexworld"

    def detects(self, head: str) -> bool:
        line = bare_link(split_lines(head, 1)[0].strip())
        in_text = len(line.split()) > 2 and _LINK_IN_TEXT.search(line) is not None
        # a size alone is a list of moves
        return self.recognizes(line, bare=True) and not (in_text or is_size(line))

    def recognizes(self, word: str, bare: bool = False) -> bool:
        word = bare_link(unquote(word))
        if "\n" in word:
            return False
        return bool(_ADDRESS.match(word) or (bare and _FRAGMENT.fullmatch(word)))

    def read(self, game: GameText) -> Record:
        text = unquote(game.text).rstrip()
        link = bare_link(text.lstrip())
        offset = text.find(link)
        text = text[: offset + len(link)]
        game = replace(game, text=text)
        if _ADDRESS.match(text, offset) and "#" not in text:
            raise game.error("this link holds no game behind a '#' (links are not fetched)", offset)
        offset = max(offset, text.find("#") + 1)
        head = _HEAD.match(text, offset)
        assert head
        columns, rows, flags = head.groups()
        record = Record(game.board_of_size(columns or str(DEFAULT_SIDE), rows, offset))
        flags = flags.lower()
        if flags != USUAL_FLAGS:
            record.root.properties[VIEW_FLAGS] = (flags,)
        offset = head.end()
        if offset < len(text) and text[offset] != ",":
            what = f"{_rest(text, offset)!r} instead of options (r1 to r12, m, n, c1) or ','"
            game.flaw(what, offset)
            offset -= 1
        _read_moves(game, offset + 1, record)
        return record

    def write(self, record: Record, node: Node | None = None) -> str:
        cursor = _cursor_of(record, node)
        played = "".join(chain.from_iterable(_tokens(record, step) for step in cursor.line()))
        future = "".join(chain.from_iterable(_tokens(record, step) for step in cursor.onward()))
        return f"{ADDRESS}#{_head(record)},{played},{future}".rstrip(",")

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        """Return the first position that is written and not found, or the cursor, in words."""
        cursor = _cursor_of(record, node)
        read = {_shown_at(again, step) for step in again.nodes()}
        for step in self.written_nodes(record, cursor):
            if _shown_at(record, step) not in read:
                return f"the position {step.place(record.board)}"
        same = _shown_at(record, cursor) == _shown_at(again, _cursor_of(again, None))
        return "" if same else "the cursor"

    def written_nodes(self, record: Record, cursor: Node) -> Iterable[Node]:
        """Return the nodes that are written: the line through the cursor."""
        return [*cursor.line(), *cursor.onward()]


class TextWithLinks(Codec):
    """Links that stand somewhere in a text, such as a mail or a page in Markdown; only read."""

    name = "links"
    starts = _LINK_IN_TEXT
    writes = False

    def recognizes(self, word: str, bare: bool = False) -> bool:
        return False

    def split(self, file: FileText) -> Iterator[GameText]:
        for number, line in file.lines_as_they_come():
            for link in self.starts.finditer(line):
                text = link[0].rstrip(":,")
                while text.endswith(")") and text.count(")") > text.count("("):
                    text = text[:-1].rstrip(":,")  # of the text around the link
                yield file.game(self, text, Place(number, link.start() + 1))

    def read(self, game: GameText) -> Record:
        return HexWorld().read(game)


class Hexata(HexWorld):
    """Hexata's text of a tree. Its files are read as HexWorld's fragments, with variations."""

    name = "hexata"

    def detects(self, head: str) -> bool:
        return False

    def write(self, record: Record, node: Node | None = None) -> str:
        words = _WordTree(record)
        cursor = words.after[_cursor_of(record, node)]
        spelled = list(words.words)
        spelled[cursor] += ","
        parts = [_head(record), ",", spelled[0]]
        # A number stands for what follows that word: the main word, the variations, the main line.
        waiting: list[int | str] = [0]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
            elif words.following[item]:
                main, *variations = words.following[item]
                waiting.append(main)
                for other in reversed(variations):
                    waiting += [")", other, spelled[other], "("]
                waiting.append(spelled[main])
        text = "".join(parts).rstrip(",")
        # A size alone would be read as a list of moves.
        return text if text.strip("0123456789x") else f"{text},"

    def written_nodes(self, record: Record, cursor: Node) -> Iterable[Node]:
        return record.nodes()


def _read_moves(game: GameText, offset: int, record: Record) -> None:
    """Read the moves of a link from a character of it on.

    A move that cannot be made is left out with what follows it in its variation.
    """
    text = game.text
    node: Node | None = record.root
    cursor: Node | None = None
    branchings: list[Node | None] = []
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            winner = _WINNER.fullmatch(text, offset)
            if winner is None:
                game.flaw(f"{_rest(text, offset)!r} is not a move", offset)
                break
            record.root.properties["RE"] = ("B+" if winner[1].lower() in ("b", "1") else "W+",)
            break
        if match[0] == ",":
            if cursor is not None:
                game.flaw("a third comma: the second one is for the cursor", offset)
            cursor = cursor or node
        elif match[0] == "(":
            if node is record.root:
                game.flaw("a variation before the first move", offset)
            branchings.append(node)
            node = node and node.parent
        elif match[0] == ")":
            if branchings:
                node = branchings.pop()
            else:
                game.flaw("')' without '('", offset)
        elif node is not None:
            try:
                node = record.append(node, _turn(record, node, match[0]))
            except ValueError as error:
                game.flaw(error, offset)
                node = None
        offset = match.end()
    if branchings:
        game.flaw("a variation is not closed by ')'", len(text))
    if cursor is not None and (cursor.children or cursor is not record.root.end()):
        cursor.properties["IP"] = ("",)


def _turn(record: Record, node: Node, token: str) -> Turn:
    """Return the turn that a token behind a node stands for. Raises ValueError."""
    if token in (":s", ":S") and not _may_swap(node):
        raise ValueError(f"{token}: a swap is legal as the second move only")
    if token in _WORDS:
        return _WORDS[token]
    to_move = record.position(node).to_move
    if token == ":p":
        return Turn(to_move, Move(MoveKind.PASS))
    turn = Turn(to_move, Move.play(record.board.cell(token)))
    if node.turn and node.turn.move == turn.move and _may_swap(node):
        return _WORDS[":s"]
    return turn


def _rest(text: str, offset: int) -> str:
    return shorten(text[offset:], 20)


def _may_swap(node: Node) -> bool:
    """Whether a swap can follow: one stone by a turn, and nothing else, is on the board."""
    turns = [earlier for earlier in node.line() if earlier.turn or earlier.setup]
    return (
        len(turns) == 1
        and turns[0].turn is not None
        and turns[0].turn.color is Color.BLACK
        and turns[0].turn.move.kind is MoveKind.PLAY
    )


class _WordTree:
    """A tree with one word a node; the words of a HexWorld link are not one to a record's node."""

    def __init__(self, record: Record) -> None:
        self.words = [""]
        self.following: list[list[int]] = [[]]
        self.after: dict[Node, int] = {}  # the last word that each node of the record takes
        for node in record.nodes():
            place = self.after[node.parent] if node.parent else 0
            for word in _tokens(record, node):
                self.words.append(word)
                self.following.append([])
                self.following[place].append(len(self.words) - 1)
                place = len(self.words) - 1
            self.after[node] = place


def _head(record: Record) -> str:
    """Return the size and the flags as they stand before the first comma of a link."""
    flags = record.info(VIEW_FLAGS) if VIEW_FLAGS in record.root.properties else USUAL_FLAGS
    flags = flags if _FLAGS.fullmatch(flags) else USUAL_FLAGS
    board = record.board
    size = f"{board.columns}" if board.rows == board.columns else str(board)
    return size + flags


def _tokens(record: Record, node: Node) -> Iterator[str]:
    """Yield what a link says for one node; raises RecordError for what no move stands for."""
    if node.setup:
        yield from _setup_tokens(record, node)
    if node.turn is None:
        return
    assert node.parent is not None
    kind = node.turn.move.kind
    if kind in SWAPS and (node.turn.color is Color.BLACK or not _may_swap(node.parent)):
        raise RecordError(f"a HexWorld link cannot hold {kind} at move {node.ply}, only at move 2")
    to_move = record.position(node.parent).to_move
    if kind is not MoveKind.RESIGN and node.turn.color is not to_move:
        yield ":p"
    if kind is MoveKind.PASS:
        yield ":p"
    elif kind is MoveKind.PLAY:
        yield record.board.name(node.turn.move.cell)
    else:
        yield _TOKENS[node.turn]


def _setup_tokens(record: Record, node: Node) -> Iterator[str]:
    board = record.board
    after = record.position(node)
    before = record.position(node.parent) if node.parent else Position.empty(board)
    setup = Setup.between(before, after)
    to_move = before.to_move
    for cell in setup.cells:
        if before.stones[cell]:
            name = board.name(cell)
            raise RecordError(f"a HexWorld link cannot hold the setup that changes {name}")
    to_add = {color: setup.cells_with(color) for color in Color}
    while any(to_add.values()) or to_move is not after.to_move:
        yield board.name(to_add[to_move].pop(0)) if to_add[to_move] else ":p"
        to_move = to_move.opponent


def _cursor_of(record: Record, node: Node | None) -> Node:
    """Return where a link's cursor is: at ``node``, else at ``IP``, else at the end."""
    return node or record.shown() or record.root.end()


def _shown_at(record: Record, node: Node) -> tuple[bytes, int]:
    """Return what a link keeps of a position: stones and side to move."""
    position = record.position(node)
    return position.stones, position.to_move
