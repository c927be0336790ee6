"""English for what was played next where a shape stands: letters, and rows of a table."""

from typing import NamedTuple

from hextui.library.shape_search import Continuation, PlayedElsewhere, ShapeFound
from hextui.text import Names

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class NextStone(NamedTuple):
    """A row: the letter of the cell or *elsewhere*, who played there, and in how many games.

    ``won``: the share of the decided games that its player won, '' without any.
    """

    place: str
    player: str
    games: str
    at_once: str = ""
    won: str = ""


def cell_letters(answer: ShapeFound) -> dict[tuple[int, int], str]:
    """Return letters for the cells that most games continue on, by row and column."""
    places = dict.fromkeys((each.row, each.column) for each in answer.continuations)
    return dict(zip(places, _LETTERS, strict=False))


def next_stones(answer: ShapeFound, names: Names) -> list[NextStone]:
    """Return a row for each continuation that has a letter, for stones elsewhere, for none."""
    letters = cell_letters(answer)
    rows = []
    for each in answer.continuations:
        letter = letters.get((each.row, each.column))
        if letter is not None:
            row = _row(letter, each, names)
            rows.append(row._replace(at_once=f"{each.at_once:,}"))
    rows += [_row("elsewhere", each, names) for each in answer.elsewhere]
    if answer.ended:
        rows.append(NextStone("none", "", f"{answer.ended:,}"))
    return rows


def _row(place: str, stones: Continuation | PlayedElsewhere, names: Names) -> NextStone:
    decided = stones.won + stones.lost
    share = f"{100 * stones.won / decided:.0f}%" if decided else ""
    return NextStone(place, names.player(stones.color), f"{stones.games:,}", won=share)
