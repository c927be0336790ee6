"""The winner's answer to a move inside its carrier: one that restores the link under attack.

All other cells are given to the loser first. So the answer, and every cell that the winner needs
after it, is inside the carrier, and what is proved then holds on the real board too.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from hextui.engine.connection import Connection, ConnectionKind, Rule
from hextui.engine.connections import ConnectionSettings, ConnectionTable, find_connections
from hextui.engine.limit import StoppedError
from hextui.engine.position import Position
from hextui.engine.solver.attack import Attack, Tactic, TryAnswer
from hextui.engine.solver.proof import Fill, Proof
from hextui.engine.solver.tactics import has_two_threats, ladder_in, template_made
from hextui.engine.solver.walker import Walker
from hextui.engine.templates import BRIDGE, ladder_of, template_of

SETTINGS = ConnectionSettings(captured=True, templates=True, row_limit=1 << 18)
_MOST_PROVED = 4  # replies that are proved before the first one that wins
_BRIDGE_CELLS = 2

Prove = Callable[[Position], Proof]
"""Proves who wins a position; raises StoppedError when stopped."""


def answer_attack(attack: Attack, prove: Prove) -> TryAnswer:
    """Return the answer: one that restores the smallest link that the attack breaks, if it wins.

    Else it is one that joins the edges at once, or that is known or proved to win.
    Raises StoppedError if nothing was proved and no answer was known.
    """
    before = attack.narrowed
    after = before.play(attack.cell)
    for cell, link in islice(_restoring(attack, before, after), _MOST_PROVED):
        if cell == attack.proved_reply:
            return _described(attack, TryAnswer(cell, None, link))
        try:
            proof = prove(after.play(cell))
        except StoppedError:
            break
        if proof.winner is attack.winner:
            return _described(attack, TryAnswer(cell, _proof_before(attack, cell, proof), link))
    if attack.proved_reply is not None:
        return _described(attack, TryAnswer(attack.proved_reply))
    cell = _any_answer(attack, after, prove)
    proof = prove(after.play(cell))
    return _described(attack, TryAnswer(cell, _proof_before(attack, cell, proof)))


def _any_answer(attack: Attack, after: Position, prove: Prove) -> int:
    """Return the winning move of a proof; where any move wins, an empty cell near the attack."""
    walker = Walker(prove(after))
    turn = walker.turn(walker.start)
    if not turn.free:
        return turn.cell
    near = attack.position.board.neighbours[attack.cell]
    return min(after.empties, key=lambda cell: (cell not in near, cell))


def _proof_before(attack: Attack, cell: int, proof: Proof) -> Proof:
    """Return the proof of the real position before an answer, from that of what follows it."""
    attacked = attack.position.play(attack.cell)
    nodes = proof.nodes
    alone = attack.counted.difference(*attack.pairs)
    steps: tuple[tuple[int, ...], ...] = (
        *attack.pairs,
        *((cell_alone,) for cell_alone in sorted(alone)),
    )
    if steps:
        nodes = (*nodes, Fill(steps, len(nodes) - 1))
    return Proof(attacked.play(cell), attack.winner, nodes).before(attacked, cell)


def _restoring(
    attack: Attack, before: Position, after: Position
) -> Iterator[tuple[int, Connection | None]]:
    """Yield the replies that join the ends of a broken link again, the smallest link first.

    Those that join the edges at once follow, with None.
    """
    links = _broken(find_connections(before, attack.winner, SETTINGS), attack.cell)
    table = find_connections(after, attack.winner, SETTINGS)
    tried: set[int] = set()
    for link in links:
        for semi in table.between(*link.nodes):
            key = semi.key_cell
            if semi.kind is ConnectionKind.SEMI and key is not None and key not in tried:
                tried.add(key)
                yield key, link
    for semi in table.edge_semis:
        if semi.key_cell is not None and semi.key_cell not in tried:
            tried.add(semi.key_cell)
            yield semi.key_cell, None


def _broken(table: ConnectionTable, cell: int) -> list[Connection]:
    """Return the links between stones or edges that need a cell, the smallest first."""
    stones = table.position.stones
    links: list[Connection] = []
    ids = table.full_ids
    for row, ends in zip(ids.tolist(), table.ends_of(ids).tolist(), strict=True):
        owned = all(end >= len(stones) or stones[end] == table.color for end in ends)
        if owned and table.carrier_mask(row) >> cell & 1:
            links.append(table.connection(row))
    return sorted(links, key=lambda link: (len(link.cells), link.nodes))


def _described(attack: Attack, answer: TryAnswer) -> TryAnswer:
    """Return an answer with its tactic, if it has one."""
    if answer.attacked is not None and len(answer.attacked.carrier) == _BRIDGE_CELLS:
        return replace(answer, tactic=Tactic.BRIDGE)
    if _is_of_ladder(attack, answer):
        return replace(answer, tactic=Tactic.LADDER)
    answered = attack.narrowed.play(attack.cell).play(answer.cell)
    if answered.winner is not None:
        return answer
    table = find_connections(answered, attack.winner, SETTINGS)
    if template := _template(attack, answer, table):
        return replace(answer, tactic=Tactic.TEMPLATE, template=template)
    link = answer.attacked
    is_double = has_two_threats(table) if link is None else link.rule is Rule.OR
    return replace(answer, tactic=Tactic.DOUBLE) if is_double else answer


def _is_of_ladder(attack: Attack, answer: TryAnswer) -> bool:
    """Return whether the attack is on a ladder's carrier, or a stone of a ladder is played."""
    link = answer.attacked
    if link is not None and ladder_of(attack.narrowed, attack.winner, link.nodes, link.cells):
        return True
    played = attack.cell, answer.cell
    return not ladder_in(attack.start, (*attack.line, *played)).isdisjoint(played)


def _template(attack: Attack, answer: TryAnswer, table: ConnectionTable) -> str:
    """Return the name of the edge template that was attacked, or that the answer makes."""
    link = answer.attacked
    if link is not None:
        named = template_of(attack.narrowed, attack.winner, link.nodes, link.cells)
        if named is not None and named.name != BRIDGE:
            return named.name
    made = template_made(table, answer.cell)
    return made.name if made else ""
