"""Shapes in games: every figure agrees with a plain reader that replays them."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hextui.engine.board import Board, Edge
from hextui.engine.position import MoveKind
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.library.shape import Shape
from hextui.library.shape_search import ShapeFound
from hextui.records.formats import read_record
from hextui.text import Names
from tests.library.generated import write_games
from tests.oracles import shapes

BOARDS = (Board(5, 5), Board(4, 6), Board(6, 4), Board(7, 7), Board(17, 16))
SIDES = (1, 2, 2, 3, 3, 4)
SETUPS = """
(;GM[11]SZ[5]PB[Ann]RE[B+R]AB[b2][c3]AW[c2];W[b3];B[d2];W[d3])
(;GM[11]SZ[5]RE[W+R];B[b2];B[c3];W[c2];B[b3];AB[d4]AE[b2];W[d3])
(;GM[11]SZ[5]AW[a1:b2];B[c3])
(;GM[11]SZ[5]RE[B+R];B[b2];W[swap-sides];W[c2];B[c3];W[b3];B[resign])
(;GM[11]SZ[5]RE[W+R];B[b3];W[swap-pieces];B[c3];W[b2];B[c2];W[d2])
"""


@dataclass(frozen=True)
class Replayed:
    """A game of the library as the plain reader takes it: what happened at each ply."""

    board: Board
    course: shapes.Course
    winner: int | None


def replay(library: Library) -> dict[int, Replayed]:
    games = {}
    for row in library.games():
        record = read_record(library.text(row.id) or "")
        stones = {}
        played = {}
        for node in record.main_line():
            stones[node.ply] = record.position(node).stones
            if node.turn is not None and node.turn.move.kind is MoveKind.PLAY:
                played[node.ply] = (node.turn.move.cell, int(node.turn.color))
        course = [(stones[ply], played.get(ply)) for ply in sorted(stones)]
        games[row.id] = Replayed(row.board, course, row.winner)
    return games


def random_shape(chance: random.Random, games: Sequence[Replayed]) -> Shape | None:
    """Cut a shape out of a game, with some of its cells open; None without a stone."""
    game = chance.choice(games)
    stones, _ = chance.choice(game.course)
    height = min(chance.choice(SIDES), game.board.rows)
    width = min(chance.choice(SIDES), game.board.columns)
    top = chance.randrange(game.board.rows - height + 1)
    left = chance.randrange(game.board.columns - width + 1)
    rows = []
    for row in range(top, top + height):
        begin = row * game.board.columns + left
        signs = [".BW"[stone] for stone in stones[begin : begin + width]]
        rows.append("".join(s if chance.random() < 0.7 else "?" for s in signs))
    touched = {
        Edge.TOP: top == 0,
        Edge.LEFT: left == 0,
        Edge.BOTTOM: top + height == game.board.rows,
        Edge.RIGHT: left + width == game.board.columns,
    }
    edges = [edge for edge in Edge if touched[edge] and chance.random() < 0.6]
    return Shape(tuple(rows), frozenset(edges)) if set("BW") & set("".join(rows)) else None


def check(found: ShapeFound, games: dict[int, Replayed], exchange: bool) -> None:
    sides = frozenset(map(str, found.shape.edges))
    expected = {}
    for number, game in games.items():
        match = shapes.find(game.board, game.course, game.winner, found.shape.rows, sides, exchange)
        if match is not None:
            expected[number] = match
    seen = {m.game: (m.ply, m.plies, tuple(m.cells)) for m in found.matches}
    assert seen == {n: (m.ply, m.plies, m.cells) for n, m in expected.items()}
    assert [m.game for m in found.matches] == sorted(expected)
    counts: Counter[object] = Counter()
    for match in expected.values():
        if match.following is not None:
            counts[match.following, "games"] += 1
            counts[match.following, "at once"] += match.at_once
            counts[match.following, "won"] += match.won is True
            counts[match.following, "lost"] += match.won is False
        if match.elsewhere is not None:
            color, won = match.elsewhere
            counts[color, "elsewhere"] += 1
            counts[color, "returned"] += match.following is not None
            counts[color, "won"] += won is True
            counts[color, "lost"] += won is False
        elif not match.at_once:
            counts["ended"] += 1
    counted: Counter[object] = Counter({"ended": found.ended})
    for c in found.continuations:
        following = (c.row, c.column, int(c.color))
        counted[following, "games"] = c.games
        counted[following, "at once"] = c.at_once
        counted[following, "won"] = c.won
        counted[following, "lost"] = c.lost
    for elsewhere in found.elsewhere:
        color = int(elsewhere.color)
        counted[color, "elsewhere"] = elsewhere.games
        counted[color, "returned"] = elsewhere.returned
        counted[color, "won"] = elsewhere.won
        counted[color, "lost"] = elsewhere.lost
    assert counted == counts
    numbers = [c.games for c in found.continuations]
    assert numbers == sorted(numbers, reverse=True)


def check_random(library: Library, number: int, seed: int) -> list[int]:
    """Check random shapes; return in how many games each is."""
    chance = random.Random(seed)
    games = replay(library)
    sizes = []
    while len(sizes) < number:
        shape = random_shape(chance, list(games.values()))
        if shape is not None:
            exchange = chance.random() < 0.5
            found = library.find_shape(shape, exchange=exchange)
            assert found.searched == len(games)
            check(found, games, exchange)
            sizes.append(len(found.matches))
    return sizes


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("shapes")
    (folder / "setups.sgf").write_text(SETUPS)
    for number, board in enumerate(BOARDS):
        games = 12 if board.rows <= 7 else 2
        if board.rows == board.columns:
            write_games(folder / f"{number}.jsonl", games, board, seed=number)
        else:
            write_uneven(folder / f"{number}.jsonl", games, board)
    with Library(folder / "library.sqlite") as opened:
        opened.import_paths([folder])
        yield opened


def write_uneven(path: Path, games: int, board: Board) -> None:
    """Write games on a board that has no swap of pieces; every other one has a swap of sides."""
    chance = random.Random(board.rows)
    names = [board.name(cell) for cell in range(board.cells)]
    size = f'{{"rows": {board.rows}, "columns": {board.columns}}}'
    with open(path, "w") as file:
        for number in range(games):
            moves = chance.sample(names, board.cells // 2)
            if number % 2:
                moves.insert(1, "swap-sides")
            line = f'"winner": "blue", "end": "resign", "moves": "{" ".join(moves)}"'
            file.write(f'{{"size": {size}, {line}}}\n')


def test_random_shapes_agree_with_a_plain_reader(library: Library) -> None:
    sizes = check_random(library, 50, seed=1)
    assert sum(size > 1 for size in sizes) > 15
    assert len(set(sizes)) > 10


def test_a_stone_that_was_swapped_stood_before(library: Library) -> None:
    games = replay(library)
    for text in ("R", "R..", "?.R", "R/. left", "W top"):
        shape = Shape.parse(text)
        check(library.find_shape(shape), games, exchange=False)


def test_only_the_games_of_a_filter_are_searched(library: Library) -> None:
    games = {n: g for n, g in replay(library).items() if g.board == Board(5, 5)}
    found = library.find_shape(Shape.parse("R./.B"), Filter(board=Board(5, 5)))
    assert found.searched == len(games)
    check(found, games, exchange=False)


def test_matches_are_made_by_number_and_by_slice(library: Library) -> None:
    matches = library.find_shape(Shape.parse("R")).matches
    assert list(matches[2:4]) == [matches[2], matches[3]]


@pytest.mark.parametrize(
    "text", ["R", "R.B/.?? top left", "W/.", "?R/R? bottom", "R.B/.?./B.R", "R" * 5]
)
def test_text_of_a_shape_reads_as_the_shape(text: str) -> None:
    shape = Shape.parse(text)
    for names in Names:
        assert Shape.parse(shape.text(names)) == shape


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "a shape needs a stone"),
        ("../..", "a shape needs a stone"),
        ("R./R", "row 1 has 2 cells, row 2 has 1"),
        ("R.X", "not 'X'"),
        ("R top lef", "'lef' is no side of a board"),
        ("B.", "B is Blue beside R, Black beside W"),
        ("RWB", "B is Blue beside R, Black beside W"),
        ("R" * 3000, "at most"),
        ("R" * 40, "at most"),
    ],
)
def test_what_is_no_shape_is_refused_in_a_line(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what) as error:
        Shape.parse(text)
    assert "\n" not in str(error.value)


def test_marked_cells_are_a_shape_at_the_sides_they_touch() -> None:
    record = read_record("(;GM[11]SZ[5];B[a1];W[b1];B[d4])")
    board = record.board
    cells = [board.cell(name) for name in ("a1", "b1", "a2")]
    shape = Shape.marked(record.position(), cells)
    assert shape.text(Names.RED_BLUE) == "RB/.? top left"
    with pytest.raises(ValueError, match="needs a stone"):
        Shape.marked(record.position(), [])
