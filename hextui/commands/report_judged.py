"""The mistakes of a game by an evaluator, in its report as the screen lists them."""

from collections.abc import Iterator, Sequence

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.review import PROVED, ReviewEntry, review_entries
from hextui.commands.blocks import Block, Heading, Rows
from hextui.commands.documents import Document
from hextui.words.names import Names
from hextui.words.reviews import entry_move, entry_words


def judged_document(
    line: Sequence[GamePosition], evaluators: Sequence[str], estimates: Estimates, names: Names
) -> list[Document]:
    """Return the mistakes by the first evaluator, the worst first; proved ones are left out."""
    name = next(iter(evaluators), "")
    return [_judged(e, names) for e in review_entries(line, estimates, name) if e.by != PROVED]


def _judged(entry: ReviewEntry, names: Names) -> Document:
    ply, _, turn = entry_move(entry).partition(". ")
    return {
        "ply": int(ply),
        "move": turn,
        "color": str(entry.color),
        "player": str(entry.before.player),
        "mark": str(entry.severity),
        "by": entry.by,
        "words": entry_words(entry, names)[0],
    }


def judged_blocks(judged: Sequence[Document], names: Names) -> Iterator[Block]:
    """Yield a table of them, if there are any."""
    if judged:
        rows: list[list[object]] = [["by", "move", "mark", "what"]]
        for found in judged:
            move = f"{found['ply']}. {found['move']}"
            rows.append([names.player(found["color"]), move, found["mark"], found["words"]])
        yield Heading(f"Mistakes by {judged[0]['by']}: estimates, not proofs")
        yield Rows(rows)
