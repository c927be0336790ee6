"""The syntax of SGF: files of games, game trees, nodes, properties; nothing of the rules of Hex.

Source: SGF FF[4], "The Basics" (EBNF). Nothing here recurses, so depth costs nothing.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from hextui.records.codecs.codec import MAX_GAME, GameText, check_length
from hextui.records.record import MAX_NODES, TOO_MANY_NODES
from hextui.records.text import PROPERTY_NAME, START, Place, encodable

# Possessive, so that a missing bracket is found in one pass.
SGF_VALUE = re.compile(r"\s*\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)

MAX_VALUES = 2_000_000  # and points of setups, in one game

GAME_START = re.compile(r"\(\s*;")
NEXT_GAME = re.compile(r"^[ \t]*+\(\s*+;\s*+(?:FF|GM|SZ|CA|AP)\s*\[", re.MULTILINE)
"""Where games are taken up again after one that is never closed."""

_SIGN = re.compile(r"\s*(.?)")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)")
_LOWER = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class RawProperty:
    """A property as it stands in the text; ``name`` is one of ``PROPERTY_NAME``."""

    name: str
    values: tuple[str, ...]
    offset: int


@dataclass(slots=True)
class RawNode:
    """A node as it stands in the text; ``parent`` is its index in the list of nodes."""

    parent: int
    offset: int
    properties: list[RawProperty] = field(default_factory=list)


class SgfSyntax:
    """Reads the nodes of one game; ``value`` matches a value with brackets. Raises RecordError."""

    def __init__(self, game: GameText, value: re.Pattern[str] = SGF_VALUE) -> None:
        self.text = encodable(game.text)
        self.error = game.error
        self.nodes: list[RawNode] = []
        self._value = value
        self._at = 0
        self._values = 0
        self._read()

    def count_values(self, number: int, offset: int) -> None:
        """Count more values, which stand there. Raises RecordError if these are too many."""
        self._values += number
        if self._values > MAX_VALUES:
            raise self.error(f"more than {MAX_VALUES:,} values in one game", offset)

    def _read(self) -> None:
        current = -1  # the node that the next one follows
        open_trees: list[tuple[int, int]] = []  # (offset of the bracket, node before it)
        may_follow = "("
        while True:
            sign, at = self._next_sign()
            if not sign:
                break
            if sign not in may_follow:
                raise self.error(_unexpected(sign, may_follow), at)
            self._at = at + 1
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

    def _next_sign(self) -> tuple[str, int]:
        """Return the next character that is no space, '' at the end, and where it stands."""
        match = _SIGN.match(self.text, self._at)
        assert match
        return match[1], match.start(1)

    def _add_node(self, parent: int, offset: int) -> int:
        if len(self.nodes) == MAX_NODES:
            raise self.error(TOO_MANY_NODES, offset)
        node = RawNode(parent, offset)
        self.nodes.append(node)
        while match := _WORD.match(self.text, self._at):
            self._at = match.end()
            node.properties.append(self._property(match[1], match.start(1)))
        return len(self.nodes) - 1

    def _property(self, word: str, offset: int) -> RawProperty:
        values = []
        while match := self._value.match(self.text, self._at):
            values.append(match[1])
            self.count_values(1, match.start())
            self._at = match.end()
        sign, at = self._next_sign()
        if sign == "[":
            raise self.error(f"the value of {word} is never closed by ']'", at)
        if not values:
            raise self.error(f"{word} has no value in brackets", offset)
        return RawProperty(_name(word), tuple(values), offset)


def _unexpected(sign: str, may_follow: str) -> str:
    if not may_follow:
        return f"{sign!r} after the end of the game"
    if sign == ";" and may_follow == "()":
        return "a node after the variations of its game tree"
    return f"{sign!r} instead of {' or '.join(map(repr, may_follow))}"


def _name(word: str) -> str:
    """Return the name that a word stands for: without the lower-case letters of FF[3].

    Where no name would stay, the word is one that no standard knows and is kept in capitals.
    """
    capitals = _LOWER.sub("", word)
    return capitals if PROPERTY_NAME.fullmatch(capitals) else word.upper()


@cache
def _to_parenthesis(leads: str) -> re.Pattern[str]:
    """Return what matches up to the next parenthesis, past whole values.

    ``leads``: see ``Decoding.lead_bytes``. Double bytes of ISO-2022-JP stand between escapes.
    """
    plain = rf"[^\]\\\x1b{leads}]++"
    japanese = r"\x1b\$[^\x1b]*+\x1b\(.|\x1b(?!\$)"
    double = rf"[{leads}].|" if leads else ""
    value = rf"\[(?:{plain}|{double}{japanese}|\\(?:{double}.))*+\]"
    return re.compile(rf"(?:[^\[()]++|{value})*+", re.DOTALL)


def split_sgf(
    text: str, start: Place = START, lead_bytes: Callable[[str], str] = lambda game: ""
) -> Iterator[tuple[str, Place]]:
    """Split at the end of each game; for ``lead_bytes`` see ``Decoding.lead_bytes``.

    Raises RecordError for a game that is too long, and for text between games that seems part of
    one.
    """
    end = 0
    while found := GAME_START.search(text, end):
        between, begin = text[end : found.start()], found.start()
        _check_between_games(between, start)
        start = start.after(between)
        end = _end_of_game(text, begin)
        if leads := lead_bytes(text[begin:end]):
            end = _end_of_game(text, begin, leads)
        game = text[begin:end]
        check_length(len(game), start, MAX_GAME)
        yield game, start
        start = start.after(game)
    _check_between_games(text[end:], start)


def _end_of_game(text: str, begin: int, leads: str = "") -> int:
    """Return where the game that begins there ends: at the next one if it is never closed."""
    stretch = _to_parenthesis(leads)
    depth, at = 1, begin + 1
    while depth:
        match = stretch.match(text, at)
        assert match
        at = match.end()
        if at == len(text) or text[at] == "[":  # a bracket is never closed
            return len(text)
        if text[at] == "(" and (depth == MAX_NODES or NEXT_GAME.match(text, at)):
            return at
        depth += 1 if text[at] == "(" else -1
        at += 1
    return at


def _check_between_games(text: str, start: Place) -> None:
    """Raise RecordError if text outside the games looks like a piece of one."""
    stripped = text.lstrip()
    if stripped.startswith((")", ";")):
        place = start.after(text[: len(text) - len(stripped)])
        raise place.error(f"{stripped[0]!r} outside of a game, which begins with '(;'")
