"""Writes a review into its record, in the properties of SGF that other programs read.

A blunder gets ``BM``, or ``DO`` if it is one of several moves; the position before it gets the
sentence as a comment and the winning move as a variation with ``TE``. Where the winner changes,
the node gets ``GB`` or ``GW``. The user's own notes stay: the comment is appended, and a node keeps
marks that exclude these. ``HXR`` lists the marks and the lines of the comment that a review put at
a node, so that the next review can remove them.

Source: SGF FF[4], "Node annotation" and "Move annotation", https://www.red-bean.com/sgf/.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import Blunder, OpeningMistake, blunders, opening_mistakes
from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node, Turn

MADE = "HXR"
PREFIX = "Review: "
"""What the lines of a review begin with in a comment."""
_EXCLUSIVE = (("BM", "DO", "IT", "TE"), ("DM", "GB", "GW", "UC"))
"""Properties that exclude each other at a node: those of a move, those of a position."""
_MARKS = ("BM", "DO", "TE", "GB", "GW")
_GOOD_FOR = {Color.BLACK: "GB", Color.WHITE: "GW"}

Notes = dict[Node, dict[str, list[str]]]
Sentence = Callable[[Blunder | OpeningMistake], str]


def annotate(
    record: Record,
    positions: Sequence[GamePosition],
    estimates: Estimates,
    sentence: Sentence,
    beside: Mapping[Node, Mapping[str, Sequence[str]]] | None = None,
) -> None:
    """Write the review of a game into its record, in place of an earlier one, as one edit.

    ``sentence`` returns the comment on a mistake; ``beside`` are other properties to set with it.
    """
    notes: Notes = defaultdict(dict)
    variations = []
    for opening in opening_mistakes(positions, estimates):
        after = opening.before.next_node
        assert after is not None, "it was made by a turn"
        notes[after]["BM"] = ["2"]
        notes[positions[1].node]["C"] = [sentence(opening)]
    for mistake in blunders(positions, estimates):
        _note_mistake(mistake, positions, notes, sentence)
        variations += _better(mistake, notes)
    changes: Notes = {
        node: {name: list(texts) for name, texts in values.items()}
        for node, values in (beside or {}).items()
    }
    line_and_variations = dict.fromkeys(
        node
        for game_position in positions
        for node in (game_position.node, game_position.next_node, *game_position.node.children)
        if node is not None
    )
    for node in line_and_variations:
        if node in notes or MADE in node.properties:
            changes.setdefault(node, {}).update(_changed(node, notes.get(node, {})))
    record.set_properties(changes, variations)


def _note_mistake(
    mistake: Blunder, positions: Sequence[GamePosition], notes: Notes, sentence: Sentence
) -> None:
    before = notes[mistake.before.node]
    before.setdefault("C", []).append(sentence(mistake))
    before[_GOOD_FOR[mistake.color]] = ["2"]
    notes[mistake.after.node][_GOOD_FOR[mistake.color.opponent]] = ["2"]
    name, value = ("BM", "2") if len(mistake.moves) == 1 else ("DO", "")
    plies = {move.ply for move in mistake.moves}
    for game_position in positions:
        if game_position.next_node is not None and game_position.next_node.ply in plies:
            notes[game_position.next_node][name] = [value]


def _better(mistake: Blunder, notes: Notes) -> list[Node]:
    """Note a winning move that is a variation already, or return a new node with one."""
    if not mistake.wins:
        return []
    parent = mistake.before.node
    turns = [Turn(mistake.color, Move.play(cell)) for cell in mistake.wins]
    for turn in turns:
        if (variation := parent.child_with(turn)) is not None:
            notes[variation]["TE"] = ["1"]
            return []
    made = {"TE": ("1",), MADE: ("TE",)}
    return [Node(parent, turns[0], properties=made)]


def _changed(node: Node, wanted: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the properties to set at a node; those of an earlier review are removed."""
    marks, *lines = [unescape_line(raw) for raw in node.properties.get(MADE, ("",))]
    earlier = {name for name in marks.split() if name in _MARKS}
    changes: dict[str, list[str]] = {name: [] for name in earlier}
    made = []
    for name in (name for name in _MARKS if name in wanted):
        group = next(group for group in _EXCLUSIVE if name in group)
        if not any(other in node.properties and other not in earlier for other in group):
            made.append(name)
            changes[name] = list(wanted[name])
    said = [PREFIX + text for text in wanted.get("C", ())]
    if said or lines:
        comment = node.comment.split("\n") if node.comment else []
        kept = [text for text in comment if text not in lines]
        changes["C"] = [escape("\n".join([*kept, *said]))] if kept or said else []
    changes[MADE] = [escape(text) for text in (" ".join(made), *said)] if made or said else []
    return changes
