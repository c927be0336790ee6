"""Judgements of a game in its record, as SGF properties of our own, and read back from there.

At the node of a position ``HXJ``, one value an evaluator: its name, its value of the best move,
``exact`` or ``capped``, the best moves; and ``HXP``: who wins, how it is proved. At the node of a
move ``HXQ``, one value an evaluator: its name, rank, mid rank, number of legal moves. A value that
cannot be read is left alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hextui.analysis.judgements import Judgement, Judgements
from hextui.analysis.snapshot import Verdict, VerdictKind
from hextui.analysis.stations import Station
from hextui.engine.board import Board, Color
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node
from hextui.studies.quality import Quality

JUDGED, PROVED, PLACED = "HXJ", "HXP", "HXQ"
NOT_PROVED = "unknown"


def keep(
    record: Record, stations: Sequence[Station], names: Sequence[str], judgements: Judgements
) -> None:
    """Write what is known of a game into its record, as one edit.

    What other evaluators said there before is replaced.
    """
    changes: dict[Node, dict[str, list[str]]] = {}
    for station in stations:
        own = changes.setdefault(station.node, {})
        board = station.position.board
        judged = {name: found for name in names if (found := judgements.of(station, name))}
        own[JUDGED] = [escape(_judgement_text(name, j, board)) for name, j in judged.items()]
        if judgements.complete(station, ()):
            verdict = judgements.verdict(station.position)
            own[PROVED] = [f"{verdict.winner} {verdict.kind}" if verdict else NOT_PROVED]
        if station.next_node is not None:
            places = {name: q for name in names if (q := judgements.quality(station, name))}
            values = [f"{n} {q.rank} {q.mid_rank:g} {q.candidates}" for n, q in places.items()]
            changes[station.next_node] = {PLACED: [escape(value) for value in values]}
    record.set_properties(changes)


def _judgement_text(name: str, judgement: Judgement, board: Board) -> str:
    exact = "exact" if judgement.exact else "capped"
    best = " ".join(board.name(cell) for cell in judgement.best)
    return f"{name} {judgement.value!r} {exact} {best}"


def read(stations: Sequence[Station], judgements: Judgements) -> tuple[str, ...]:
    """Add what the record holds of a game to the judgements; return the evaluators' names."""
    names: dict[str, None] = {}
    for station in stations:
        verdict = _verdict(station)
        if verdict is not None:
            judgements.keep_verdict(station.position, verdict[0])
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
    if exact not in ("exact", "capped") or not best:
        raise ValueError(text)
    board = station.position.board
    cells = tuple(board.cell(word) for word in best)
    if not set(cells) <= set(station.position.empties):
        raise ValueError(text)
    return name, Judgement(float(value), cells, {}, exact == "exact")


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


def _verdict(station: Station) -> tuple[Verdict | None] | None:
    """Return the verdict that the record holds; None if it says nothing."""
    values = station.node.properties.get(PROVED, ())
    if values == (NOT_PROVED,):
        return (None,)
    try:
        winner, kind = values[0].split()
        return (Verdict(VerdictKind(kind), Color.parse(winner)),)
    except (IndexError, ValueError):
        return None
