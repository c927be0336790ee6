"""Inferior cells in plain Python: slow, and each rule as it is told in hextui/engine/inferior.py.

A set of cells is an int with bit ``c`` for cell ``c``; bits ``cells`` and ``cells + 1`` are the
edges. Nodes are linked if they are adjacent or if one group of own stones touches both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.cells import CellMap, CellPairs, Cells
from hextui.engine.inferior import InferiorCells, InferiorRule
from hextui.engine.position import Position

Links = list[int]


def inferior_cells(position: Position) -> InferiorCells:
    """Find the inferior cells of the side to move; where somebody has won there are none.

    Captured pairs are filled one after another, the first in row order first. Another order
    can fill other cells, so a mirrored position need not have the mirrored ones.
    """
    mover = position.to_move
    filled = position
    captured: dict[Color, dict[int, int]] = {color: {} for color in Color}
    rules: dict[int, InferiorRule] = {}
    dead: set[int] = set()
    while filled.winner is None:
        networks = _networks(filled)
        found = _dead_cells(filled, networks)
        if found:
            dead |= found.keys()
            rules |= found
            filled = _with_stones(filled, found, mover)
            continue
        pair = next(_captured_pairs(networks, filled), None)
        if pair is None:
            vulnerable = _vulnerable(networks, filled)
            dominated = _dominated(networks, filled, vulnerable)
            rules |= dict.fromkeys(vulnerable, InferiorRule.DEAD_AFTER_REPLY)
            rules |= {cell: rule for cell, (_, rule) in dominated.items()}
            better = {cell: dominator for cell, (dominator, _) in dominated.items()}
            break
        color, one, other = pair
        captured[color] |= {one: other, other: one}
        rules |= {one: InferiorRule.PAIR, other: InferiorRule.PAIR}
        filled = _with_stones(filled, (one, other), color)
    else:
        vulnerable, better = {}, {}
    board = position.board
    return InferiorCells(
        position=position,
        filled=filled,
        dead=Cells.of(board, dead),
        captured={color: CellPairs(board, pairs) for color, pairs in captured.items()},
        vulnerable=CellPairs(board, vulnerable),
        dominated=CellPairs(board, better),
        rules=CellMap(board, rules),
    )


def _with_stones(
    position: Position, cells: "Mapping[int, InferiorRule] | tuple[int, ...]", color: Color
) -> Position:
    for cell in cells:
        position = position.with_stone(cell, color)
    return position


def _bits(cells: int) -> Iterator[int]:
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


@dataclass(frozen=True)
class _Networks:
    """Both colours' links: ``links[color][node]`` is the set of nodes linked to it."""

    links: Mapping[Color, Links]
    empties: int

    def after(self, color: Color, cell: int) -> "_Networks":
        """Return the networks after a stone: joined through for its owner, gone for the other."""
        own, other = list(self.links[color]), list(self.links[color.opponent])
        bit = 1 << cell
        for near in _bits(own[cell]):
            own[near] = (own[near] | own[cell]) & ~bit & ~(1 << near)
        for near in _bits(other[cell]):
            other[near] &= ~bit
        own[cell] = other[cell] = 0
        return _Networks({color: own, color.opponent: other}, self.empties & ~bit)

    def near(self, cell: int) -> int:
        """Return the empty cells whose surroundings a stone on ``cell`` changes."""
        found = 0
        for links in self.links.values():
            touched = links[cell] & self.empties
            found |= touched
            for other in _bits(touched):
                found |= links[other]
        return found & self.empties & ~(1 << cell)

    def is_dead(self, cell: int) -> bool:
        """Return whether the neighbours of ``cell`` are a clique in one of the networks."""
        black, white = self.links.values()
        return _is_clique(black, black[cell]) or _is_clique(white, white[cell])

    def killed(self, color: Color, cell: int) -> int:
        """Return the cells that a stone on ``cell`` makes dead."""
        after = self.after(color, cell)
        return sum(1 << other for other in _bits(self.near(cell)) if after.is_dead(other))


def _is_clique(links: Links, nodes: int) -> bool:
    while nodes:
        low = nodes & -nodes
        nodes ^= low
        if nodes & ~links[low.bit_length() - 1]:
            return False
    return True


def _networks(position: Position) -> _Networks:
    empties = sum(1 << cell for cell in position.empties)
    return _Networks({color: _links(position, color) for color in Color}, empties)


def _links(position: Position, color: Color) -> Links:
    board = position.board
    around = _around(board, color)
    vanished = sum(1 << cell for cell, s in enumerate(position.stones) if s == color.opponent)
    own = sum(1 << cell for cell, s in enumerate(position.stones) if s == color)
    links = [0] * (board.cells + 2)
    for cell in position.empties:
        links[cell] = around[cell] & ~own & ~vanished
    for touched in _group_surroundings(position, color):
        nodes = touched & ~own & ~vanished
        for node in _bits(nodes):
            links[node] |= nodes & ~(1 << node)
    for cell in position.empties:
        for node in (board.cells, board.cells + 1):
            if links[cell] >> node & 1:
                links[node] |= 1 << cell
    return links


def _around(board: Board, color: Color) -> list[int]:
    """Return the neighbours of each cell, with the edges of ``color`` that it lies on."""
    around = [sum(1 << near for near in cells) for cells in board.neighbours]
    for node, edge in enumerate(edges_of(color), start=board.cells):
        for cell in board.edge_cells[edge]:
            around[cell] |= 1 << node
    return around


def _group_surroundings(position: Position, color: Color) -> list[int]:
    """Return what each group of own stones touches, its own stones included."""
    around = _around(position.board, color)
    touched: dict[int, int] = {}
    for cell, stone in enumerate(position.stones):
        if stone == color:
            captain = position.groups.captain[cell]
            touched[captain] = touched.get(captain, 0) | around[cell]
    return list(touched.values())


def _dead_cells(position: Position, networks: _Networks) -> dict[int, InferiorRule]:
    found = {cell: InferiorRule.CLIQUE for cell in position.empties if networks.is_dead(cell)}
    for cell in _bits(_dead_regions(position, networks)):
        found.setdefault(cell, InferiorRule.REGION)
    return found


def _dead_regions(position: Position, networks: _Networks) -> int:
    """Return the cells that one group's surroundings, a clique, cut off from both its edges.

    A shortest path between the edges cannot enter and leave through a clique: it would take the
    link between its two members.
    """
    board = position.board
    edges = 3 << board.cells
    found = 0
    for color, links in networks.links.items():
        for touched in [0, *_group_surroundings(position, color)]:
            clique = touched & (networks.empties | edges)
            reached = fresh = edges & ~clique
            while fresh:
                spread = 0
                for node in _bits(fresh):
                    spread |= links[node]
                fresh = spread & ~reached & ~clique
                reached |= fresh
            found |= networks.empties & ~reached & ~clique
    return found


def _captured_pairs(networks: _Networks, position: Position) -> Iterator[tuple[Color, int, int]]:
    for color in Color:
        killed = {cell: networks.killed(color, cell) for cell in position.empties}
        for one in position.empties:
            for other in _bits(killed[one]):
                if one < other and killed[other] >> one & 1:
                    yield color, one, other


def _vulnerable(networks: _Networks, position: Position) -> dict[int, int]:
    opponent = position.to_move.opponent
    found: dict[int, int] = {}
    for killer in position.empties:
        for cell in _bits(networks.killed(opponent, killer)):
            found.setdefault(cell, killer)
    return found


def _dominated(
    networks: _Networks, position: Position, vulnerable: Mapping[int, int]
) -> dict[int, tuple[int, InferiorRule]]:
    """Return dominator and rule of each dominated cell; dominators are kept moves.

    Only moves that are not vulnerable take part, so a dominator is never pruned itself. Of
    moves that dominate each other one is kept.
    """
    moves = [cell for cell in position.empties if cell not in vulnerable]
    arcs = {cell: _dominates(networks, position.to_move, cell) for cell in moves}
    kept: list[int] = []
    found: dict[int, tuple[int, InferiorRule]] = {}
    # who dominates most stays first
    for cell in sorted(moves, key=lambda c: (-len(arcs[c]), c)):
        if cell not in found:
            kept.append(cell)
            for worse, rule in arcs[cell].items():
                if worse in arcs and worse not in kept:
                    found.setdefault(worse, (cell, rule))
    return found


def _dominates(networks: _Networks, mover: Color, cell: int) -> dict[int, InferiorRule]:
    """Return what an own stone on ``cell`` makes dead or captures."""
    after = networks.after(mover, cell)
    found = dict.fromkeys(_bits(networks.killed(mover, cell)), InferiorRule.DEAD_AFTER)
    near = networks.near(cell)
    killed = {other: after.killed(mover, other) for other in _bits(near)}
    for one, dead in killed.items():
        for other in _bits(dead):
            if other in killed and killed[other] >> one & 1:
                found.setdefault(one, InferiorRule.CAPTURED_AFTER)
    return found
