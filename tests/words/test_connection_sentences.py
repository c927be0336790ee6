"""No sentence about a connection says what cannot be, on the connections of many positions."""

import random
import re
from collections.abc import Iterator

import pytest

from hextui.engine.board import EMPTY, Board, Color, Edge
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_export import Exporter
from hextui.text import Names
from hextui.words.connections import connection_sentence
from hextui.words.proofs import ProofTree, proof_lines

SIZES = (Board(4, 4), Board(5, 5), Board(6, 6), Board(5, 7), Board(8, 8), Board(9, 9))
CELL = r"(a stone on |captured )?([a-z]\d+)"
ON_EDGE = re.compile(rf"{CELL} is on the (\w+) edge")
REACHES = re.compile(rf"{CELL} reaches the (\w+) edge")
PAIR = re.compile(rf"(?:joins )?{CELL} (?:and|to) {CELL}\b")


def random_positions(count: int) -> Iterator[Position]:
    """Yield positions of several sizes, of games in which both sides have played at random."""
    rng = random.Random(39)
    for number in range(count):
        board = SIZES[number % len(SIZES)]
        position = Position.empty(board)
        for cell in rng.sample(range(board.cells), rng.randint(0, 2 * board.cells // 3)):
            if position.winner is None:
                position = position.play(cell)
        yield position


def check(sentence: str, position: Position, color: Color) -> None:
    """Fail if a sentence joins a cell to itself, or takes an empty cell for a stone."""
    board = position.board
    for said, name in re.findall(CELL, sentence.partition("joined")[0].partition("reaches")[0]):
        cell = board.cell(name)
        if said:
            assert position.stones[cell] != color, sentence
        elif not re.search(rf"(plays|to) {name}\b", sentence):  # a key, the escape of a ladder
            assert position.stones[cell] == color, sentence
    if found := ON_EDGE.search(sentence):
        edge = Edge[found[3].upper()]
        assert not found[1], sentence
        assert edge.color is color, sentence
        assert board.cell(found[2]) in board.edge_cells[edge], sentence
    if found := REACHES.search(sentence):
        assert Edge[found[3].upper()].color is color, sentence
    if found := PAIR.search(sentence):
        assert found[2] != found[4], sentence
    assert "touch" not in sentence


def check_connections(position: Position) -> int:
    """Check the sentences about all connections of a position; return how many there are."""
    count = 0
    for color in Color:
        table = find_connections(position, color)
        for number in range(len(table.rows)):
            connection = table.connection(number)
            check(connection_sentence(position, color, connection, Names.RED_BLUE), position, color)
            count += 1
    return count


def test_no_connection_joins_a_cell_to_itself_or_takes_an_empty_cell_for_a_stone() -> None:
    assert sum(map(check_connections, random_positions(8))) > 3_000


@pytest.mark.slow
def test_none_does_in_a_thousand_positions() -> None:
    assert sum(map(check_connections, random_positions(1000))) > 1_000_000


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_nor_does_a_sentence_of_a_proof(count: int) -> None:
    solvers = {board: Solver(board, SolverSettings(table_bytes=1 << 24)) for board in SIZES[:4]}
    strands, names = 0, Names.RED_BLUE
    for position in random_positions(count):
        if position.board not in solvers or position.stones.count(EMPTY) > 25:
            continue
        proof = Exporter(solvers[position.board]).prove(position)
        tree = ProofTree(proof, names)
        for _, line, _ in proof_lines(tree, 3):
            if line.ends:
                check(line.text, line.position, tree.winner)
                strands += 1
    assert strands > count
