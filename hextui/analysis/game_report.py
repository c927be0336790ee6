"""The report on a whole game: how well evaluators agree with the moves of each player.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4: Q of a
move, eq. 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from hextui.analysis.judgements import Judgements
from hextui.analysis.mistakes import GivenAway, mistakes
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engine.quality import Quality
from hextui.engines.snapshot import VerdictKind

WORST = 3


@dataclass(frozen=True)
class JudgedMove:
    """A move of the game and where an evaluator places it; ``best`` is the cell it prefers.

    ``swappable``: the opponent may answer it by swapping.
    """

    ply: int
    cell: int
    quality: Quality
    best: int
    swappable: bool


@dataclass(frozen=True)
class PlayerReport:
    """What an evaluator makes of one player's moves.

    ``q``, ``mid_q``: mean Q by competition and by mid rank. ``top_1``, ``top_5``: share of moves
    of rank 1, and of rank 5 or better. ``worst``: the moves of lowest Q that are not of rank 1,
    the worst first, and never a first move that swapping may answer, which ought to be weak. The
    means are None without moves.
    """

    moves: int
    q: float | None
    mid_q: float | None
    top_1: float | None
    top_5: float | None
    worst: tuple[JudgedMove, ...]


@dataclass(frozen=True)
class Stretch:
    """Plies, both ends included, at which one colour is proved to win.

    ``by``: another engine whose proof it is, '' for ours.
    """

    first: int
    last: int
    winner: Color
    kind: VerdictKind
    by: str = ""


@dataclass(frozen=True)
class GameReport:
    """Reports by evaluator and player's colour, and what is proved of the game.

    ``decided``: the first ply from which on one colour is proved to win at every ply to the end;
    None if the last ply is unknown. Proofs are of play in which nobody swaps.
    """

    players: dict[str, dict[Color, PlayerReport]]
    proved: tuple[Stretch, ...]
    decided: int | None
    mistakes: tuple[GivenAway, ...]


def game_report(
    stations: Sequence[Station], names: Sequence[str], judgements: Judgements
) -> GameReport:
    """Return the report on what is known of a game."""
    players = {}
    for name in names:
        judged = [(s.player, j) for s in stations if (j := _judged(s, name, judgements))]
        players[name] = {
            color: _player_report([j for player, j in judged if player is color]) for color in Color
        }
    return GameReport(
        players,
        stretches(stations, judgements),
        decided(stations, judgements),
        mistakes(stations, judgements),
    )


def stretches(stations: Sequence[Station], judgements: Judgements) -> tuple[Stretch, ...]:
    """Return the longest stretches of plies with one winner, proved in one way."""
    found: list[Stretch] = []
    for station in stations:
        verdict = judgements.verdict(station.position)
        if verdict is None:
            continue
        last = found[-1] if found else None
        how = (verdict.winner, verdict.kind, verdict.by)
        if last and last.last == station.ply - 1 and (last.winner, last.kind, last.by) == how:
            found[-1] = replace(last, last=station.ply)
        else:
            found.append(Stretch(station.ply, station.ply, *how))
    return tuple(found)


def decided(stations: Sequence[Station], judgements: Judgements) -> int | None:
    """Return from which ply on the winner at the end is proved throughout, however."""
    first, winner = None, None
    for station in reversed(stations):
        verdict = judgements.verdict(station.position)
        if verdict is None or (winner is not None and verdict.winner is not winner):
            break
        first, winner = station.ply, verdict.winner
    return first


def _judged(station: Station, name: str, judgements: Judgements) -> JudgedMove | None:
    judgement, quality = judgements.of(station, name), judgements.quality(station, name)
    if judgement is None or quality is None or station.cell is None:
        return None
    swappable = station.position.play(station.cell).swap_legal
    return JudgedMove(station.ply + 1, station.cell, quality, judgement.best[0], swappable)


def _player_report(moves: list[JudgedMove]) -> PlayerReport:
    if not moves:
        return PlayerReport(0, None, None, None, None, ())
    worse = [move for move in moves if move.quality.rank > 1 and not move.swappable]
    return PlayerReport(
        len(moves),
        fmean(move.quality.q for move in moves),
        fmean(move.quality.mid_q for move in moves),
        fmean(move.quality.rank == 1 for move in moves),
        fmean(move.quality.rank <= 5 for move in moves),
        tuple(sorted(worse, key=lambda move: (move.quality.q, move.ply))[:WORST]),
    )
