"""Guessing moves: which turns, judgements against exhaustive play, points, and the summary."""

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.engine.ranking import rank_by_value
from hextui.engine.verdicts import KnownMoves, Verdict, VerdictKind, Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Judge, Judged, Proved, WhoWins
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.text import Names
from hextui.train.guess import (
    SEARCH,
    Guess,
    GuessResult,
    GuessTurn,
    Wanted,
    guess_turns,
    instructive,
    random_turns,
    score,
)
from hextui.train.own_mistakes import my_mistakes
from tests.oracles.winners import Exhaustive
from tests.samples import seeds
from tests.train.games import weak_game

THREE, FOUR, FIVE = Board(3, 3), Board(4, 4), Board(5, 5)


def turns_of(text: str, side: Color, verdicts: Verdicts | None = None) -> list[GuessTurn]:
    return guess_turns(read_record(text), "a game", side, verdicts or Verdicts())


def one_turn(known: KnownMoves | None = None) -> GuessTurn:
    """Return Red's second turn of a game on 5x5, at which b2 is played."""
    (turn,) = turns_of("#5,c3d3b2b3", Color.BLACK)
    return replace(turn, proved=known or KnownMoves())


def judged(guess: Guess, *found: Proved | Judged) -> Guess:
    for one in found:
        guess = guess.heard(one)
    return guess


def by_search(rate: float) -> Judged:
    """Return an answer about the position after a move: the mover's win probability."""
    return Judged(None, {SEARCH: rank_by_value(SEARCH, {0: 1 - rate})})


OPEN = Proved(None)
RED, BLUE = Proved(Color.BLACK), Proved(Color.WHITE)


def test_the_turns_of_a_side_are_its_stones_after_the_first_move() -> None:
    red, blue = (turns_of("#5,c3d3b2b3", color) for color in Color)
    assert [(turn.game_position.ply, FIVE.name(turn.played)) for turn in red] == [(2, "b2")]
    assert [(turn.game_position.ply, FIVE.name(turn.played)) for turn in blue] == [(3, "b3")]


def test_first_moves_that_can_be_swapped_swaps_and_resignations_are_left_out() -> None:
    swapped = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[c3];W[swap-pieces];B[d3];W[b2];B[resign])"
    assert [turn.game_position.ply for turn in turns_of(swapped, Color.BLACK)] == [2]
    assert [turn.game_position.ply for turn in turns_of(swapped, Color.WHITE)] == [3]
    record = Record.of_moves(
        FIVE, [Move.play(0), Move(MoveKind.SWAP_SIDES), Move.play(7), Move.play(9)]
    )
    ann = guess_turns(record, "", Color.WHITE, Verdicts())
    assert [turn.game_position.ply for turn in ann] == [
        here.ply for here in positions_of(record, ann)
    ]
    assert ann, "the player of the other colour goes on"


def positions_of(record: Record, turns: list[GuessTurn]) -> list:
    found = game_positions(record, record.main_line())
    plies = {turn.game_position.ply for turn in turns}
    return [here for here in found if here.ply in plies and here.player is Color.WHITE]


def test_the_task_names_side_and_player() -> None:
    text = "(;GM[11]SZ[5]PB[Ann]PW[];B[c3];W[d3];B[b2];W[b3])"
    ann = turns_of(text, Color.BLACK)[-1]
    assert ann.task(Names.RED_BLUE) == "Red to move. What did Ann play?"
    (*_, other) = turns_of(text, Color.WHITE)
    assert other.task(Names.BLACK_WHITE) == "White to move. What did White play?"
    assert (
        replace(ann, wanted=Wanted.WINNING).task(Names.RED_BLUE).startswith("Red to move and win.")
    )


def test_the_games_move_needs_no_engine() -> None:
    turn = one_turn()
    guess = Guess.at(turn, turn.played)
    assert guess.asked is None
    assert (guess.result, guess.points, guess.lost) == (GuessResult.SAME, 2, 0.0)
    assert guess.words() == "b2 is the game's move."


def test_both_moves_are_asked_about_alike() -> None:
    turn = one_turn()
    cell = FIVE.cell("c4")
    guess = Guess.at(turn, cell)
    asked = []
    for found in (OPEN, by_search(0.4), OPEN, by_search(0.65)):
        assert guess.asked is not None
        asked.append(guess.asked)
        guess = guess.heard(found)
    assert guess.asked is None
    after = [turn.position.play(cell), turn.position.play(turn.played)]
    assert [question.position for question in asked] == [after[0]] * 2 + [after[1]] * 2
    solved, searched = asked[::2], asked[1::2]
    assert all(isinstance(question, WhoWins) for question in solved)
    assert all(isinstance(question, Judge) for question in searched)
    assert replace(solved[0], position=turn.position) == replace(solved[1], position=turn.position)
    assert searched[0].evaluators == searched[1].evaluators == ("search:visits=200",)
    assert guess.words() == "c4 is worse than b2: c4 40% win probability, b2 65% win probability."
    assert (guess.result, guess.points) == (GuessResult.WORSE, 0)
    assert guess.lost == pytest.approx(0.25)
    assert guess.moment() == "3. c4 loses 25%"


@pytest.mark.parametrize(
    ("found", "result", "points", "words"),
    [
        ((RED, BLUE), "better", 2, "c4 is better than b2: c4 wins (proved), b2 loses (proved)."),
        ((BLUE, RED), "worse", 0, "c4 is worse than b2: c4 loses (proved), b2 wins (proved)."),
        ((RED, RED), "equal", 1, "c4 is as good as b2: c4 wins (proved), b2 wins (proved)."),
        ((BLUE, BLUE), "equal", 1, "c4 is as good as b2: c4 loses (proved), b2 loses (proved)."),
        (
            (OPEN, by_search(0.7), BLUE),
            *("better", 2, "c4 is better than b2: c4 70% win probability, b2 loses (proved)."),
        ),
        (
            (OPEN, by_search(0.52), OPEN, by_search(0.5)),
            *("equal", 1),
            "c4 is as good as b2: c4 52% win probability, b2 50% win probability.",
        ),
        ((OPEN,), "not judged", 0, "c4 is not judged; b2 was played."),
    ],
)
def test_a_guess_is_compared_with_the_games_move(
    found: tuple, result: str, points: int, words: str
) -> None:
    guess = judged(Guess.at(one_turn(), FIVE.cell("c4")), *found)
    assert (guess.result, guess.points, guess.words()) == (result, points, words)


def test_an_answer_without_the_final_ranking_changes_nothing() -> None:
    guess = judged(Guess.at(one_turn(), FIVE.cell("c4")), OPEN)
    assert guess.heard(Judged(None)) == guess
    verdict = Verdict(VerdictKind.CONNECTION, Color.BLACK)
    assert guess.heard(Judged(verdict)).mine.wins is True


def test_what_is_proved_before_is_not_asked_again() -> None:
    c4, d2, b2 = map(FIVE.cell, ("c4", "d2", "b2"))
    won, lost = (Verdict(VerdictKind.SOLVER, color) for color in Color)
    known = KnownMoves({d2: won}, {c4: lost, b2: lost}, (1, 2))
    turn = one_turn(known)
    guess = Guess.at(turn, c4)
    assert guess.asked is None
    assert guess.gives_win_away
    assert (guess.lost, guess.points) == (1.0, 0)
    assert guess.words() == (
        "c4 is as good as b2: c4 loses (proved), b2 loses (proved); d2 won (proved)."
    )
    same = Guess.at(turn, b2)
    assert (same.lost, same.points) == (1.0, 0)
    assert same.words() == "b2 is the game's move, but loses (proved); d2 won (proved)."
    assert same.moment() == "3. b2 gives the win away (proved)"


def test_a_move_that_ends_the_game_is_known_to_win() -> None:
    turn = turns_of("#3,b1a2b2c2a3", Color.BLACK)[-1]
    assert Guess.at(turn, turn.played).mine.wins is True


def test_the_summary_names_the_worst_moments_proved_ones_first() -> None:
    turn = one_turn()
    cells = iter(cell for cell in turn.position.empties if cell != turn.played)

    def guessed(*found: Proved | Judged) -> Guess:
        return judged(Guess.at(turn, next(cells)), *found)

    rates = [(OPEN, by_search(rate), OPEN, by_search(0.6)) for rate in (0.5, 0.1, 0.58, 0.3)]
    small, large, tiny, middle = (guessed(*found) for found in rates)
    proved = guessed(BLUE, RED)
    better = guessed(RED, BLUE)
    same = Guess.at(turn, turn.played)
    guesses = [small, large, tiny, better, middle, proved, same]
    assert instructive(guesses) == [proved, large, middle]
    assert instructive([tiny, same]) == []
    assert score(guesses) == "5 of 14 points: 1 same, 1 better, 1 equal, 4 worse"
    mistakes = [
        replace(guess, turn=replace(turn, wanted=Wanted.WINNING)) for guess in (better, proved)
    ]
    assert score(mistakes) == "1 of 2 found"


@pytest.mark.parametrize("seed", seeds(1, 4))
def test_judgements_by_the_engine_agree_with_exhaustive_play(seed: int) -> None:
    solver, lots, lane = Exhaustive(FOUR), random.Random(seed), OwnAnswerer()
    with closing(lane):
        for turn in guess_turns(weak_game(seed, FOUR), "", Color.BLACK, Verdicts()):
            guess = Guess.at(turn, lots.choice(turn.position.empties))
            while guess.asked is not None:
                for found in lane.answers(guess.asked):
                    guess = guess.heard(found)
            wins = solver.winning_moves(turn.position)
            mine, game = guess.cell in wins, turn.played in wins
            expected = ["worse", "equal", "better"][1 + mine - game]
            assert guess.result == ("same" if guess.cell == turn.played else expected)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    file = tmp_path / "games.sgf"
    texts = []
    for seed, players in enumerate(("PB[Ann]PW[Bob]", "PB[Bob]PW[Anna]", "PB[Cy]PW[Dee]")):
        result = f"RE[{'BW'[seed % 2]}+R]" if seed < 2 else ""
        text = write_sgf(weak_game(10 + seed, FIVE))
        texts.append(text.replace("SZ[5]", f"SZ[5]{players}{result}"))
    file.write_text("".join(texts))
    opened = Library(tmp_path / "library.sqlite")
    opened.import_paths([file])
    return opened


def test_my_mistakes_are_the_positions_before_proved_ones(library: Library, tmp_path: Path) -> None:
    solver = Exhaustive(Board(3, 3))
    lost = "(;GM[11]SZ[3]PB[Ann]PW[Bob];B[a1];W[b1];B[c1];W[b2];B[c2];W[b3])"
    file = tmp_path / "lost.sgf"
    file.write_text(lost)
    library.import_paths([file])
    record = read_record(lost)
    positions, estimates = game_positions(record, record.main_line()), Estimates()
    for here in positions:
        winner = solver.winner(here.position)
        estimates.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, winner))
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as reviews:
        reviews.keep(positions, estimates)
        asked = [
            each.turn
            for name in ("ann", "Bob", "Cy")
            for each in my_mistakes(library, reviews, name)
        ]
    library.close()
    assert asked
    for turn in asked:
        assert turn.mistake
        wins = solver.winning_moves(turn.position)
        assert wins
        assert turn.played not in wins
        right = judged(Guess.at(turn, min(wins)), Proved(turn.position.to_move))
        assert right.points == 2
        assert right.words().startswith(f"Right: {THREE.name(min(wins))} wins (proved)")
        wrong = Guess.at(turn, turn.played)
        assert wrong.asked is None
        assert wrong.words().startswith(f"No: {THREE.name(turn.played)} loses (proved)")
        open_turn = replace(turn, proved=KnownMoves())
        undecided = judged(Guess.at(open_turn, min(wins)), OPEN)
        assert undecided.asked is None
        assert (undecided.points, undecided.result) == (0, "not judged")


def test_a_random_game_is_one_of_the_winner_or_of_a_player(
    library: Library, tmp_path: Path
) -> None:
    lots = random.Random(1)
    with closing(library), closing(ReviewStore(tmp_path / "reviews.sqlite")) as reviews:

        def drawn(player: str) -> set[tuple[str, Color]]:
            found = set()
            for _ in range(30):
                turns = random_turns(library, reviews, player, lots)
                (side,) = {turn.game_position.player for turn in turns}
                found.add((turns[0].name, side))
            return found

        assert drawn("") == {(row.label, row.winner) for row in library.games()}
        assert drawn("ann") == {("Ann - Bob", Color.BLACK), ("Bob - Anna", Color.WHITE)}
        assert random_turns(library, reviews, "nobody", lots) == []
