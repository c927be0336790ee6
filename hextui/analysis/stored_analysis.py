"""The analysis of a game as texts: stored in its record, or beside it.

In a record they are SGF properties of our own. At the node of a position ``HXJ``, one value per
evaluator: its name, its value of the best move, ``exact`` or ``capped``, or ``winrate`` for another
engine whose value is that, the best moves; ``HXB``: who is ahead by resistance; ``HXP``: who wins,
what proved it, and the name of another engine that did, or ``unknown`` with the solver's limit in
seconds if it was asked; and ``HXW``: the moves that are proved to win, and ``all`` or ``some`` of
them. At the node of a move ``HXQ``, one value per evaluator: its name, rank, mid rank, number of
legal moves. At the first node ``HXS``: the seconds that the solver spent on the game. A value that
cannot be read is ignored.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, isnan

from hextui.analysis.estimates import Estimate, Estimates, Wins
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Color
from hextui.engine.orientation import Orientation
from hextui.engine.ranking import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node

JUDGED, PROVED, PLACED, WINNING, BALANCE = "HXJ", "HXP", "HXQ", "HXW", "HXB"
SPENT = "HXS"
NOT_PROVED = "unknown"
WIN_PROBABILITY = "winrate"
Texts = Mapping[str, Sequence[str]]
"""What is stored of a position, by the names of the properties."""


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
        found = texts(here, Orientation(here.position), names, estimates)
        own = {name: [escape(value) for value in values] for name, values in found.items()}
        placed = {PLACED: own.pop(PLACED, [])}
        changes.setdefault(here.node, {}).update(own)
        if here.next_node is not None:
            changes[here.next_node] = placed
    if spent := estimates.spent(positions):
        changes[positions[0].node][SPENT] = [f"{spent:g}"]
    return changes


def read(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[str, ...]:
    """Add the analysis that a record stores to the estimates; return the evaluators' names."""
    names: dict[str, None] = {}
    for here in positions:
        found = dict(here.node.properties)
        if here.next_node is not None:
            found[PLACED] = here.next_node.properties.get(PLACED, ())
        own = {
            name: [unescape_line(value) for value in found.get(name, ())]
            for name in (JUDGED, PROVED, PLACED, WINNING, BALANCE)
        }
        names |= dict.fromkeys(take(own, here, Orientation(here.position), estimates))
    with suppress(ValueError):
        keep_spent(positions, _first(positions[0].node.properties, SPENT), estimates)
    return tuple(names)


def keep_spent(positions: Sequence[GamePosition], text: str | float, estimates: Estimates) -> None:
    """Add the seconds that the solver spent on a game; raises ValueError."""
    spent = float(text)
    if not 0 <= spent < inf:
        raise ValueError(text)
    estimates.keep_spent(positions, spent)


# A position: ``seen`` is its orientation, whose cells and colours the texts name


def texts(
    here: GamePosition, seen: Orientation, names: Collection[str], estimates: Estimates
) -> dict[str, list[str]]:
    """Return what is known of a position and of the move made there, as texts."""
    position = here.position
    there, board = seen.inverse(position).cell_of, seen.position.board

    def words(cells: Sequence[int]) -> list[str]:
        return [board.name(there[cell]) for cell in cells]

    judged = {name: found for name in names if (found := estimates.of(here, name))}
    places = {name: q for name in names if (q := estimates.quality(here, name))}
    own = {JUDGED: [_estimate_text(n, j, words(j.best)) for n, j in judged.items()]}
    own[PLACED] = [f"{n} {q.rank} {q.mid_rank:g} {q.candidates}" for n, q in places.items()]
    if estimates.complete(here, ()) or estimates.verdict(position):
        own[PROVED] = [_verdict_text(here, seen, estimates)]
    if (balance := estimates.balance(position)) is not None:
        own[BALANCE] = [repr(-balance if seen.mirrored else balance)]
    if (wins := estimates.wins(position)).moves:
        extent = "all" if wins.complete else "some"
        own[WINNING] = [" ".join([extent, *words(wins.moves)])]
    return own


def take(
    found: Texts,
    here: GamePosition,
    seen: Orientation,
    estimates: Estimates,
    only: Collection[str] | None = None,
) -> tuple[str, ...]:
    """Add what texts say of a position to the estimates; return the evaluators' names.

    ``only``: the evaluators whose estimates are used, by default all.
    """
    for read_one in (_read_verdict, _read_wins, _read_balance):
        with suppress(ValueError):
            read_one(found, here, seen, estimates)
    names, placed = [], _placed(found)
    for value in found.get(JUDGED, ()):
        try:
            name, estimate = _estimate(value, here, seen)
        except ValueError:
            continue
        names.append(name)
        if estimates.of(here, name) is None and (only is None or name in only):
            if here.cell is not None and name in placed:
                estimate = replace(estimate, qualities={here.cell: placed[name]})
            estimates.keep(here.position, name, estimate)
    return tuple(names)


def _verdict_text(here: GamePosition, seen: Orientation, estimates: Estimates) -> str:
    verdict, tried = estimates.verdict(here.position), estimates.tried(here.position)
    if verdict is not None:
        return f"{seen.color_back(verdict.winner)} {verdict.kind} {verdict.by}".rstrip()
    return f"{NOT_PROVED} {tried:g}" if tried else NOT_PROVED


def _estimate_text(name: str, estimate: Estimate, best: Sequence[str]) -> str:
    exact = "exact" if estimate.exact else "capped"
    if estimate.winrate is not None:
        exact = WIN_PROBABILITY
    return f"{name} {estimate.value!r} {exact} {' '.join(best)}"


def _cells(words: Sequence[str], here: GamePosition, seen: Orientation) -> tuple[int, ...]:
    """Return the empty cells that words name; raises ValueError."""
    cells = tuple(seen.cell_of[seen.position.board.cell(word)] for word in words)
    if not set(cells) <= set(here.position.empties):
        raise ValueError(words)
    return cells


def _estimate(text: str, here: GamePosition, seen: Orientation) -> tuple[str, Estimate]:
    """Read a value of ``HXJ``; raises ValueError."""
    name, value, exact, *best = text.split()
    if exact not in ("exact", "capped", WIN_PROBABILITY) or not best:
        raise ValueError(text)
    winrate = float(value) if exact == WIN_PROBABILITY else None
    if winrate is not None and not 0 <= winrate <= 1:
        raise ValueError(text)
    return name, Estimate(float(value), _cells(best, here, seen), {}, exact == "exact", winrate)


def _placed(found: Texts) -> Mapping[str, Quality]:
    """Return the stored rank of the move made at a position, by evaluator."""
    placed = {}
    for value in found.get(PLACED, ()):
        try:
            name, rank, mid_rank, candidates = value.split()
            quality = Quality(int(candidates), int(rank), float(mid_rank))
        except ValueError:
            continue
        if 1 <= quality.rank <= quality.mid_rank <= quality.candidates:
            placed[name] = quality
    return placed


def _read_verdict(
    found: Texts, here: GamePosition, seen: Orientation, estimates: Estimates
) -> None:
    """Read who wins, or that it is not known; raises ValueError."""
    word, *rest = _first(found, PROVED).split()
    if word == NOT_PROVED:
        tried = float(rest[0]) if rest else 0.0
        if len(rest) > 1 or not 0 <= tried < inf:
            raise ValueError(rest)
        verdict = None
    else:
        tried, (kind, *by) = 0.0, rest
        winner = seen.color_back(Color.parse(word))
        verdict = Verdict(VerdictKind(kind), winner, by=" ".join(by))
        if len(by) != (verdict.kind is VerdictKind.ENGINE):
            raise ValueError(rest)
    estimates.keep_verdict(here.position, verdict)
    estimates.keep_tried(here.position, tried)


def _read_wins(found: Texts, here: GamePosition, seen: Orientation, estimates: Estimates) -> None:
    """Read which moves win; raises ValueError."""
    extent, *names = _first(found, WINNING).split()
    if extent in ("all", "some"):
        moves = _cells(names, here, seen)
        estimates.keep_wins(here.position, Wins(moves, extent == "all"))


def _read_balance(
    found: Texts, here: GamePosition, seen: Orientation, estimates: Estimates
) -> None:
    """Read who is ahead by resistance; raises ValueError."""
    balance = float(_first(found, BALANCE))
    if not isnan(balance):
        estimates.keep_balance(here.position, -balance if seen.mirrored else balance)


def _first(found: Texts, name: str) -> str:
    """Return the first value of a property; raises ValueError if there is none."""
    for value in found.get(name, ()):
        return value
    raise ValueError(name)
