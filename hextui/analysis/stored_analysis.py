"""The analysis of a game stored in its record, as SGF properties of our own.

At the node of a position ``HXJ``, one value per evaluator: its name, its value of the best move,
``exact`` or ``capped``, or ``winrate`` for another engine whose value is that, the best moves;
``HXB``: who is ahead by resistance; ``HXP``: who wins, what proved it, and the name of another
engine that did, or ``unknown`` with the solver's limit in seconds if it was asked; and
``HXW``: the moves that are proved to win, and ``all`` or ``some`` of them. At the node of a move
``HXQ``, one value per evaluator: its name, rank, mid rank, number of legal moves. A value that
cannot be read is ignored.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, isnan

from hextui.analysis.estimates import Estimate, Estimates, Wins
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Board, Color
from hextui.engine.ranking import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node

JUDGED, PROVED, PLACED, WINNING, BALANCE = "HXJ", "HXP", "HXQ", "HXW", "HXB"
NOT_PROVED = "unknown"
WIN_RATE = "winrate"


def stored_estimates(record: Record) -> tuple[Sequence[GamePosition], Estimates]:
    """Return the positions of a record's main line, and what the record stores about them."""
    line, estimates = game_positions(record, record.main_line()), Estimates()
    read(line, estimates)
    return line, estimates


def store(
    record: Record, positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> None:
    """Store the analysis of a game in its record, as one edit, in place of an earlier one."""
    record.set_properties(properties(positions, names, estimates))


def properties(
    positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> dict[Node, dict[str, list[str]]]:
    """Return the properties that store the analysis of a game, by node."""
    changes: dict[Node, dict[str, list[str]]] = {}
    for here in positions:
        own = changes.setdefault(here.node, {})
        board = here.position.board
        judged = {name: found for name in names if (found := estimates.of(here, name))}
        own[JUDGED] = [escape(_estimate_text(name, j, board)) for name, j in judged.items()]
        if estimates.complete(here, ()):
            own[PROVED] = [_verdict_text(here, estimates)]
        if (balance := estimates.balance(here.position)) is not None:
            own[BALANCE] = [repr(balance)]
        if (wins := estimates.wins(here.position)).moves:
            extent = "all" if wins.complete else "some"
            own[WINNING] = [" ".join([extent, *map(board.name, wins.moves)])]
        if here.next_node is not None:
            places = {name: q for name in names if (q := estimates.quality(here, name))}
            values = [f"{n} {q.rank} {q.mid_rank:g} {q.candidates}" for n, q in places.items()]
            changes[here.next_node] = {PLACED: [escape(value) for value in values]}
    return changes


def _verdict_text(here: GamePosition, estimates: Estimates) -> str:
    verdict, tried = estimates.verdict(here.position), estimates.tried(here.position)
    if verdict is not None:
        return f"{verdict.winner} {verdict.kind} {verdict.by}".rstrip()
    return f"{NOT_PROVED} {tried:g}" if tried else NOT_PROVED


def _estimate_text(name: str, estimate: Estimate, board: Board) -> str:
    exact = "exact" if estimate.exact else "capped"
    if estimate.winrate is not None:
        exact = WIN_RATE
    best = " ".join(board.name(cell) for cell in estimate.best)
    return f"{name} {estimate.value!r} {exact} {best}"


def read(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[str, ...]:
    """Add the analysis that a record stores to the estimates; return the evaluators' names."""
    names: dict[str, None] = {}
    for here in positions:
        for read_one in (_read_verdict, _read_wins, _read_balance):
            with suppress(ValueError):
                read_one(here, estimates)
        placed = _placed(here)
        for value in here.node.properties.get(JUDGED, ()):
            try:
                name, estimate = _estimate(unescape_line(value), here)
            except ValueError:
                continue
            names[name] = None
            if estimates.of(here, name) is None:
                if here.cell is not None and name in placed:
                    estimate = replace(estimate, qualities={here.cell: placed[name]})
                estimates.keep(here.position, name, estimate)
    return tuple(names)


def _estimate(text: str, here: GamePosition) -> tuple[str, Estimate]:
    """Read a value of ``HXJ``; raises ValueError."""
    name, value, exact, *best = text.split()
    if exact not in ("exact", "capped", WIN_RATE) or not best:
        raise ValueError(text)
    winrate = float(value) if exact == WIN_RATE else None
    if winrate is not None and not 0 <= winrate <= 1:
        raise ValueError(text)
    board = here.position.board
    cells = tuple(board.cell(word) for word in best)
    if not set(cells) <= set(here.position.empties):
        raise ValueError(text)
    return name, Estimate(float(value), cells, {}, exact == "exact", winrate)


def _placed(here: GamePosition) -> Mapping[str, Quality]:
    """Return the stored rank of the move made at a position, by evaluator."""
    node = here.next_node
    found = {}
    for value in node.properties.get(PLACED, ()) if node else ():
        try:
            name, rank, mid_rank, candidates = unescape_line(value).split()
            quality = Quality(int(candidates), int(rank), float(mid_rank))
        except ValueError:
            continue
        if 1 <= quality.rank <= quality.mid_rank <= quality.candidates:
            found[name] = quality
    return found


def _read_verdict(here: GamePosition, estimates: Estimates) -> None:
    """Read who wins, or that it is not known; raises ValueError."""
    word, *rest = _first(here, PROVED).split()
    if word == NOT_PROVED:
        tried = float(rest[0]) if rest else 0.0
        if len(rest) > 1 or not 0 <= tried < inf:
            raise ValueError(rest)
        verdict = None
    else:
        tried, (kind, *by) = 0.0, rest
        verdict = Verdict(VerdictKind(kind), Color.parse(word), by=" ".join(by))
        if len(by) != (verdict.kind is VerdictKind.ENGINE):
            raise ValueError(rest)
    estimates.keep_verdict(here.position, verdict)
    estimates.keep_tried(here.position, tried)


def _read_wins(here: GamePosition, estimates: Estimates) -> None:
    """Read which moves win; raises ValueError."""
    extent, *names = _first(here, WINNING).split()
    moves = tuple(map(here.position.board.cell, names))
    if extent in ("all", "some") and set(moves) <= set(here.position.empties):
        estimates.keep_wins(here.position, Wins(moves, extent == "all"))


def _read_balance(here: GamePosition, estimates: Estimates) -> None:
    """Read who is ahead by resistance; raises ValueError."""
    balance = float(_first(here, BALANCE))
    if not isnan(balance):
        estimates.keep_balance(here.position, balance)


def _first(here: GamePosition, name: str) -> str:
    """Return the first value of a property; raises ValueError if there is none."""
    for value in here.node.properties.get(name, ()):
        return value
    raise ValueError(name)
