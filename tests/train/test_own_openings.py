"""Own openings agree with a plain reader of games; moves are judged by proofs, then searches."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.engines.questions import Judge, Judged, Proved, WhoWins
from hextui.library.library import Library
from hextui.text import Names
from hextui.train.guess import SEARCH
from hextui.train.own_openings import LEAST_GAMES, PLIES, OpeningTry, OwnOpening, own_openings
from tests.oracles.winners import Exhaustive

SIZE = 5
BOARD = Board(SIZE, SIZE)
FAVOURITES = (7, 12, 16, 17, 6, 18)
Stones = dict[int, int]


@dataclass
class PlainGame:
    """Who is Red, and the moves: cells, with a swap of pieces second if ``swap``."""

    red: str
    blue: str
    cells: list[int]
    swap: bool

    def sgf(self) -> str:
        names = [BOARD.name(cell) for cell in self.cells]
        if self.swap:
            names.insert(1, "swap-pieces")
        turns = [f";{'BW'[ply % 2]}[{name}]" for ply, name in enumerate(names)]
        return f"(;GM[11]SZ[{SIZE}]PB[{self.red}]PW[{self.blue}]{''.join(turns)})"

    def turns(self) -> list[tuple[int, Stones, int, int]]:
        """Return ply, stones, side and cell of each stone from the third ply on."""
        stones: Stones = {}
        turns = []
        ply = 0
        for number, cell in enumerate(self.cells):
            side = 1 if ply % 2 == 0 else 2
            if number:
                turns.append((ply, dict(stones), side, cell))
            stones[cell] = side
            ply += 1
            if self.swap and number == 0:
                stones = {cell % SIZE * SIZE + cell // SIZE: 2}
                ply = 2
        return [turn for turn in turns if turn[0] >= 2]


def images(stones: Stones, side: int, cell: int) -> list[tuple[str, int]]:
    """Return the four images of a position as texts, with the cell in each."""
    seen = []
    for mirrored in (False, True):
        for turned in (False, True):

            def place(each: int, mirrored: bool = mirrored, turned: bool = turned) -> int:
                each = each % SIZE * SIZE + each // SIZE if mirrored else each
                return SIZE * SIZE - 1 - each if turned else each

            def color(each: int, mirrored: bool = mirrored) -> int:
                return 3 - each if mirrored else each

            text = ["."] * SIZE * SIZE
            for each, stone in stones.items():
                text[place(each)] = str(color(stone))
            seen.append((f"{color(side)}{''.join(text)}", place(cell)))
    return seen


def folded(stones: Stones, side: int, cell: int) -> tuple[str, int]:
    return min(images(stones, side, cell))


def random_games(number: int) -> list[PlainGame]:
    chance = random.Random(5)
    games = []
    for _ in range(number):
        cells = list(dict.fromkeys(chance.choices(FAVOURITES, k=4)))
        cells += chance.sample([c for c in range(SIZE * SIZE) if c not in cells], 6)
        swap = chance.random() < 0.4
        if swap:
            mirrored = cells[0] % SIZE * SIZE + cells[0] // SIZE
            cells = [cells[0], *(c for c in cells[1:] if c != mirrored)]
        names = ["Ann", "Bob"]
        chance.shuffle(names)
        games.append(PlainGame(names[0], names[1], cells, swap))
    return games


def expected(games: list[PlainGame], player: str) -> dict[str, Counter[int]]:
    met: dict[str, Counter[int]] = {}
    for game in games:
        side = 1 if game.red == player else 2
        for ply, stones, mover, cell in game.turns():
            if mover == side and ply < PLIES:
                key, place = folded(stones, mover, cell)
                met.setdefault(key, Counter())[place] += 1
    return {key: moves for key, moves in met.items() if moves.total() >= LEAST_GAMES}


def key_of(met: OwnOpening) -> tuple[str, Counter[int]]:
    stones = {c: int(s) for c, s in enumerate(met.position.stones) if s}
    side = int(met.position.to_move)
    moves: Counter[int] = Counter()
    for cell, games in met.played.items():
        key, place = folded(stones, side, cell)
        moves[place] += games
    return key, moves


@pytest.fixture(scope="module")
def games() -> list[PlainGame]:
    by_text = {game.sgf(): game for game in random_games(150)}
    return list(by_text.values())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, games: list[PlainGame]) -> Library:
    folder = tmp_path_factory.mktemp("openings")
    (folder / "games.sgf").write_text("\n".join(game.sgf() for game in games))
    library = Library(folder / "library.sqlite")
    library.import_paths([folder / "games.sgf"])
    return library


@pytest.mark.parametrize("player", ["Ann", "Bob"])
def test_positions_agree_with_a_plain_reader(
    library: Library, games: list[PlainGame], player: str
) -> None:
    assert library.count() == len(games)  # none is a duplicate
    positions = own_openings(library, player)
    assert dict(map(key_of, positions)) == expected(games, player)
    assert len(positions) > 10
    counts = [met.games for met in positions]
    assert counts == sorted(counts, reverse=True)


def test_a_name_is_compared_as_in_filters(library: Library) -> None:
    assert own_openings(library, "\u200bANN") == own_openings(library, "Ann") != []


def test_words_say_what_was_played() -> None:
    position = Position.parse(". . .\n . B .\n  . W .")
    met = OwnOpening(position, 3, {0: 2, 8: 1})
    assert met.played_words == "You played a1 in 2, c3 in 1 of 3 games."
    many = OwnOpening(position, 8, {0: 2, 1: 2, 2: 1, 3: 1, 5: 1, 6: 1})
    words = "You played a1 in 2, b1 in 2, c1 in 1, a2 in 1, others in 2 of 8 games."
    assert many.played_words == words
    assert met.puzzle.name == "met in 3 games"
    task = met.task(Names.RED_BLUE)
    assert task == "Red to move, as in 3 games of yours. What do you play?"


def searched(values: dict[int, float]) -> Judged:
    """Return what a search answers that gives moves these win probabilities."""
    return Judged(None, {SEARCH: rank_by_value(SEARCH, values)})


def judged(tried: OpeningTry, rates: dict[int, float], solver: Exhaustive | None) -> bool | None:
    """Answer all questions: the search by rates of the mover, the solver by trying all moves."""
    position = tried.position
    after = {position.play(cell): cell for cell in position.empties}
    while (asked := tried.asked) is not None:
        if isinstance(asked, WhoWins):
            winner = solver.winner(asked.position) if solver else None
            tried = tried.heard(Proved(winner))
        elif asked.position == position:
            tried = tried.heard(searched(rates))
        else:
            assert isinstance(asked, Judge)
            rate = 1 - rates[after[asked.position]]
            replies = dict.fromkeys(asked.position.empties, rate)
            tried = tried.heard(searched(replies))
    return tried.right


def test_a_proof_decides_against_the_search() -> None:
    position = Position.parse(". . .\n . B .\n  . W .")
    solver = Exhaustive(position.board)
    wins = solver.winning_moves(position)
    assert wins
    assert len(wins) < len(position.empties)
    rates = {cell: 0.1 if cell in wins else 0.9 for cell in position.empties}
    for cell in position.empties:
        assert judged(OpeningTry(position, cell), rates, solver) is (cell in wins)


def test_estimates_are_right_near_the_best_and_say_that_they_are_estimates() -> None:
    position = Position.empty(BOARD).play(12).play(7)
    rates = dict.fromkeys(position.empties, 0.4) | {0: 0.60, 1: 0.56, 2: 0.5}
    results = {cell: judged(OpeningTry(position, cell), rates, None) for cell in (0, 1, 2, 3)}
    assert results == {0: True, 1: True, 2: False, 3: False}


def test_words_of_an_estimate_never_say_proved() -> None:
    position = Position.empty(BOARD).play(12).play(7)
    tried = OpeningTry(position, 2)
    assert tried.right is None
    tried = tried.heard(searched({0: 0.6, 2: 0.5}))
    for rate in (0.6, 0.5):  # of the preferred move, then of the one tried
        tried = tried.heard(Proved(None))
        assert tried.asked is not None
        after = tried.asked.position
        tried = tried.heard(searched(dict.fromkeys(after.empties, 1 - rate)))
    assert tried.asked is None
    assert tried.words == (
        "No: c1 50% (estimate). Search prefers a1: 60% (estimate). "
        "200 visits each; within 5% counts as right."
    )
