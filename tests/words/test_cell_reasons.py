"""What is said of a cell is true by exhaustive play."""

import random
import re
from collections import Counter

from hextui.engine.board import Board, Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.oriented import connections_of
from hextui.engine.position import Position
from hextui.text import Names
from hextui.words.connections import cell_reason
from tests.engine.solver.test_check import random_position, winner_of

SAID = re.compile(
    r"(?P<cell>\w+) is (?P<what>dead|captured|vulnerable|dominated|"
    r"outside the must-play region|must-play)"
    r".*?(?:(?:answers|by|with) (?P<other>[a-d][1-4])|$)"
)


def winners(position: Position) -> list[Color]:
    """Who wins with Black to move, and with White to move."""
    return [position.winner or winner_of(position.with_to_move(color)) for color in Color]


def holds(position: Position, cell: int, what: str, other: int | None) -> bool:
    """Tell by exhaustive play whether what is said of a cell is true."""
    mover, opponent = position.to_move, position.to_move.opponent
    filled = inferior_cells(position).filled
    if what == "dead":
        return winners(position.with_stone(cell, mover)) == winners(
            position.with_stone(cell, opponent)
        )
    if what == "captured":
        assert other is not None
        owner = Color(filled.stones[cell])
        taken = position.with_stone(cell, owner.opponent).with_stone(other, owner)
        held = position.with_stone(cell, owner).with_stone(other, owner)
        return winners(taken) == winners(held)
    if what == "vulnerable":
        assert other is not None
        after = filled.with_stone(other, opponent)
        return winners(after.with_stone(cell, mover)) == winners(after.with_stone(cell, opponent))
    if what == "dominated":
        assert other is not None
        wins = [after_move(filled, move) is mover for move in (cell, other)]
        return wins[1] or not wins[0]
    if what == "outside the must-play region":
        return after_move(position, cell) is opponent
    return True


def after_move(position: Position, cell: int) -> Color:
    """Return who wins after a move."""
    after = position.play(cell)
    return after.winner or winner_of(after)


def test_every_reason_is_true() -> None:
    rng = random.Random(4)
    seen: Counter[str] = Counter()
    for _ in range(70):
        position = random_position(rng, Board(4, 4), rng.randint(5, 10))
        inferior = inferior_cells(position)
        table = connections_of(position, position.to_move.opponent)
        threats = () if table.edge_fulls else table.edge_semis
        for cell in position.empties:
            text = cell_reason(position, cell, threats, inferior, Names.RED_BLUE)
            if not text:
                assert not threats
                assert cell not in inferior.rules.numbers
                continue
            said = SAID.match(text)
            assert said, text
            assert said["cell"] == position.board.name(cell)
            if seen[said["what"]] > 8:
                continue
            other = position.board.cell(said["other"]) if said["other"] else None
            assert holds(position, cell, said["what"], other), (text, position)
            seen[said["what"]] += 1
    assert len(seen) == 6, seen
    assert min(seen.values()) > 1, seen


def test_a_stone_has_no_reason() -> None:
    position = Position.empty(Board(3, 3)).play(4)
    assert cell_reason(position, 4, (), inferior_cells(position), Names.RED_BLUE) == ""
