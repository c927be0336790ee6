"""Writes a review into its record, in the properties of SGF that other programs read.

A blunder gets ``BM``, or ``DO`` if it is one of several moves; the position before it gets the
sentence as a comment and the winning move as a variation with ``TE``. Where the winner changes,
the node gets ``GB`` or ``GW``. The user's own notes stay: the comment is appended, and a node keeps
marks that exclude these. ``HXR`` lists the marks and the lines of the comment that a review put at
a node, so that the next review can remove them.

Source: SGF FF[4], "Node annotation" and "Move annotation", https://www.red-bean.com/sgf/.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence, Set

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import Blunder, OpeningMistake, blunders, opening_mistakes
from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.records.record import Record
from hextui.records.record_text import escape, unescape_line
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
    changes: Notes = defaultdict(dict)
    for node, values in (beside or {}).items():
        for name, texts in values.items():
            changes[node][name] = list(texts)
    for node in _line_and_variations(positions):
        if node in notes or MADE in node.properties:
            changes[node].update(_changed(node, notes.get(node, {})))
    record.set_properties(changes, variations)


def _line_and_variations(positions: Sequence[GamePosition]) -> list[Node]:
    """Return the nodes of a line of play and of the variations on it, each once."""
    nodes: dict[Node, None] = {}
    for game_position in positions:
        nodes[game_position.node] = None
        if game_position.next_node is not None:
            nodes[game_position.next_node] = None
        nodes.update(dict.fromkeys(game_position.node.children))
    return list(nodes)


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
    earlier_marks, earlier_lines = _made_earlier(node)
    changes: dict[str, list[str]] = {mark: [] for mark in earlier_marks}
    marks = _compatible(wanted, node.properties.keys() - earlier_marks)
    for mark in marks:
        changes[mark] = list(wanted[mark])
    said = [PREFIX + text for text in wanted.get("C", ())]
    if said or earlier_lines:
        changes["C"] = _comment(_lines_without(earlier_lines, node.comment) + said)
    changes[MADE] = _made_texts(marks, said)
    return changes


def _made_earlier(node: Node) -> tuple[set[str], list[str]]:
    """Return the marks and the lines of the comment that an earlier review put at a node."""
    marks, *lines = [unescape_line(raw) for raw in node.properties.get(MADE, ("",))]
    return {mark for mark in marks.split() if mark in _MARKS}, lines


def _compatible(wanted: Container[str], own: Set[str]) -> list[str]:
    """Return the marks among ``wanted`` that a node can have beside its ``own`` properties."""
    return [mark for mark in _MARKS if mark in wanted and own.isdisjoint(_excluded_by(mark))]


def _made_texts(marks: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return the values of ``HXR`` for what a review put at a node."""
    if not marks and not said:
        return []
    return [escape(text) for text in (" ".join(marks), *said)]


def _comment(lines: Sequence[str]) -> list[str]:
    """Return the values of a property with a comment, none without lines."""
    return [escape("\n".join(lines))] if lines else []


def _lines_without(removed: Sequence[str], comment: str) -> list[str]:
    """Return the lines of a comment but for some."""
    lines = comment.split("\n") if comment else []
    return [line for line in lines if line not in removed]


def _excluded_by(mark: str) -> Sequence[str]:
    """Return the marks that a node cannot have beside a mark of a review, and that mark."""
    return next(group for group in _EXCLUSIVE if mark in group)
