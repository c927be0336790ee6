"""The syntax of SGF: game trees of nodes of properties, before anything is known of Hex.

Source: SGF FF[4], "The Basics" (EBNF). Nothing here recurses, so depth costs nothing.
"""

import re
from dataclasses import dataclass, field

from hextui.records.errors import START, Place, RecordError
from hextui.records.text import encodable
from hextui.records.tree import MAX_NODES, TOO_MANY_NODES

NAME = re.compile(r"[A-Z][A-Z0-9]*")  # of a property, as it is kept and written

RAW_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)  # between its brackets

# Possessive, so that a missing bracket is found in one pass.
SGF_VALUE = re.compile(r"\s*\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)

MAX_VALUES = 2_000_000  # and points of setups, in one game

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)")
_LOWER = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class RawProperty:
    """A property as it stands in the text; ``name`` is one of ``NAME``."""

    name: str
    values: tuple[str, ...]
    offset: int


@dataclass(slots=True)
class RawNode:
    """A node as it stands in the text; ``parent`` and ``children`` are indices in the list."""

    parent: int
    offset: int
    properties: list[RawProperty] = field(default_factory=list)
    children: list[int] = field(default_factory=list)


class SgfSyntax:
    """Reads the nodes of one game from ``text``, which starts at the place ``start`` of its file.

    ``nodes`` are in the order of the text, the root first; ``value`` matches a value with
    its brackets and the space before. Raises RecordError with line and column.
    """

    def __init__(self, text: str, start: Place = START, value: re.Pattern[str] = SGF_VALUE) -> None:
        self.text = encodable(text)
        self.start = start
        self.nodes: list[RawNode] = []
        self._value = value
        self._at = 0
        self._values = 0
        self._read()

    def error(self, what: str, offset: int) -> RecordError:
        """Return the error that says ``what`` at a character of the text."""
        place = self.start.after(self.text[:offset])
        return RecordError(what, place.line, place.column)

    def count_value(self, offset: int) -> None:
        """Count one more value, which stands there. Raises RecordError if it is one too many."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self.error(f"more than {MAX_VALUES:,} values in one game", offset)

    def _read(self) -> None:
        text = self.text
        current = -1  # the node that the next one follows
        open_trees: list[tuple[int, int]] = []  # (offset of the bracket, node before it)
        may_follow = "("
        while True:
            self._skip_space()
            at = self._at
            if at == len(text):
                break
            sign = text[at]
            if sign not in may_follow:
                raise self.error(self._unexpected(sign, may_follow), at)
            self._at += 1
            if sign == "(":
                open_trees.append((at, current))
                may_follow = ";"
            elif sign == ";":
                current = self._add_node(current, at)
                may_follow = "();"
            else:
                current = open_trees.pop()[1]
                may_follow = "()" if open_trees else ""
        if open_trees:
            raise self.error("this '(' is never closed", open_trees[-1][0])
        if not self.nodes:
            raise self.error("there is no game here: SGF starts with '(;'", 0)

    @staticmethod
    def _unexpected(sign: str, may_follow: str) -> str:
        if not may_follow:
            return f"{sign!r} after the end of the game"
        if sign == ";" and may_follow == "()":
            return "a node after the variations of its game tree"
        wanted = " or ".join(repr(c) for c in may_follow)
        return f"{sign!r} where {wanted} is due"

    def _skip_space(self) -> None:
        match = _SPACE.match(self.text, self._at)
        assert match
        self._at = match.end()

    def _add_node(self, parent: int, offset: int) -> int:
        if len(self.nodes) == MAX_NODES:
            raise self.error(TOO_MANY_NODES, offset)
        node = RawNode(parent, offset)
        self.nodes.append(node)
        index = len(self.nodes) - 1
        if parent >= 0:
            self.nodes[parent].children.append(index)
        while match := _WORD.match(self.text, self._at):
            self._at = match.end()
            node.properties.append(self._property(match[1], match.start(1)))
        return index

    def _property(self, word: str, offset: int) -> RawProperty:
        values = []
        while match := self._value.match(self.text, self._at):
            values.append(match[1])
            self.count_value(match.start())
            self._at = match.end()
        self._skip_space()
        if self.text.startswith("[", self._at):
            raise self.error(f"the value of {word} is never closed by ']'", self._at)
        if not values:
            raise self.error(f"{word} has no value in brackets", offset)
        return RawProperty(_name(word), tuple(values), offset)


def _name(word: str) -> str:
    """Return the name that a word stands for: without the lower-case letters of FF[3].

    Where no name would stay, the word is one that no standard knows and is kept in capitals.
    """
    capitals = _LOWER.sub("", word)
    return capitals if NAME.fullmatch(capitals) else word.upper()
