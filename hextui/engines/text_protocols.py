"""The text protocols HTP and GTP: replies, names of cells, and reports of searches.

A reply ends with an empty line; a line of one space is not empty. KataHex omits the empty line
after some errors: an error is complete with its first line, and the reply to the next command ends
one that was never ended. Reports come inside a reply that stays open, graphics before a reply.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from hextui.engine.board import Board
from hextui.engine.cells import Cells
from hextui.engines.snapshot import ReportedMove
from hextui.settings.engine_config import Dialect

_HEAD = re.compile(r"([=?])(\d*)[ \t]?(.*)", re.ASCII)
_GRAPHICS = "gogui-gfx:"
_REPORT = "info "


@dataclass(frozen=True)
class EngineReply:
    """The reply to the command with this ``id``, '' for none; ``ok`` unless it was refused."""

    id: str
    ok: bool
    text: str


@dataclass(frozen=True)
class Report:
    """A line of a search, within the reply to the command with this ``id``."""

    id: str
    line: str


@dataclass(frozen=True)
class Graphics:
    """A block of live graphics: its lines, the first of which is its kind."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Noise:
    """A line that belongs to no reply, report or graphics block."""

    line: str


Said = EngineReply | Report | Graphics | Noise


class ReplyReader:
    """Parses the lines that an engine writes."""

    def __init__(self) -> None:
        self._id = ""
        self._lines: list[str] | None = None  # of the open reply
        self._block: list[str] | None = None

    def take(self, line: str) -> Iterator[Said]:
        """Parse the next line, with or without its end; yield what it completes."""
        line = line.rstrip("\r\n")
        if self._block is not None:
            if line and not _HEAD.match(line):
                self._block.append(line)
                return
            yield Graphics(tuple(self._block))
            self._block = None
            if not line:
                return
        if self._lines is not None:
            if line and not self._begins_another_reply(line):
                yield from self._take_inside(line, self._lines)
                return
            lines, self._lines = self._lines, None
            yield EngineReply(self._id, True, "\n".join(lines))
            if not line:
                return
        yield from self._take_outside(line)

    def _begins_another_reply(self, line: str) -> bool:
        """Return whether a line begins the reply to another command than the open one."""
        head = _HEAD.match(line)
        if head is None or not self._id:
            return False
        return head[2] not in ("", self._id)

    def _take_inside(self, line: str, lines: list[str]) -> Iterator[Report]:
        """Take a line inside of the open reply, which has these lines: a report, or one more."""
        if line.startswith(_REPORT):
            yield Report(self._id, line)
        else:
            lines.append(line)

    def _take_outside(self, line: str) -> Iterator[EngineReply | Report | Noise]:
        """Take a line that is inside of no reply and no block, which it may begin."""
        if line.startswith(_GRAPHICS):
            self._block = []
        elif head := _HEAD.match(line):
            mark, its_id, text = head.groups()
            if mark == "?":
                yield EngineReply(its_id, False, text)
            else:
                self._id = its_id
                self._lines = [text]
        elif line.startswith(_REPORT):
            yield Report("", line)
        elif line:
            yield Noise(line)


# Names of cells
#
# Benzene and KataHex use ours. The first version of KataHex plays on a larger board, where the cell
# in column c and row r, from 1, is the point (2c + r - 2, 2r - 1); it reads such pairs, and writes
# the point as Go programs do: a letter without I, and the number of the line from the bottom.

_GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class EngineNames:
    """The names of a board's cells as an engine reads and writes them."""

    dialect: Dialect
    board: Board

    def name(self, cell: int) -> str:
        """Return a cell as the engine reads it. Other words are never sent: they abort KataHex."""
        if self.dialect is not Dialect.KATA_HZY:
            return self.board.name(cell)
        row, column = divmod(cell, self.board.columns)
        return f"({2 * column + row + 1},{2 * row + 1})"

    def cell(self, word: str) -> int | None:
        """Return the cell that the engine names; None for any other word."""
        if self.dialect is Dialect.KATA_HZY:
            return _go_points(self.board).get(word.upper())
        try:
            return self.board.cell(word)
        except ValueError:
            return None

    def line(self, words: Iterable[str]) -> Cells:
        """Return the cells of a list of names, up to the first other word: a pass, say."""
        cells: list[int] = []
        for word in words:
            if (cell := self.cell(word)) is None:
                break
            cells.append(cell)
        return Cells(self.board, tuple(cells))

    def pairs(self, words: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the cells of a list of names and words, each with its word."""
        for name, word in zip(words[::2], words[1::2], strict=False):
            if (cell := self.cell(name)) is not None:
                yield cell, word

    def alone(self, cell: int) -> Cells:
        """Return a line of one cell."""
        return Cells(self.board, (cell,))


@lru_cache(4)
def _go_points(board: Board) -> dict[str, int]:
    """Return the cells by the names that Go programs give to their points."""
    points = {}
    for cell in range(board.cells):
        row, column = divmod(cell, board.columns)
        before, letter = divmod(2 * column + row + 1, len(_GO_LETTERS))
        letters = (_GO_LETTERS[before - 1] if before else "") + _GO_LETTERS[letter]
        points[f"{letters}{2 * (board.rows - row)}"] = cell
    return points


# Reports of searches

_INFO = re.compile(r"(?:^|\s)info\s+")
_LISTS = ("pv", "pvVisits", "ownership", "ownershipStdev")
_VALUE = re.compile(r"[WL]|\d{0,9}\.?\d{0,9}", re.ASCII)
_COUNT = re.compile(r"(\d{1,15})([km]?)", re.ASCII)
_DECIMAL = re.compile(r"\d*\.\d+|\d+", re.ASCII)
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}
_PROVED = {"W": True, "L": False}


class ReportReader:
    """Reads the reports of a search: all moves in one line, or a line for each.

    Passes and unreadable moves are left out: the next report will be complete.
    """

    def __init__(self, names: EngineNames) -> None:
        self._names = names
        self._round: dict[int, tuple[int | None, ReportedMove]] = {}  # by cell, with their order
        self._before: dict[int, tuple[int | None, ReportedMove]] = {}

    def take(self, line: str) -> tuple[ReportedMove, ...]:
        """Return the moves that are known after this line, in the engine's order.

        Where it has a line for each, those of the round before last until they are repeated.
        """
        parts = [words for part in _INFO.split(line) if (words := part.split())]
        read = [ordered for words in parts if (ordered := _move(words, self._names))]
        reported = {move.cell: (order, move) for order, move in read}
        if len(parts) > 1:
            self._round = reported
            self._before = {}
        elif self._continues_round(read):
            self._round.update(reported)
        else:
            self._round, self._before = reported, self._round
        moves = {**self._before, **self._round}.values()
        return tuple(move for _, move in sorted(moves, key=self._rank))

    def _continues_round(self, read: Sequence[tuple[int | None, ReportedMove]]) -> bool:
        """Return whether moves are new in this round, and come after its others."""
        last = max((order or 0 for order, _ in self._round.values()), default=-1)
        for order, move in read:
            if move.cell in self._round or (order is not None and order <= last):
                return False
        return True

    def _rank(self, ordered: tuple[int | None, ReportedMove]) -> tuple[int, bool, int]:
        order, move = ordered
        return order or 0, order is not None and move.cell not in self._round, -move.visits


def _move(words: Sequence[str], names: EngineNames) -> tuple[int | None, ReportedMove] | None:
    fields: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if word not in (*_LISTS, "isSymmetryOf") if key in _LISTS else key and not fields[key]:
            fields[key].append(word)
        else:
            key = word
            fields[key] = []
    try:
        cell = names.cell(fields["move"][0])
        if cell is None:
            return None
        move = ReportedMove(
            names.line(fields.get("pv", ())) or names.alone(cell),
            visits=int(fields.get("visits", ["0"])[0]),
            winrate=_share(fields.get("winrate")),
            prior=_share(fields.get("prior")),
            is_copy="isSymmetryOf" in fields,
        )
        return int(fields["order"][0]) if "order" in fields else None, move
    except (ValueError, IndexError, KeyError):
        return None


def _share(words: Sequence[str] | None) -> float | None:
    """Return a share, None where it is missing or no number."""
    if not words or not math.isfinite(number := float(words[0])):
        return None
    share = number / 10_000 if number > 1 else number  # some report ten-thousandths
    return min(max(share, 0.0), 1.0)


def _count(word: str) -> int | None:
    """Return a number of visits such as ``66`` or ``6k``; None for any other word."""
    match = _COUNT.fullmatch(word)
    return int(match[1]) * _FACTORS[match[2]] if match else None


def read_values(text: str, names: EngineNames) -> tuple[ReportedMove, ...]:
    """Return the moves of ``mohex-values``, the most visited first; none without visits.

    A value is the side to move's; the digits after its point are thousandths without leading
    zeros: ``.45`` is 0.045 and ``.1000`` is 1.
    """
    moves = []
    for cell, word in names.pairs(text.split()):
        value, _, visits = word.partition("@")
        count = _count(visits)
        proved = _PROVED.get(value)
        if count is None or not _VALUE.fullmatch(value):
            continue
        whole, _, digits = value.partition(".")
        winrate = int(whole or 0) + int(digits or 0) / 1000 if proved is None else float(proved)
        line = names.alone(cell)
        moves.append(ReportedMove(line, visits=count, winrate=winrate, proved=proved))
    return tuple(sorted(moves, key=lambda move: (move.proved is not True, -move.visits)))


def read_scores(text: str, names: EngineNames) -> tuple[ReportedMove, ...]:
    """Return the moves of ``wolve-scores``, the highest score first."""
    moves = []
    for cell, score in names.pairs(text.split()):
        with suppress(ValueError):
            if math.isfinite(value := float(score)):
                moves.append(ReportedMove(names.alone(cell), score=value))
    return tuple(sorted(moves, key=lambda move: -(move.score or 0.0)))


def read_bounds(text: str, names: EngineNames) -> dict[int, bool]:
    """Return the moves that ``dfpn-get-bounds`` lists as proved, and whether they win."""
    pairs = names.pairs(text.split())
    return {cell: _PROVED[bound] for cell, bound in pairs if bound in _PROVED}


def with_proofs(
    moves: Sequence[ReportedMove], proved: Mapping[int, bool], names: EngineNames
) -> tuple[ReportedMove, ...]:
    """Return moves with their proofs; proved moves that were missing come last."""
    moves_known = tuple(replace(m, proved=proved.get(m.cell, m.proved)) for m in moves)
    there = {move.cell for move in moves}
    others = []
    for cell, wins in proved.items():
        if cell not in there:
            others.append(ReportedMove(names.alone(cell), winrate=float(wins), proved=wins))
    return (*moves_known, *others)


def with_best(moves: Sequence[ReportedMove], line: Cells) -> tuple[ReportedMove, ...]:
    """Return moves, first the one that the engine would play: that which begins the ``line``."""
    best = line.numbers[0]
    chosen = next((move for move in moves if move.cell == best), ReportedMove(line))
    if len(line) > 1:
        chosen = replace(chosen, line=line)
    return (chosen, *(move for move in moves if move.cell != best))


def _visited_moves(parts: Mapping[str, list[str]], names: EngineNames) -> tuple[ReportedMove, ...]:
    """Return the moves of a ``uct`` block, the most visited first."""
    winrates = dict(names.pairs(parts.get("INFLUENCE", [])))
    moves = []
    for cell, label in names.pairs(parts.get("LABEL", [])):
        if (visits := _count(label)) is not None:
            value = winrates.get(cell, "")
            winrate = _share([value]) if _DECIMAL.fullmatch(value) else None
            moves.append(ReportedMove(names.alone(cell), visits, winrate))
    return tuple(sorted(moves, key=lambda move: -move.visits))


def read_graphics(lines: Sequence[str], names: EngineNames) -> tuple[ReportedMove, ...]:
    """Return the moves of a block of live graphics, the most visited or highest first.

    ``uct`` blocks hold visits and values of moves, ``ab`` blocks scores, ``kata`` blocks a report.
    Others hold no moves.
    """
    kind, rest = (lines[0], lines[1:]) if lines else ("", ())
    if kind == "kata":
        return ReportReader(names).take(" ".join(rest))
    if kind not in ("uct", "ab"):
        return ()
    parts = {words[0]: words[1:] for line in rest if (words := line.split())}
    line = names.line(parts.get("VAR", [])[1::2])
    if kind == "ab":
        moves = read_scores(" ".join(parts.get("LABEL", [])), names)
    else:
        moves = _visited_moves(parts, names)
    return with_best(moves, line) if line else moves
