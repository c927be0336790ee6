"""Judgements of a game in its record, as SGF properties of our own, and read back from there.

At the node of a position ``HXJ``, one value an evaluator: its name, its value of the best move,
``exact`` or ``capped``, or ``winrate`` for another engine whose value is that, the best moves;
``HXB``: who is ahead by resistance; ``HXP``: who wins, what proved it, and the name of another
engine that did, or ``unknown``, with the seconds that the solver was given if it was asked; and
``HXW``: the moves that are proved to win, and ``all`` or ``some`` of them. At the node of a move
``HXQ``, one value an evaluator: its name, rank, mid rank, number of legal moves. A value that
cannot be read is left alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isnan

from hextui.analysis.judgements import Judgement, Judgements, Wins
from hextui.analysis.stations import Station
from hextui.engine.board import Board, Color
from hextui.engine.quality import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node

JUDGED, PROVED, PLACED, WINNING, BALANCE = "HXJ", "HXP", "HXQ", "HXW", "HXB"
NOT_PROVED = "unknown"
WIN_RATE = "winrate"


def keep(
    record: Record, stations: Sequence[Station], names: Sequence[str], judgements: Judgements
) -> None:
    """Write what is known of a game into its record, as one edit.

    What other evaluators said there before is replaced.
    """
    record.set_properties(results(stations, names, judgements))


def results(
    stations: Sequence[Station], names: Sequence[str], judgements: Judgements
) -> dict[Node, dict[str, list[str]]]:
    """Return the properties that keep what is known of a game, by node."""
    changes: dict[Node, dict[str, list[str]]] = {}
    for station in stations:
        own = changes.setdefault(station.node, {})
        board = station.position.board
        judged = {name: found for name in names if (found := judgements.of(station, name))}
        own[JUDGED] = [escape(_judgement_text(name, j, board)) for name, j in judged.items()]
        if judgements.complete(station, ()):
            own[PROVED] = [_verdict_text(station, judgements)]
        if (balance := judgements.balance(station.position)) is not None:
            own[BALANCE] = [repr(balance)]
        if (wins := judgements.wins(station.position)).moves:
            own[WINNING] = [_wins_text(wins, board)]
        if station.next_node is not None:
            places = {name: q for name in names if (q := judgements.quality(station, name))}
            values = [f"{n} {q.rank} {q.mid_rank:g} {q.candidates}" for n, q in places.items()]
            changes[station.next_node] = {PLACED: [escape(value) for value in values]}
    return changes


def _verdict_text(station: Station, judgements: Judgements) -> str:
    verdict, tried = judgements.verdict(station.position), judgements.tried(station.position)
    if verdict is not None:
        return f"{verdict.winner} {verdict.kind} {verdict.by}".rstrip()
    return f"{NOT_PROVED} {tried:g}" if tried else NOT_PROVED


def _wins_text(wins: Wins, board: Board) -> str:
    extent = "all" if wins.complete else "some"
    return " ".join([extent, *map(board.name, wins.moves)])


def _judgement_text(name: str, judgement: Judgement, board: Board) -> str:
    exact = "exact" if judgement.exact else "capped"
    if judgement.winrate is not None:
        exact = WIN_RATE
    best = " ".join(board.name(cell) for cell in judgement.best)
    return f"{name} {judgement.value!r} {exact} {best}"


def read(stations: Sequence[Station], judgements: Judgements) -> tuple[str, ...]:
    """Add what the record holds of a game to the judgements; return the evaluators' names."""
    names: dict[str, None] = {}
    for station in stations:
        _read_verdict(station, judgements)
        _read_wins(station, judgements)
        _read_balance(station, judgements)
        placed = _placed(station)
        for value in station.node.properties.get(JUDGED, ()):
            try:
                name, judgement = _judgement(unescape_line(value), station)
            except ValueError:
                continue
            names[name] = None
            if judgements.of(station, name) is None:
                if station.cell is not None and name in placed:
                    judgement = replace(judgement, qualities={station.cell: placed[name]})
                judgements.keep(station.position, name, judgement)
    return tuple(names)


def _judgement(text: str, station: Station) -> tuple[str, Judgement]:
    """Read a value of ``HXJ``; raises ValueError."""
    name, value, exact, *best = text.split()
    if exact not in ("exact", "capped", WIN_RATE) or not best:
        raise ValueError(text)
    winrate = float(value) if exact == WIN_RATE else None
    if winrate is not None and not 0 <= winrate <= 1:
        raise ValueError(text)
    board = station.position.board
    cells = tuple(board.cell(word) for word in best)
    if not set(cells) <= set(station.position.empties):
        raise ValueError(text)
    return name, Judgement(float(value), cells, {}, exact == "exact", winrate)


def _placed(station: Station) -> Mapping[str, Quality]:
    """Return what the record says of the move made at a station, by evaluator."""
    node = station.next_node
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


def _read_verdict(station: Station, judgements: Judgements) -> None:
    """Take over who wins, or that it is unknown, if the record says so."""
    try:
        word, *rest = station.node.properties.get(PROVED, ("",))[0].split()
        if word == NOT_PROVED:
            tried = float(rest[0]) if rest else 0.0
            verdict = None
        else:
            tried = 0.0
            kind, *by = rest
            verdict = Verdict(VerdictKind(kind), Color.parse(word), by=" ".join(by))
            if len(by) != (verdict.kind is VerdictKind.ENGINE):
                return
            rest = []
    except (IndexError, ValueError):
        return
    if len(rest) > 1 or not 0 <= tried < inf:
        return
    judgements.keep_verdict(station.position, verdict)
    judgements.keep_tried(station.position, tried)


def _read_wins(station: Station, judgements: Judgements) -> None:
    """Take over which moves win, if the record says so."""
    try:
        extent, *names = station.node.properties.get(WINNING, ("",))[0].split()
        moves = tuple(station.position.board.cell(name) for name in names)
    except (IndexError, ValueError):
        return
    if extent in ("all", "some") and set(moves) <= set(station.position.empties):
        judgements.keep_wins(station.position, Wins(moves, extent == "all"))


def _read_balance(station: Station, judgements: Judgements) -> None:
    """Take over who is ahead, if the record says so."""
    try:
        balance = float(station.node.properties.get(BALANCE, ("",))[0])
    except (IndexError, ValueError):
        return
    if not isnan(balance):
        judgements.keep_balance(station.position, balance)
