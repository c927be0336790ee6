"""Proofs of who wins: the complete strategy of the winner.

A node makes a claim about a set of the winner's stones and a *carrier*, a set of empty cells: the
winner wins even if all other cells belong to the loser. A proof is a list of nodes that refer to
earlier ones by their places; the last is about the position itself. `hextui.engine.solver.check`
says what each node needs to hold.

A proof that is only shown, not checked, may be shortened: its `Replies` then have a carrier without
answers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hextui.engine.board import Color
from hextui.engine.orientation import Orientation
from hextui.engine.position import Position
from hextui.text import counted


@dataclass(frozen=True, slots=True)
class Touch:
    """A step of a connection: two ends that touch.

    An end is a cell, empty or of a group of the winner, or an edge: the number of cells for the
    first (top or left), one more for the other.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class And:
    """A step: two full connections with a common end, by the numbers of the steps that made them.

    The result is full where they meet in a group or at an edge, semi where they meet in an empty
    cell. Their carriers may overlap only in cells of ``captured`` pairs, which own stones on the
    ends and on that cell capture.
    """

    first: int
    second: int
    captured: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """A step: semi connections of the same ends, by the numbers of the ``steps`` that made them.

    No cell is in the carriers of all of them, but for cells of ``captured`` pairs.
    """

    steps: tuple[int, ...]
    captured: tuple[tuple[int, int], ...] = ()


Step = Touch | And | Or


@dataclass(frozen=True, slots=True)
class Joined:
    """A leaf: the winner's edges are connected inside ``carrier``.

    ``full``: it holds whichever side moves, else only if the winner moves. ``steps`` derive it:
    each uses earlier ones, and the last is the connection. Without steps, the checker plays the
    carrier out.
    """

    full: bool
    carrier: frozenset[int]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """The winner is to move and plays ``cell``; ``then`` is about what follows."""

    cell: int
    then: int


@dataclass(frozen=True, slots=True)
class Reply:
    """After a loser's stone on any cell of ``to`` the winner is to move, and ``then`` holds."""

    to: frozenset[int]
    then: int


@dataclass(frozen=True, slots=True)
class Kill:
    """A loser's stone on ``cell`` is dead after the answer ``by``; the node then holds again."""

    cell: int
    by: int


@dataclass(frozen=True, slots=True)
class Replies:
    """The loser is to move: each cell of ``carrier`` has an answer; elsewhere any will do."""

    carrier: frozenset[int]
    answers: tuple[Reply | Kill, ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """Cells counted as the winner's, one step after another; ``then`` holds with them.

    A step has one cell that cannot matter, or two that are captured: if the loser takes one, the
    winner takes the other.
    """

    steps: tuple[tuple[int, ...], ...]
    then: int

    @property
    def captured(self) -> frozenset[int]:
        """The cells of the captured pairs."""
        return frozenset(cell for step in self.steps if len(step) == 2 for cell in step)


Node = Joined | Play | Replies | Fill


@dataclass(frozen=True)
class Proof:
    """``winner`` wins ``position`` if nobody swaps; the last of ``nodes`` shows it.

    >>> from hextui.engine.board import Board
    >>> at = Position.empty(Board(1, 1))
    >>> print(Proof(at, Color.BLACK, (Joined(False, frozenset({0})),)))
    black wins: 1 node, 1 connection among them
    """

    position: Position
    winner: Color
    nodes: tuple[Node, ...]

    def before(self, position: Position, cell: int) -> "Proof":
        """Return the proof for the position before the winner's move that led to this one."""
        move = Play(cell, len(self.nodes) - 1)
        return Proof(position, self.winner, (*self.nodes, move))

    def back(self, orientation: Orientation) -> "Proof":
        """Return the proof of a position in another orientation for the position itself."""
        if orientation.plain:
            return self
        nodes = tuple(_node_back(node, orientation) for node in self.nodes)
        position = orientation.back(self.position)
        return Proof(position, orientation.color_back(self.winner), nodes)

    @property
    def leaves(self) -> int:
        """The number of connections among the nodes."""
        return sum(isinstance(node, Joined) for node in self.nodes)

    def __str__(self) -> str:
        nodes = counted(len(self.nodes), "node")
        return f"{self.winner} wins: {nodes}, {counted(self.leaves, 'connection')} among them"


class ProofBuilder:
    """Collects the nodes of a proof, without duplicates.

    >>> builder = ProofBuilder()
    >>> leaf = builder.add(Joined(True, frozenset({1, 2})))
    >>> builder.add(Play(0, leaf)), builder.add(Play(0, leaf))
    (1, 1)
    """

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._places: dict[Node, int] = {}

    def add(self, node: Node) -> int:
        """Add a node, whose parts were added before; return its place."""
        place = self._places.setdefault(node, len(self._nodes))
        if place == len(self._nodes):
            self._nodes.append(node)
        return place

    def carrier(self, place: int) -> frozenset[int]:
        """Return the carrier of the claim that a node makes."""
        node = self._nodes[place]
        match node:
            case Joined() | Replies():
                return node.carrier
            case Play():
                return self.carrier(node.then) | {node.cell}
            case Fill():
                return self.carrier(node.then) | node.captured

    def proof(self, position: Position, winner: Color, root: int) -> Proof:
        """Return the proof with this root; nodes that it does not need are left out."""
        needed = {root}
        for place in range(root, -1, -1):
            if place in needed:
                needed.update(_parts(self._nodes[place]))
        places = {old: new for new, old in enumerate(sorted(needed))}
        nodes = tuple(_renumbered(self._nodes[old], places) for old in places)
        return Proof(position.without_swap, winner, nodes)


def _parts(node: Node) -> Iterable[int]:
    match node:
        case Joined():
            return ()
        case Replies():
            return [answer.then for answer in node.answers if isinstance(answer, Reply)]
        case Play() | Fill():
            return (node.then,)


def _renumbered(node: Node, places: Mapping[int, int]) -> Node:
    """Return a node that refers to others by their new places."""
    match node:
        case Joined():
            return node
        case Play() | Fill():
            return replace(node, then=places[node.then])
        case Replies():
            answers: list[Reply | Kill] = []
            for answer in node.answers:
                if isinstance(answer, Reply):
                    answer = Reply(answer.to, places[answer.then])
                answers.append(answer)
            return Replies(node.carrier, tuple(answers))


def _node_back(node: Node, orientation: Orientation) -> Node:
    """Return a node with the cells of the position itself."""
    cell_of = orientation.cell_of
    match node:
        case Joined():
            steps = tuple(_step_back(step, orientation) for step in node.steps)
            return Joined(node.full, orientation.cells_back(node.carrier), steps)
        case Play():
            return Play(cell_of[node.cell], node.then)
        case Replies():
            answers = tuple(_answer_back(answer, orientation) for answer in node.answers)
            return Replies(orientation.cells_back(node.carrier), answers)
        case Fill():
            fills = []
            for step in node.steps:
                fills.append(tuple(cell_of[cell] for cell in step))
            return Fill(tuple(fills), node.then)


def _answer_back(answer: Reply | Kill, orientation: Orientation) -> Reply | Kill:
    if isinstance(answer, Reply):
        return Reply(orientation.cells_back(answer.to), answer.then)
    return Kill(orientation.cell_of[answer.cell], orientation.cell_of[answer.by])


def _step_back(step: Step, orientation: Orientation) -> Step:
    cell_of = orientation.cell_of
    if isinstance(step, Touch):
        return Touch(int(orientation.node_of[step.first]), int(orientation.node_of[step.second]))
    captured = tuple((cell_of[first], cell_of[second]) for first, second in step.captured)
    return replace(step, captured=captured)
