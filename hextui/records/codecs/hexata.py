"""Hexata's one-line text of a game tree: a HexWorld fragment with variations in parentheses."""

from hextui.records.codecs.codec import Codec
from hextui.records.codecs.hexworld import cursor_difference, cursor_of, head, position_of, tokens
from hextui.records.record import Record
from hextui.records.tree import Node


class Hexata(Codec):
    """Hexata's text. Its files are read as HexWorld's fragments, which may hold variations."""

    name = "hexata"
    variations = True
    passes = True

    def write(self, record: Record, node: Node | None = None) -> str:
        words = _Words(record)
        cursor = words.after[cursor_of(record, node)]
        spelled = [word + ("," if at == cursor else "") for at, word in enumerate(words.words)]
        parts = [head(record), ",", spelled[0]]
        # A number stands for what follows that word: the main word, the variations, the main line.
        waiting: list[int | str] = [0]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
            elif words.following[item]:
                main, *variations = words.following[item]
                waiting.append(main)
                for other in reversed(variations):
                    waiting += [")", other, spelled[other], "("]
                waiting.append(spelled[main])
        text = "".join(parts).rstrip(",")
        # A size alone would be read as a list of moves.
        return text if text.strip("0123456789x") else f"{text},"

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        positions = {position_of(again, other) for other in again.nodes()}
        for at in record.nodes():
            if position_of(record, at) not in positions:
                return f"the position {at.place(record.board)}"
        return cursor_difference(record, again, node)


class _Words:
    """A tree with one word a node; the words of a HexWorld link are not one to a record's node."""

    def __init__(self, record: Record) -> None:
        self.words = [""]
        self.following: list[list[int]] = [[]]
        self.after: dict[Node, int] = {}  # the last word that each node of the record takes
        for node in record.nodes():
            at = self.after[node.parent] if node.parent else 0
            for word in tokens(record, node):
                at = self._follow(at, word)
            self.after[node] = at

    def _follow(self, at: int, word: str) -> int:
        """Return the word after ``at``, added if it is not there yet."""
        for known in self.following[at]:
            if self.words[known] == word:
                return known
        self.words.append(word)
        self.following.append([])
        self.following[at].append(len(self.words) - 1)
        return len(self.words) - 1
