"""`best_move` against full enumeration, against docs/methods.md#exhaustive-search, and walked."""

import random
from collections.abc import Iterator
from functools import cache, reduce
from operator import xor

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.search.best_move import (
    BestMove,
    Call,
    CallPlace,
    CallStep,
    EveryLine,
    GameState,
    Walk,
    best_move,
)
from hextui.engine.search.small_games import GAMES, SWAP, HexGame, Nim, TicTacToe
from tests.oracles.play import winning_moves
from tests.samples import some

START = TicTacToe("." * 9)
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def reachable() -> list[TicTacToe]:
    """All positions of tic-tac-toe, those with most marks first."""
    found, wave = [START], {START}
    while wave:
        wave = {game.play(move) for game in wave for move in game.moves}
        found += wave
    return found[::-1]


def lined(cells: str, mark: str) -> bool:
    return any(all(cells[int(c)] == mark for c in line) for line in LINES)


@cache
def enumerated(cells: str, mark: str) -> int:
    """The score of the player ``mark`` to move: the best over everything that can follow."""
    other = "XO".replace(mark, "")
    if lined(cells, other):
        return -1
    after = [cells[:c] + mark + cells[c + 1 :] for c in range(9) if cells[c] == "."]
    return max((-enumerated(board, other) for board in after), default=0)


def from_the_document(cells: str, player: str) -> BestMove:
    """The two loops of that section, on a list of characters; it never sees a finished game."""
    other = "XO".replace(player, "")
    board = list(cells)
    free = [c for c in range(9) if cells[c] == "."]
    for c in free:
        board[c] = player
        won = lined("".join(board), player)
        board[c] = "."
        if won:
            return BestMove(c, 1)
    candidate, no_candidate = BestMove(None, 0), True
    for c in free:
        board[c] = player
        response = from_the_document("".join(board), other)
        board[c] = "."
        if response.score == -1:
            return BestMove(c, 1)
        if response.score == 0:
            candidate, no_candidate = BestMove(c, 0), False
        elif no_candidate:
            candidate, no_candidate = BestMove(c, -1), False
    return candidate


@pytest.mark.parametrize("step", some((8, 1), 1))
def test_every_score_and_move_of_tic_tac_toe(step: int) -> None:
    """Every position agrees with enumeration; 5478 of them can come up."""
    games = reachable()
    assert len(set(games)) == 5478
    # the empty board and the boards with one mark take most of the time: the next test has one
    for game in games[::step]:
        if game.cells.count(".") > 7:
            continue
        found = best_move(game)
        mark = "XO"[game.to_move]
        score = 1 if lined(game.cells, mark) else enumerated(game.cells, mark)
        assert found.score == score, game
        if not game.moves:
            assert found.move is None
        else:
            assert found.move in game.moves
            after = game.play(found.move)
            assert -enumerated(after.cells, "XO"[after.to_move]) == score


def test_the_first_moves_of_tic_tac_toe() -> None:
    for game in [START, *(START.play(move) for move in START.moves[:2])]:
        assert best_move(game).score == enumerated(game.cells, "XO"[game.to_move]) == 0


def test_ties_fall_as_in_the_document() -> None:
    open_games = [g for g in reachable() if g.moves and g.cells.count(".") <= 6]
    for game in random.Random(3).sample(open_games, 400):
        assert best_move(game) == from_the_document(game.cells, "XO"[game.to_move])
    assert best_move(START) == BestMove(8, 0)


def test_a_full_board_is_a_draw_with_no_move() -> None:
    assert best_move(TicTacToe.parse("XOX/XOO/OXX")) == BestMove(None, 0)


def test_hex_agrees_with_exhaustive_play() -> None:
    rng = random.Random(4)
    tried = 0
    while tried < 300:
        board = Board(*rng.choice([(2, 2), (2, 3), (3, 2), (3, 3), (1, 4)]))
        stones = bytes(rng.choices((0, 1, 2), (4, 1, 1), k=board.cells))
        position = Position(board, stones, rng.choice(list(Color)))
        if position.winner is not None:
            continue
        tried += 1
        found, wins = best_move(HexGame(position)), winning_moves(position)
        assert found.score == (1 if wins else -1)
        assert found.move in (wins or position.empties)


def test_a_finished_hex_game() -> None:
    over = Position(Board(2, 2), bytes((1, 2, 1, 0)), Color.WHITE)
    assert best_move(HexGame(over)) == BestMove(None, -1)


@pytest.mark.parametrize(
    "text", ["X.O/.X.", "X.O/.X./..Z", "XXX/.../...", "XXX/OO./O..", "XXX/XXX/OOO"]
)
def test_boards_no_game_reaches(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        TicTacToe.parse(text)


def heaps(stones: int, most: int) -> list[tuple[int, ...]]:
    """All heaps of so many stones in all, at most, the largest heap ``most``."""
    found: list[tuple[int, ...]] = [()]
    for first in range(1, min(stones, most) + 1):
        found += [(first, *rest) for rest in heaps(stones - first, first)]
    return found


def test_nim_is_lost_where_the_binary_digits_cancel() -> None:
    """Bouton's theorem: C. L. Bouton, Nim, a game with a complete mathematical theory, 1901."""
    for stones in heaps(6, 6):
        found = best_move(Nim(stones))
        total = reduce(xor, stones, 0)
        assert found.score == (1 if total else -1), stones
        if total and found.move is not None:
            assert reduce(xor, Nim(stones).play(found.move).heaps) == 0


@pytest.mark.parametrize("text", ["", "x", "1,,2", "-1", "4,3,3", "1,1,1,1,1,1,1,1,1,0", "9" * 99])
def test_heaps_that_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"heaps"):
        Nim.parse(text)


def test_each_game_reads_its_example() -> None:
    for game in GAMES.values():
        state = game.parse(game.EXAMPLE)
        assert len({state.move_name(move) for move in state.moves}) == len(state.moves)
        assert str(state)


@pytest.mark.parametrize("board", [Board(2, 2), Board(3, 3), Board(2, 3), Board(3, 2), Board(2, 4)])
def test_a_swap_wins_exactly_where_every_stone_loses(board: Board) -> None:
    """Who swaps takes the place of the other side, so wins where the side to move loses."""
    for cell in range(board.cells):
        position = Position.empty(board).play(cell)
        assert position.swap_legal
        search = EveryLine()
        scores = search.scores(HexGame.at(position), search.call(HexGame.at(position)))
        wins = winning_moves(Position(board, position.stones, position.to_move))
        assert {move for move, score in scores.items() if score == 1} == (wins or {SWAP})


def test_nobody_swaps_the_first_stone_of_the_search() -> None:
    start = HexGame.at(Position.empty(Board(2, 2)))
    assert best_move(start).score == 1
    assert SWAP not in start.play(1).moves


def test_scores_of_all_moves_and_positions_counted() -> None:
    for game in random.Random(8).sample(reachable(), 150):
        if game.cells.count(".") > 6:
            continue
        search = EveryLine()
        found = search.call(game)
        assert search.positions == 1 + sum(one.positions for one in found.asked)
        mark = "XO"[game.to_move]
        other = "XO".replace(mark, "")
        for move, score in search.scores(game, found).items():
            after = game.play(move)
            assert score == -enumerated(after.cells, other)
        for one in found.asked:
            assert one.reply == best_move(game.play(one.move))


WALKED: list[GameState] = [
    Nim((1, 2)),
    Nim(()),
    TicTacToe.parse("XOX/OOX/..."),
    HexGame.at(Position.empty(Board(2, 2)).play(0)),
]


class Noted(EveryLine):
    """Notes the calls: the state, and None where a call returns."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[GameState | None] = []

    def call(self, game: GameState) -> Call:
        self.seen.append(game)
        found = super().call(game)
        self.seen.append(None)
        return found


def walked(walk: Walk, step: int) -> Iterator[tuple[GameState, CallStep, int]]:
    """Step by step to the other end; what is not known is asked for."""
    while True:
        walk.calls.setdefault(walk.state, EveryLine().call(walk.state))
        place = walk.places[-1]
        yield (walk.state, *place.step(walk.calls[walk.state]))
        before = list(walk.places)
        walk.into(step)
        if walk.places == before:
            return


@pytest.mark.parametrize("game", WALKED)
def test_a_walk_is_the_run(game: GameState) -> None:
    watched = Noted()
    watched.call(game)
    seen: list[GameState | None] = []
    on = list(walked(Walk([CallPlace(game)]), 1))
    for state, what, _ in on:
        if what is CallStep.BEGIN:
            seen.append(state)
        if what is CallStep.RETURN:
            seen.append(None)
    assert seen == watched.seen
    back = list(walked(Walk([CallPlace(game, -1)]), -1))
    assert back == on[::-1]


@pytest.mark.parametrize("game", WALKED)
def test_stepping_over_stays_in_the_call(game: GameState) -> None:
    walk = Walk([CallPlace(game)])
    walk.calls[game] = call = EveryLine().call(game)
    for _ in range(2 * len(call.asked) + 5):
        walk.over(1)
    assert walk.depth == 0
    assert walk.places[-1].step(call) == (CallStep.RETURN, len(call.asked))
    walk.to(0)
    assert walk.places == [CallPlace(game)]


def test_where_the_call_is_not_known_the_walk_stays() -> None:
    game = Nim((1, 2))
    walk = Walk([CallPlace(game)])
    walk.into(1)
    walk.over(1)
    assert walk.places == [CallPlace(game)]
