"""Moves of the loser tried against a proof: how the winner answers them, in sentences."""

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.connection import Connection
from hextui.engine.position import Position
from hextui.engine.solver.attack import Attack, Tactic, TryAnswer
from hextui.engine.solver.leaf_chain import Pair
from hextui.engine.solver.walker import AnswerReason, Branch, Spot
from hextui.engine.templates import template_of
from hextui.text import counted, listed
from hextui.words.connections import end_names, with_article
from hextui.words.proofs import ProofLine, ProofTree

_AT_HAND = (AnswerReason.CAPTURED, AnswerReason.KILLED)
"""Answers of a proof that restore a link by themselves."""


class TriedMoves:
    """Moves of the loser tried against a proof, and the winner's answers, to any depth.

    ``lines``: how the proof begins, then one for each move. ``said``: why the last one was not
    played, '' if it was.
    """

    def __init__(self, tree: ProofTree) -> None:
        self._tree = tree
        self._first = tree.first()
        self._asked: tuple[ProofLine, int, Branch | None] | None = None
        self.lines = self._first
        self.said = ""

    @property
    def count(self) -> int:
        """The number of moves tried."""
        return len(self.lines) - len(self._first)

    @property
    def prompt(self) -> str:
        """What the user can do now."""
        last = self.lines[-1]
        names = self._tree.names
        loser = names.player(self._tree.winner.opponent)
        if last.carrier:
            return f"Try moves of {loser} in the carrier"
        return f"{loser} has nothing left to try"

    @property
    def moves(self) -> str:
        """The line of tries: each move of the loser with its answer."""
        name = self._tree.walker.proof.position.board.name
        played = self.lines[-1].moves[len(self._first[-1].moves) :]
        pairs = zip(played[::2], played[1::2], strict=True)
        return " ".join(f"{name(cell)}-{name(reply)}" for cell, reply in pairs)

    def back(self) -> None:
        """Return to the beginning."""
        self.lines = self._first
        self.said = ""
        self._asked = None

    def take_back(self) -> bool:
        """Take the last try back; return whether there was one."""
        there = self.count > 0
        self.said, self._asked = "", None
        if there:
            self.lines = self.lines[:-1]
        return there

    def play(self, cell: int, line: ProofLine | None = None) -> Attack | None:
        """Play a move of the loser after a line, by default the last one.

        Where the engine has to find the answer, return the question; see `take`.
        """
        base = self.lines[-1] if line is None else line
        self._asked, self.said = None, ""
        if not base.carrier or base.position.stones[cell] != EMPTY or cell not in base.carrier:
            self.said = self._why_not(base, cell)
            return None
        branch = base.tree.branch(base, cell)
        if branch is not None and branch.why in _AT_HAND:
            self._add(base, base.tree.tried(branch, base, _at_hand_sentence(base, branch)))
            return None
        self._asked = base, cell, branch
        known_reply = None if branch is None or branch.free else branch.reply
        return base.tree.attack(base, cell, known_reply, self._tree)

    def take(self, answer: TryAnswer) -> None:
        """Answer the move that was asked about."""
        if self._asked is None:
            return
        base, cell, branch = self._asked
        tree = base.tree
        if answer.proof is not None:
            tree = ProofTree(answer.proof, tree.names, played=(*base.moves, cell))
            turn = tree.walker.turn(tree.walker.start)
            branch = Branch(
                to=(cell,),
                why=AnswerReason.ANSWER,
                reply=turn.cell,
                free=turn.free,
                after=turn.after,
            )
        assert branch is not None
        self._add(base, tree.tried(branch, base, _sentence(base, tree, branch, answer)))

    def take_known(self) -> bool:
        """Answer by the proof at hand, as the engine found none; return whether it can."""
        if self._asked is None or self._asked[2] is None:
            return False
        self.take(TryAnswer(self._asked[2].reply))
        return True

    def _add(self, base: ProofLine, answer: ProofLine) -> None:
        self._asked = None
        before = self.lines if base in self.lines else (*self._first, base)
        self.lines = (*before[: before.index(base) + 1], answer)

    def _why_not(self, base: ProofLine, cell: int) -> str:
        """Return why a move is not played, and whose move is asked for."""
        names, position = base.tree.names, base.position
        winner = base.tree.winner
        loser = names.player(base.tree.winner.opponent)
        name = position.board.name
        if not base.carrier:
            return f"{names.player(winner)} has won: u takes a try back."
        if position.stones[cell] != EMPTY:
            return f"{name(cell)} is taken: {loser} tries an empty cell."
        size = counted(len(base.carrier), "cell")
        why = f"{names.player(winner)} wins inside {size} without it"
        if any(cell in line.carrier for line in self._before(base)):
            near = [
                neighbour
                for neighbour in position.board.neighbours[cell]
                if position.stones[neighbour] == winner
            ]
            holding = max(near, key=lambda neighbour: _place(base.moves, neighbour), default=None)
            if holding is not None:
                why = f"the stone on {name(holding)} already holds it"
        return f"{name(cell)} changes nothing: {why}. {loser} tries a cell of the carrier."

    def _before(self, base: ProofLine) -> tuple[ProofLine, ...]:
        return self.lines[: self.lines.index(base)] if base in self.lines else self._first


def _place(moves: tuple[int, ...], cell: int) -> int:
    """Return the place of a move, -1 for a stone that was there before."""
    return moves.index(cell) if cell in moves else -1


def _sentence(base: ProofLine, tree: ProofTree, branch: Branch, answer: TryAnswer) -> str:
    """Return what a move attacks, how it is answered, and what the winner has then."""
    cell, reply = map(base.position.board.name, (branch.to[0], branch.reply))
    winner, loser = map(tree.names.player, (tree.winner, tree.winner.opponent))
    result = _result(base, tree, branch.after)
    answered = f"{winner} answers {reply}"
    if answer.attacked is not None:
        attack = f"{cell} {_attacked(base, answer.attacked, answer)}"
        restored = f"{answered} and restores it"
        if answer.tactic is Tactic.DOUBLE:
            restored = f"{winner} plays the other half, {reply}"
        return f"{attack}. {restored}. {result}."
    match answer.tactic:
        case Tactic.TEMPLATE:
            answered = f"{answered}, which makes {with_article(answer.template)}"
        case Tactic.LADDER:
            answered = f"{answered}, a step of a ladder"
        case Tactic.DOUBLE:
            answered = f"{answered}, a double threat: {loser} can stop only one"
    return f"{loser} plays {cell}. {answered}. {result}."


def _result(base: ProofLine, tree: ProofTree, spot: Spot) -> str:
    """Return what the winner has after an answer to a move that was tried after a line."""
    winner = tree.names.player(tree.winner)
    if spot.position.winner is not None:
        return f"{winner} has won"
    if not tree.walker.is_joined(spot):
        return f"{winner} wins inside {counted(len(tree.walker.carrier(spot)), 'cell')}"
    assert base.spot is not None
    return f"{winner} {'stays' if base.tree.walker.is_joined(base.spot) else 'is'} connected"


def _attacked(base: ProofLine, link: Connection, answer: TryAnswer) -> str:
    """Return what a move does to a link between stones or edges, which it breaks."""
    assert base.spot is not None
    position = base.tree.counted(base.spot)
    winner = base.tree.winner
    between = _between(position, winner, link.nodes, link.cells, base.spot.counted)
    named = template_of(position, winner, link.nodes, link.cells)
    match answer.tactic:
        case Tactic.BRIDGE:
            return f"intrudes on the bridge {between}"
        case Tactic.LADDER:
            return f"attacks the ladder {between}"
        case Tactic.TEMPLATE if named is not None:
            return f"intrudes on the {named.name} {between}"
        case Tactic.DOUBLE:
            return f"stops half of the double threat {between}"
        case _:
            return f"attacks the link {between}"


def _between(
    position: Position,
    winner: Color,
    ends: tuple[int, int],
    carrier: frozenset[int],
    filled: frozenset[int],
) -> str:
    """Return the ends of a link in words: ``from c3 to the top edge``."""
    first, second = end_names(position, winner, ends, carrier, filled)
    return f"from {first} to {second}"


def _at_hand_sentence(base: ProofLine, branch: Branch) -> str:
    """Return how a captured pair answers, or how the answer makes the move's stone dead."""
    tree, position = base.tree, base.position
    cell = branch.to[0]
    reply = branch.reply
    winner = tree.winner
    names = listed(map(position.board.name, sorted((cell, reply))), "and")
    answered = f"{tree.names.player(winner)} answers {position.board.name(reply)}"
    result = _result(base, tree, branch.after)
    if branch.why is AnswerReason.KILLED:
        dead = f"the stone on {position.board.name(cell)} is dead"
        return f"{answered}, and {dead}: it connects nothing. {result}."
    ends = _bridged(position, winner, (cell, reply))
    if ends is None:
        return f"{names} are captured: each answers the other. {answered}. {result}."
    between = _between(position, winner, ends, frozenset((cell, reply)), frozenset())
    name = position.board.name(cell)
    return f"{name} intrudes on the bridge {between}. {answered} and restores it. {result}."


def _bridged(position: Position, winner: Color, pair: Pair) -> tuple[int, int] | None:
    """Return two groups or edges of the winner that both cells of a pair touch, None without."""
    board, captain = position.board, position.groups.captain
    first, second = pair
    common = set(board.neighbours[first]) & set(board.neighbours[second])
    ends = sorted({int(captain[cell]) for cell in common if position.stones[cell] == winner})
    for place, edge in enumerate(edges_of(winner)):
        if {first, second} <= set(board.edge_cells[edge]):
            ends.append(board.cells + place)
    return (ends[0], ends[1]) if len(ends) > 1 else None
