"""What the tree of sentences says of a proof, and that it leaves no move out."""

import re

from hextui.engine.board import Board, Color, Edge
from hextui.engine.position import Position
from hextui.engine.solver import mustplay
from hextui.engine.solver.mustplay import proof_of
from hextui.text import Names
from hextui.words.proofs import ProofTree, proof_lines
from tests.engine.solver.test_walker import exporter_of


def lines_of(proof, depth=99):
    return [
        (at, line.text, line)
        for at, line, _ in proof_lines(ProofTree(proof, Names.RED_BLUE), depth)
    ]


def test_a_connection_is_described_link_by_link():
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("c3"))
    lines = lines_of(exporter_of(board).prove(position))
    assert [text for _, text, _ in lines] == [
        "Red is connected already, whichever side moves",
        "top and bottom are joined inside 16 cells",
        "a ziggurat joins c3 to the top edge (8 cells)",
        "a ziggurat joins c3 to the bottom edge (8 cells)",
    ]
    assert [(line.ends, line.edges) for _, _, line in lines[2:]] == [
        ({board.cell("c3")}, {Edge.TOP}),
        ({board.cell("c3")}, {Edge.BOTTOM}),
    ]


def test_a_stone_on_its_edge_has_itself_to_show():
    board = Board(6, 6)
    stones = bytearray(board.cells)
    red, blue = "e1 a3 e3 a5 d5 e6", "f1 c2 b3 c3 c6 d6"
    for color, names in ((Color.BLACK, red), (Color.WHITE, blue)):
        for name in names.split():
            stones[board.cell(name)] = color
    position = Position(board, bytes(stones), Color.BLACK)
    lines = [line for _, _, line in lines_of(exporter_of(board).prove(position))]
    on_edge = [line for line in lines if "is on the top edge" in line.text]
    assert on_edge
    for line in on_edge:
        assert not line.carrier
        assert line.ends == {board.cell("e1")}
        assert line.edges == {Edge.TOP}


def test_a_lost_side_reads_that_every_move_loses():
    board = Board(6, 6)
    position = Position.empty(board).play(board.cell("f1"))
    first, *rest = lines_of(exporter_of(board).prove(position), depth=1)
    assert first[1] == "every move of Blue loses"
    covered = [cell for at, _, line in rest if at == 1 for cell in line.cells]
    assert sorted(covered) == list(position.empties)
    for _, _, line in rest:
        after = position
        for move in line.moves:
            after = after.play(move)
        assert after == line.position
        assert line.carrier <= set(after.empties)


def test_the_winner_moves_first_and_every_line_says_how_it_ends():
    position = Position.empty(Board(3, 3))
    proof = proof_of(mustplay.solve(position))
    (at, text, line), *rest = lines_of(proof)
    assert (at, text, line.moves) == (0, "Red plays b2", (4,))
    assert [text for at, text, _ in rest if at == 1][-1] == (
        "if Blue plays a1, c1, c2 or c3, Red answers b1"
    )
    leaves = [line for _, _, line in rest if not ProofTree(proof, Names.RED_BLUE).below(line)]
    assert leaves
    assert all("join" in line.text for line in leaves)


def test_captured_cells_and_dead_stones_are_named():
    board = Board(6, 6)
    position = Position.empty(board).play(board.cell("f1"))
    proof = exporter_of(board).prove(position)
    texts = [text for _, text, _ in lines_of(proof, depth=2)]
    captured = re.compile("(..) and (..) are captured: if Blue takes one, Red takes the other")
    assert any(captured.fullmatch(text) for text in texts)
    dead = re.compile("if Blue plays (..), Red answers ..: \\1 is dead, nothing changes")
    assert any(dead.fullmatch(text) for text in texts)


def test_what_two_links_share_is_named_as_captured():
    board = Board(4, 4)
    position = Position.empty(board).play(board.cell("d2"))
    lines = lines_of(exporter_of(board).prove(position))
    links = [line.carrier for _, text, line in lines if "join" in text or "reaches" in text][1:]
    shared = {cell for i, link in enumerate(links) for other in links[:i] for cell in link & other}
    assert shared
    (pair,) = (line.carrier for _, text, line in lines if "are captured: if Red takes" in text)
    assert shared <= pair


def test_a_finished_game_is_described_in_one_line():
    board = Board(3, 3)
    position = Position.empty(board)
    for name in ("b1", "a1", "b2", "a2", "b3"):
        position = position.play(board.cell(name))
    texts = [text for _, text, _ in lines_of(exporter_of(board).prove(position))]
    assert texts == ["Red has won: a chain of stones joins top and bottom"]
