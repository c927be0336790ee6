"""Proofs of small and late positions by must-play and connections, for tests of the checker."""

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.proof import Play, ProofBuilder, Replies, Reply
from hextui.engine.solver.proof_export import LeafMaker


class Prover:
    """Solves positions of one board and writes the proofs of both colours as it goes."""

    def __init__(self, board):
        self.board = board
        self.builders = {color: ProofBuilder() for color in Color}
        self.leaves = {color: LeafMaker(board, color) for color in Color}
        self.known = {}

    def prove(self, position):
        plain = Position(self.board, position.stones, position.to_move)
        winner, root = self.solve(plain)
        return self.builders[winner].proof(plain, winner, root)

    def solve(self, position):
        if position not in self.known:
            self.known[position] = self._solve(position)
        return self.known[position]

    def _solve(self, position):
        mover = position.to_move
        other = mover.opponent
        for color, full in ((other, True), (mover, True), (mover, False)):
            leaf = self.leaf(position, color, full)
            if leaf is not None:
                return color, self.builders[color].add(leaf)
        builder = self.builders[other]
        region, answers = frozenset(position.empties), []
        semi = self.leaf(position, other, False)
        if semi is not None:
            answers.append((region - semi.carrier, builder.add(semi)))
            region &= semi.carrier
        while region:
            move = min(region, key=lambda cell: (self.off_centre(cell), cell))
            winner, place = self.solve(position.play(move))
            if winner is mover:
                return mover, self.builders[mover].add(Play(move, place))
            carrier = builder.carrier(place)
            answers.append((region - carrier, place))
            region &= carrier
        carrier = frozenset().union(*(builder.carrier(place) for _, place in answers))
        replies = tuple(Reply(to & carrier, place) for to, place in answers if to & carrier)
        return other, builder.add(Replies(carrier, replies))

    def leaf(self, position, color, full):
        whole, semis = self.leaves[color].connections(position)
        return whole if full else next(iter(semis), None)

    def off_centre(self, cell):
        row, column = divmod(cell, self.board.columns)
        return abs(2 * row - self.board.rows + 1) + abs(2 * column - self.board.columns + 1)
