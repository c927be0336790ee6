"""The syntax of SGF: files of games, game trees, nodes, properties; nothing of the rules of Hex.

Source: SGF FF[4], "The Basics" (EBNF). Nothing here recurses, so depth costs nothing.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hextui.records.codecs.codec import MAX_GAME, GameText, TextWindow, check_length
from hextui.records.codecs.sgf_plain import plain_game
from hextui.records.codecs.sgf_values import ROOT, TEXT_VALUE, to_parenthesis, value_pattern
from hextui.records.record import MAX_NODES, TOO_MANY_NODES
from hextui.records.record_text import (
    PROPERTY_NAME,
    RAW_VALUE,
    START,
    Place,
    RecordError,
    encodable,
    shorten,
)

# Benzene writes these without a value where a saved search tree has no such stones.
_MAY_BE_EMPTY = ("AB", "AW", "AE")
_ESCAPED_OR_END = re.compile(r"\\.|\]", re.DOTALL)

_AHEAD = 1 << 16  # characters behind a game that tell where it ends
MAX_VALUES = 2_000_000  # and points of setups, in one game

GAME_START = re.compile(rf"\(\s*(?:;|{ROOT})")
NEXT_GAME = re.compile(rf"^[ \t]*+\(\s*+;?\s*+{ROOT}", re.MULTILINE)
"""Where games are taken up again after one that is never closed."""

_SIGN = re.compile(r"\s*(.?)")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)")
_LOWER = re.compile(r"[a-z]+")
_OPENED = re.compile(r"\s*\[")
_STRAY_IN_NODE = re.compile(
    r"\s*+((?:(?!(?<![A-Za-z])[A-Za-z][A-Za-z0-9]*+\s*+\[)[^\s();\[\]]\s*+"
    r"|\(\s*+[^\s();\[\]][^();\[\]]*+\)\s*+|\])++)"
)
"""Text up to the next property or node, or what stands in parentheses there."""
_STRAY = re.compile(r"[^();]*+")


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
    """Reads the nodes of one game; ``text_value`` matches a value of text with its brackets.

    What SGF does not allow is a flaw of the game, and read as far as its meaning is clear. Raises
    RecordError for a game without nodes, and one that is too large.
    """

    def __init__(self, game: GameText, text_value: re.Pattern[str] = TEXT_VALUE) -> None:
        self.text = encodable(game.text)
        self.error = game.error
        self.flaw = game.flaw
        self.guess = game.flaws.guesses.append
        self.as_hex, self.board = game.as_hex, game.board
        self.nodes: list[RawNode] = []
        self._text_value = text_value
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
            sign, offset = self._next_sign()
            if not sign:
                break
            if sign not in may_follow:
                self.flaw(_unexpected(sign, may_follow), offset)
            self._at = offset + 1
            if not may_follow:
                break
            if sign == "(":
                if len(open_trees) == MAX_NODES:
                    raise self.error(TOO_MANY_NODES, offset)
                open_trees.append((offset, current))
                may_follow = ";"
            elif sign == ")":
                current = open_trees.pop()[1]
                may_follow = "()" if open_trees else ""
            elif sign == ";" or (may_follow == ";" and _WORD.match(self.text, offset)):
                if sign != ";":
                    self._at = offset  # the node's first property begins here
                current = self._add_node(current, offset)
                may_follow = "();"
            else:
                stray = _STRAY.match(self.text, offset)
                assert stray
                self._at = stray.end()
        if open_trees:
            self.flaw("this '(' is never closed", open_trees[-1][0])
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
        while self._add_property(node) or self._skip_stray():
            pass
        return len(self.nodes) - 1

    def _add_property(self, node: RawNode) -> bool:
        """Add the property that stands next to a node; return whether there is one."""
        match = _WORD.match(self.text, self._at)
        if match is None:
            return False
        before = self._at
        self._at = match.end()
        name = _name(match[1])
        values = self._values_of(match[1])
        if values or name in _MAY_BE_EMPTY:
            node.properties.append(RawProperty(name, values, match.start(1)))
            return True
        if self._at == match.end():
            self._at = before
        return False

    def _skip_stray(self) -> bool:
        """Note what is neither property nor node and go past it; return whether there is any."""
        offset = self._at
        if match := _STRAY_IN_NODE.match(self.text, offset):
            text = match[1].strip()
            is_word = _WORD.fullmatch(text) is not None
            what = f"{text} has no value in brackets" if is_word else _stray_text(text)
            self.flaw(what, match.start(1))
            self._at = match.end()
        elif match := self._text_value.match(self.text, offset):  # of no property
            self.flaw(_stray_text(match[0].strip()), offset)
            self._at = match.end()
        return match is not None

    def _values_of(self, word: str) -> tuple[str, ...]:
        """Read the values that stand next, of the property that is spelled as ``word``."""
        values = []
        pattern = value_pattern(word, self._text_value)
        while match := pattern.match(self.text, self._at):
            values.append(self._value(word, match))
        if opened := _OPENED.match(self.text, self._at):
            if match := self._text_value.match(self.text, self._at):
                values.append(self._value(word, match))
            else:
                self.flaw(_never_closed(word), opened.end() - 1)
                self._at = len(self.text)
        return tuple(values)

    def _value(self, word: str, match: re.Match[str]) -> str:
        """Return the value that was matched and go past it."""
        value = match[1]
        begin = match.start(1) - 1
        self.count_values(1, match.start())
        self._at = match.end()
        if self.text[self._at - 1] != "]":
            self.flaw(_never_closed(word), begin)
        if between := self.text[match.start() : begin].strip():
            self.flaw(_stray_text(between), match.start())
        if "]" in value and match.re is TEXT_VALUE and not RAW_VALUE.fullmatch(value):
            self.flaw(f"']' without '\\' in the value of {word}", match.start(1))
            value = _ESCAPED_OR_END.sub(lambda end: end[0].rjust(2, "\\"), value)
        return value


def _never_closed(word: str) -> str:
    return f"the value of {word} is never closed by ']'"


def _stray_text(text: str) -> str:
    return f"stray text {shorten(text, 30)!r}"


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
    if word.isupper():
        return word
    capitals = _LOWER.sub("", word)
    return capitals if PROPERTY_NAME.fullmatch(capitals) else word.upper()


def split_sgf(
    source: TextWindow, start: Place = START, lead_bytes: Callable[[str], str] = lambda game: ""
) -> Iterator[tuple[str, Place, RecordError | None]]:
    """Split at the end of each game; for ``lead_bytes`` see ``Decoding.lead_bytes``.

    With each game comes the error that text behind it, or before the first one, seems part of a
    game. Games are dropped when more is read. Games before the first one wanted are left out where
    their ends are plain. Raises RecordError for a game that is too long.
    """
    begin, end = _next_game(source, 0, 0)
    before = source.window[:begin] if begin >= 0 else ""
    stray = _stray(before, start)
    start = start.after(before)
    while begin >= 0:
        if source.counter.is_before_first:
            first = begin
            begin = _behind_unwanted(source, first)
            start = start.after(source.window[first:begin])
            stray = stray if begin == first else None
        begin, end = _whole_game(source, begin, lead_bytes)
        game = source.window[begin:end]
        check_length(len(game), start, MAX_GAME)
        following, end = _next_game(source, begin, end)
        between = source.window[end : following if following >= 0 else None]
        behind = start.after(game)
        yield game, start, stray or _stray(between, behind)
        stray = None
        start = behind.after(between)
        begin = following


def _behind_unwanted(source: TextWindow, begin: int) -> int:
    """Count plain games before the first one wanted; return where the next one begins."""
    game = plain_game(source.window, begin)
    while game and game.end() - begin <= MAX_GAME and source.counter.is_before_first:
        following = plain_game(source.window, game.end())
        if following is None:
            break
        source.counter.number += 1
        begin = following.start()
        game = following
    return begin


def _next_game(source: TextWindow, begin: int, end: int) -> tuple[int, int]:
    """Return where a game begins behind ``end``, -1 if none does, and what ``end`` is by then.

    What stands before ``begin`` is dropped if more has to be read.
    """
    while True:
        start = GAME_START.search(source.window, end)
        if start and start.end() + _AHEAD < len(source.window):
            return start.start(), end
        source.drop(begin)
        end -= begin
        if not source.more():
            return start.start() - begin if start else -1, end
        begin = 0


def _whole_game(
    source: TextWindow, begin: int, lead_bytes: Callable[[str], str]
) -> tuple[int, int]:
    """Return where the game that begins there begins and ends, when all of it has been read."""
    while True:
        end = _end_of_game(source.window, begin)
        if leads := lead_bytes(source.window[begin:end]):
            end = _end_of_game(source.window, begin, leads)
        if end + _AHEAD < len(source.window) or end - begin > MAX_GAME:
            return begin, end
        source.drop(begin)
        end -= begin
        begin = 0
        if not source.more():
            return begin, end


def _end_of_game(text: str, begin: int, leads: str = "") -> int:
    """Return where the game that begins there ends: at the next one if it is never closed."""
    stretch = to_parenthesis(leads)
    depth = 1
    offset = begin + 1
    while depth:
        match = stretch.match(text, offset)
        assert match
        offset = match.end()
        if offset == len(text) or text[offset] == "[":  # a bracket is never closed
            return len(text)
        if text[offset] == "(" and (depth == MAX_NODES or NEXT_GAME.match(text, offset)):
            return offset
        depth += 1 if text[offset] == "(" else -1
        offset += 1
    return offset


def _stray(text: str, start: Place) -> RecordError | None:
    """Return the error that text outside the games looks like a piece of one, if it does."""
    stripped = text.lstrip()
    if not stripped.startswith((")", ";")):
        return None
    place = start.after(text[: len(text) - len(stripped)])
    return place.error(f"{stripped[0]!r} outside of a game, which begins with '(;'")
