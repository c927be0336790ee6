"""A review in words: each mistake as a sentence, and as a line of a list."""

from collections.abc import Sequence

from hextui.analysis.mistakes import (
    PROVED,
    Blunder,
    CostlyMove,
    LowRank,
    MistakeKind,
    OpeningKind,
    OpeningMistake,
    ReviewEntry,
)
from hextui.engine.board import Board
from hextui.records.record import Record
from hextui.text import Names, either

MISTAKE_KINDS = {
    MistakeKind.MUST_PLAY: "did not meet a threat",
    MistakeKind.MISSED_WIN: "missed a connection",
    MistakeKind.GIVEN_BACK: "gave it back",
    MistakeKind.OTHER: "other move",
    MistakeKind.SEVERAL: "one of several",
    MistakeKind.OPENING: "opening",
}
"""The kinds of mistakes as the columns of a table."""


def mistake_sentence(mistake: Blunder | OpeningMistake, names: Names) -> str:
    """Return the sentence about a proved mistake, with the proof on both sides of it."""
    side = names.player(mistake.color)
    other = names.player(mistake.color.opponent)
    if isinstance(mistake, OpeningMistake):
        move = f"1. {mistake.before.position.board.name(mistake.cell)}"
        match mistake.kind:
            case OpeningKind.TOO_STRONG:
                return f"{side} opened too strongly: {other} swapped {move}, which wins (proved)."
            case OpeningKind.NOT_SWAPPED:
                return f"{side} did not swap {move}, which wins (proved)."
            case _:
                return f"{side} swapped {move}, which loses (proved)."
    board = mistake.before.position.board
    moves = [_move(move.ply, move.cell, board) for move in mistake.moves]
    wins = list(map(board.name, mistake.wins))
    instead = f": {won_instead(wins, mistake.all_wins)}" if wins else ""
    if len(moves) == 1:
        return f"{side} gave the win away with {moves[0]}{instead} (proved)."
    before, after = mistake.before.ply, mistake.after.ply
    return (
        f"{side} gave the win away between {moves[0]} and {moves[-1]}{instead} "
        f"(proved: {side} wins after ply {before}, {other} after ply {after})."
    )


def won_instead(wins: Sequence[str], all_wins: bool) -> str:
    """Return which moves would have won.

    >>> won_instead(["e8"], True)
    'only e8 won'
    >>> won_instead(["e8", "c7"], False)
    'e8 or c7 won'
    """
    only = "only " if all_wins and len(wins) == 1 else ""
    return f"{only}{either(wins)} won"


def numbered_move(ply: int, name: str) -> str:
    """Return a move with the number of its ply, both ways to swap by one word.

    >>> numbered_move(2, "swap-pieces")
    '2. swap'
    """
    return f"{ply}. {'swap' if name.startswith('swap') else name}"


def mistake_moves(record: Record, plies: Sequence[int]) -> str:
    """Return the moves at plies, of which one is a mistake: ``23. i4``, ``23. i4 to 27. i7``."""
    turns = record.turns()
    names = []
    for ply in plies:
        names.append(numbered_move(ply, turns[ply - 1].name(record.board)))
    if len(names) < 3:
        return " or ".join(names)
    return f"{names[0]} to {names[-1]}"


def entry_move(entry: ReviewEntry) -> str:
    """Return the first move of an entry with the number of its ply: ``23. i4``, ``2. swap``."""
    first = entry.moves[0]
    before = entry.before
    if not isinstance(entry, OpeningMistake):
        return _move(first.ply, first.cell, before.position.board)
    if before.cell is None:
        return f"{before.ply + 1}. swap"
    return _move(before.ply + 1, before.cell, before.position.board)


def entry_words(entry: ReviewEntry, names: Names) -> tuple[str, ...]:
    """Return what is wrong with the moves of an entry, the fullest wording first."""
    board = entry.before.position.board
    match entry:
        case Blunder():
            return _given_away(entry, board)
        case OpeningMistake():
            return _opening(entry, board, names)
        case LowRank(best=best, quality=quality):
            best_move = f"best {board.name(best)}"
            rank = f"{quality.rank} of {quality.candidates}"
            return f"{best_move}; played rank {rank}", best_move
        case CostlyMove(rate_before=before, rate_after=after, best=best):
            best_move = f"best {board.name(best)}"
            return f"{best_move}; win probability {before:.0%} to {after:.0%}", best_move


def remark_words(entry: Blunder | OpeningMistake | CostlyMove, names: Names) -> str:
    """Return a sentence on a mistake that names no better move after the opening."""
    board = entry.before.position.board
    move = entry_move(entry)
    how = "proved" if entry.by == PROVED else "estimate"
    match entry:
        case Blunder():
            what, _ = _what_happened(entry, board)
            return f"{move} {what} ({how})."
        case OpeningMistake():
            return f"{move}: {_opening(entry, board, names)[0]} ({how})."
        case CostlyMove(rate_before=before, rate_after=after):
            rates = f"{before:.0%} to {after:.0%}"
            return f"{move} loses {entry.cost:.0%} win probability ({how}: {rates})."


def _what_happened(mistake: Blunder, board: Board) -> tuple[str, str]:
    """Return what follows the first move of a blunder in a sentence, and in a word or two."""
    last = _move(mistake.moves[-1].ply, mistake.moves[-1].cell, board)
    match len(mistake.moves):
        case 1:
            return "gives the win away", "loses"
        case 2:
            return f"or {last} gives the win away", f"or {last}"
        case _:
            return f"to {last}: one gives the win away", f"to {last}"


def _given_away(mistake: Blunder, board: Board) -> tuple[str, ...]:
    what, short = _what_happened(mistake, board)
    words = [what, short]
    if wins := list(map(board.name, mistake.wins)):
        all_won = won_instead(wins, mistake.all_wins)
        one_won = won_instead(wins[:1], False)
        words = [f"{what}; {all_won}", f"{what}; {one_won}", f"{short}; {one_won}", *words]
    return tuple(dict.fromkeys(words))


def _opening(mistake: OpeningMistake, board: Board, names: Names) -> tuple[str, ...]:
    other = names.player(mistake.color.opponent)
    first = _move(1, mistake.cell, board)
    win = mistake.win_probability
    worth = "" if win is None else f", worth {win:.0%}"
    match mistake.kind:
        case OpeningKind.TOO_STRONG if win is not None:
            return f"gives {win:.0%} to the side that swaps", "too strong"
        case OpeningKind.TOO_STRONG:
            return f"too strong a first move: {other} swapped it", "too strong: swapped"
        case OpeningKind.TOO_WEAK if win is not None:
            return f"gives {1 - win:.0%} to the side that plays on", "too weak"
        case OpeningKind.NOT_SWAPPED:
            return f"should have swapped {first}{worth}", "should have swapped", "did not swap"
        case _:
            return f"should not have swapped {first}{worth}", "wrong swap"


def _move(ply: int, cell: int, board: Board) -> str:
    return f"{ply}. {board.name(cell)}"
