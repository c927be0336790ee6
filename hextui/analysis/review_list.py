"""The mistakes of a game as one list, the worst first: what is proved before what is judged.

A proved entry is a win given away, with a proof on both sides. A judged one is a move that an
evaluator places low, where no proof says that it changed nothing; who tells win rates, which are
our own tree search and other engines, judges by the win rate that a move cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.judgements import Judgements
from hextui.analysis.lost_chances import lost_chances
from hextui.analysis.mistakes import GivenAway, PlayedMove, mistakes, open_to_opinion
from hextui.analysis.openings import OpeningKind, OpeningMistake, opening_mistake
from hextui.analysis.review_words import won_instead
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engine.evaluator_names import is_search
from hextui.engines.attached.engine_config import engine_in
from hextui.wording import player_name

PROVED = "proved"
BLUNDER, POOR, DOUBTFUL = "??", "?", "?!"
JUDGED = 3
"""So many judged moves of a side are listed at most."""
_POOR_Q, _DOUBTFUL_Q = 0.6, 0.85
_POOR_COST = 0.25  # of the win rate


@dataclass(frozen=True)
class ReviewEntry:
    """A line of the list: ``color`` erred at ``station``, the position before the first move.

    ``name``: the first move, such as ``23. i4``. ``moves``: it, or the several of which one is the
    mistake; of a swap the first stone. ``mark``: its glyph. ``words``: what is wrong, the same in
    fewer words after it. ``by``: `PROVED` or the evaluator's name.
    """

    color: Color
    station: Station
    name: str
    moves: tuple[PlayedMove, ...]
    mark: str
    words: tuple[str, ...]
    by: str


def review_list(
    stations: Sequence[Station], judgements: Judgements, name: str
) -> tuple[ReviewEntry, ...]:
    """Return what went wrong in a game, as far as it is known, judged by the evaluator ``name``.

    Of proved mistakes the last one, which decided the game, comes first; of judged ones the one
    placed lowest.
    """
    proved = [_proved(mistake) for mistake in mistakes(stations, judgements)]
    opening = opening_mistake(stations, judgements, name)
    if opening is not None and not opening.by:
        proved.insert(0, _opening(opening))
    told = {move.ply for entry in proved for move in entry.moves}
    judged = _judged(stations, judgements, name, told)
    listed = [entry for place, entry in enumerate(judged) if _is_among_worst(place, judged)]
    if opening is not None and opening.by:
        listed.append(_opening(opening))
    return (*reversed(proved), *listed)


def _is_among_worst(place: int, judged: Sequence[ReviewEntry]) -> bool:
    """Whether an entry, of those the lowest of which comes first, is one of its side's worst."""
    before = [entry for entry in judged[:place] if entry.color is judged[place].color]
    return len(before) < JUDGED


def move_name(station: Station, move: PlayedMove) -> str:
    """Return a move with the number of its ply, such as ``23. i4``."""
    return f"{move.ply}. {station.position.board.name(move.cell)}"


def _proved(mistake: GivenAway) -> ReviewEntry:
    board = mistake.before.position.board
    wins = [board.name(cell) for cell in mistake.wins]
    last = move_name(mistake.before, mistake.moves[-1])
    match len(mistake.moves):
        case 1:
            what, short = "gives the win away", "loses"
        case 2:
            what, short = f"or {last} gives the win away", f"or {last}"
        case _:
            what, short = f"to {last}: one gives the win away", f"to {last}"
    told = [what, short]
    if wins:
        only, one = won_instead(wins, mistake.all_wins), won_instead(wins[:1], False)
        told = [f"{what}; {only}", f"{what}; {one}", f"{short}; {one}", *told]
    words = tuple(dict.fromkeys(told))
    name = move_name(mistake.before, mistake.moves[0])
    return ReviewEntry(mistake.color, mistake.before, name, mistake.moves, BLUNDER, words, PROVED)


def _opening(mistake: OpeningMistake) -> ReviewEntry:
    station, other = mistake.station, player_name(mistake.color.opponent)
    first = f"1. {station.position.board.name(mistake.cell)}"
    chance = "" if mistake.chance is None else f"{mistake.chance:.0%}"
    match mistake.kind:
        case OpeningKind.TOO_STRONG:
            strong = f"too strong a first move{chance and f' ({chance})'}"
            words = (f"{strong}: {other} swapped it", "too strong: swapped")
        case OpeningKind.NOT_SWAPPED:
            strong = f"wins {chance}" if chance else "is strong" if mistake.by else "wins"
            words = (f"{first} {strong} and was not swapped", "did not swap")
        case OpeningKind.SWAPPED:
            weak = f"wins {chance}" if chance else "loses"
            short = "swapped a weak move" if chance else "swapped a loser"
            words = (f"{first} {weak} and was swapped", short)
    name = f"{station.ply + 1}. swap"
    if station.cell is not None:
        name = move_name(station, PlayedMove(station.ply + 1, station.cell))
    moves = (PlayedMove(station.ply + 1, mistake.cell),)
    mark, by = (DOUBTFUL, mistake.by) if mistake.by else (BLUNDER, PROVED)
    return ReviewEntry(mistake.color, station, name, moves, mark, words, by)


def _judged(
    stations: Sequence[Station], judgements: Judgements, name: str, told: set[int]
) -> list[ReviewEntry]:
    """Return the moves that an evaluator places low, the lowest first."""
    if engine_in(name) is not None or is_search(name):
        return _costly(stations, judgements, name, told)
    found = []
    for station in open_to_opinion(stations, judgements):
        judged, quality = judgements.of(station, name), judgements.quality(station, name)
        if judged is None or quality is None or station.cell is None:
            continue
        move = PlayedMove(station.ply + 1, station.cell)
        if move.ply in told or quality.rank == 1 or quality.mid_q >= _DOUBTFUL_Q:
            continue
        best = station.position.board.name(judged.best[0])
        mark = POOR if quality.mid_q < _POOR_Q else DOUBTFUL
        rank = f"rank {quality.rank} of {quality.candidates}"
        words = (f"best {best}; played {rank}", f"best {best}")
        mover, label = station.position.to_move, move_name(station, move)
        entry = ReviewEntry(mover, station, label, (move,), mark, words, name)
        found.append((quality.mid_q, move.ply, entry))
    return [entry for _, _, entry in sorted(found, key=lambda item: item[:2])]


def _costly(
    stations: Sequence[Station], judgements: Judgements, name: str, told: set[int]
) -> list[ReviewEntry]:
    """Return the moves that cost win rate by who tells it, the dearest first."""
    found = []
    for lost in sorted(lost_chances(stations, judgements, name), key=lambda lost: -lost.cost):
        station = lost.station
        move = PlayedMove(station.ply + 1, lost.cell)
        if move.ply in told:
            continue
        best = f"best {station.position.board.name(lost.best)}"
        words = (f"{best}; win rate {lost.before:.0%} to {lost.after:.0%}", best)
        mark = POOR if lost.cost >= _POOR_COST else DOUBTFUL
        mover, label = station.position.to_move, move_name(station, move)
        found.append(ReviewEntry(mover, station, label, (move,), mark, words, name))
    return found
