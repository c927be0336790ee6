"""What a review says in words: who gave a win away, how, and what won instead."""

from collections.abc import Sequence

from hextui.analysis.mistakes import GivenAway
from hextui.analysis.openings import OpeningKind, OpeningMistake
from hextui.wording import player_name
from hextui.words.names import either


def mistake_sentence(mistake: GivenAway) -> str:
    """Return the sentence on a win given away, with the proof on both sides of it."""
    side, other = player_name(mistake.color), player_name(mistake.color.opponent)
    name = mistake.before.position.board.name
    moves = [f"{move.ply}. {name(move.cell)}" for move in mistake.moves]
    wins = [name(cell) for cell in mistake.wins]
    instead = f": {won_instead(wins, mistake.all_wins)}" if wins else ""
    proved = f"proved by {' and '.join(mistake.by)}" if mistake.by else "proved"
    if len(moves) == 1:
        return f"{side} gave the win away by {moves[0]}{instead} ({proved})."
    before, after = mistake.before.ply, mistake.after.ply
    return (
        f"{side} gave the win away between {moves[0]} and {moves[-1]}{instead} "
        f"({proved}: {side} wins after ply {before}, {other} after ply {after})."
    )


def opening_sentence(mistake: OpeningMistake) -> str:
    """Return the sentence on a mistake of the opening that is proved."""
    side, other = player_name(mistake.color), player_name(mistake.color.opponent)
    move = f"1. {mistake.station.position.board.name(mistake.cell)}"
    match mistake.kind:
        case OpeningKind.TOO_STRONG:
            return f"{side} opened too strongly: {other} swapped {move}, which wins (proved)."
        case OpeningKind.NOT_SWAPPED:
            return f"{side} did not swap {move}, which wins (proved)."
        case OpeningKind.SWAPPED:
            return f"{side} swapped {move}, which loses (proved)."


def won_instead(wins: Sequence[str], all_wins: bool) -> str:
    """Return which moves won.

    >>> won_instead(["e8"], True)
    'only e8 won'
    >>> won_instead(["e8", "c7"], False)
    'e8 or c7 won'
    >>> won_instead(list("abcdefgh"), True)
    'a, b, c, d, e, f or 2 others won'
    """
    only = "only " if all_wins and len(wins) == 1 else ""
    return f"{only}{either(wins)} won"
