"""Own mistakes: asked again in a game and by kind in the library, and kept as puzzles."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import (
    CostlyMove,
    MistakeKind,
    OpeningKind,
    OpeningMistake,
    Severity,
    blunders,
)
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engine.ranking import rank_by_value
from hextui.engine.verdicts import KnownMoves, Verdict, VerdictKind
from hextui.engines.questions import Judge, Judged, Proved
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.train.guess import SEARCH, Guess, GuessTurn, Wanted, instructive, score
from hextui.train.kept_games import KeptGame
from hextui.train.own_mistakes import (
    OwnMistake,
    by_kind,
    keep_puzzle,
    mistake_turns,
    mistakes_against_program,
    my_mistakes,
    puzzle_of_turn,
)
from hextui.train.play_settings import PlaySettings
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Theme, read_puzzles
from tests.oracles.winners import Exhaustive
from tests.train.games import judged, weak_game

LOST = "(;GM[11]SZ[3]PB[Ann]PW[Bob]DT[{date}]RE[W+];B[a1];W[b1];B[c1];W[b2];B[c2];W[b3])"
FIVE = Board(5, 5)


def lost_turns() -> list[GuessTurn]:
    record = read_record(write_sgf(weak_game(11, Board(4, 4))))
    positions, estimates = judged(record)
    entries = blunders(positions, estimates)
    return mistake_turns(entries, positions, record, "a game", estimates)


def estimated_turn() -> GuessTurn:
    record = read_record("#5,c3d3b2b3")
    positions = game_positions(record, record.main_line())
    entry = CostlyMove(
        by="search",
        severity=Severity.MISTAKE,
        before=positions[2],
        cell=FIVE.cell("b2"),
        best=FIVE.cell("c4"),
        rate_before=0.7,
        rate_after=0.4,
    )
    (turn,) = mistake_turns([entry], positions, record, "a game", Estimates())
    return turn


def by_search(rate: float) -> Judged:
    """Return an answer about the position after a move: the mover's win probability."""
    return Judged(None, {SEARCH: rank_by_value(SEARCH, {0: 1 - rate})})


def test_a_proved_mistake_asks_for_a_winning_move() -> None:
    turns = lost_turns()
    assert turns
    for turn in turns:
        assert turn.wanted is Wanted.WINNING
        assert turn.task(Names.RED_BLUE).endswith("and win. What should you have played?")
        assert turn.played not in turn.proved.wins


@pytest.mark.parametrize(
    ("name", "rate", "points", "words"),
    [
        ("d2", 0.6, 2, "d2 is better than b2: d2 60% win probability, b2 40% win probability."),
        ("d2", 0.42, 0, "d2 is as good as b2: d2 42% win probability, b2 40% win probability; "),
        ("d2", 0.3, 0, "d2 is worse than b2: d2 30% win probability, b2 40% win probability; "),
    ],
)
def test_an_estimated_mistake_asks_for_a_better_move(
    name: str, rate: float, points: int, words: str
) -> None:
    turn = estimated_turn()
    assert turn.task(Names.RED_BLUE) == "Red to move. What should you have played?"
    guess = Guess.at(turn, FIVE.cell(name))
    for answer in (Proved(None), by_search(rate), Proved(None), by_search(0.4)):
        guess = guess.heard(answer)
    assert guess.asked is None
    assert guess.points == points
    assert guess.words() == words + "c4 is best (estimate)." * (points == 0)
    assert score([guess]) == f"{points // 2} of 1 found"
    assert instructive([guess]) == [guess] * (points == 0)


def opening_turns(kind: OpeningKind) -> list[GuessTurn]:
    """Return the turns to try again of a game whose opening was wrong in one way."""
    record = read_record("#5,c3d3b2b3")
    positions = game_positions(record, record.main_line())
    is_first = kind in (OpeningKind.TOO_STRONG, OpeningKind.TOO_WEAK)
    erring = positions[0 if is_first else 1]
    mistake = OpeningMistake(
        kind=kind,
        color=erring.position.to_move,
        player=erring.player,
        before=erring,
        cell=FIVE.cell("c3"),
        by=SEARCH,
        win_probability=0.9,
    )
    return mistake_turns([mistake], positions, record, "a game", Estimates())


@pytest.mark.parametrize(
    ("rate", "points", "words"),
    [
        (0.4, 2, "a2 is better than c3: a2 40% win probability, c3 20% win probability."),
        (0.6, 2, "a2 is better than c3: a2 40% win probability, c3 20% win probability."),
        (0.1, 0, "a2 is worse than c3: a2 10% win probability, c3 20% win probability."),
        (0.18, 0, "a2 is as good as c3: a2 18% win probability, c3 20% win probability."),
    ],
)
def test_a_first_stone_is_worth_what_the_swap_leaves_of_it(
    rate: float, points: int, words: str
) -> None:
    (turn,) = opening_turns(OpeningKind.TOO_STRONG)
    assert turn.task(Names.RED_BLUE) == (
        "Red to move, and Blue may swap. Where should the first stone have been?"
    )
    guess = Guess.at(turn, FIVE.cell("a2"))
    for answer in (by_search(rate), by_search(0.8)):
        guess = guess.heard(Judged(None))  # the search has just begun
        assert isinstance(guess.asked, Judge), "no proof says which first stone is the best"
        guess = guess.heard(answer)
    assert guess.asked is None
    assert (guess.points, guess.words()) == (points, words)


def test_no_first_stone_is_better_where_the_answer_is_proved_to_win() -> None:
    (turn,) = opening_turns(OpeningKind.TOO_WEAK)
    guess = Guess.at(turn, FIVE.cell("a2"))
    for winner in (Color.BLACK, Color.WHITE):
        guess = guess.heard(Judged(Verdict(VerdictKind.SOLVER, winner)))
    assert guess.points == 0
    assert guess.words() == "a2 is as good as c3: a2 loses (proved), c3 loses (proved)."


@pytest.mark.parametrize("kind", [OpeningKind.SWAPPED, OpeningKind.NOT_SWAPPED])
def test_a_swap_is_not_asked_for_as_the_other_answer_must_be_right(kind: OpeningKind) -> None:
    assert opening_turns(kind) == []


def test_a_guess_that_is_not_judged_is_neither_found_nor_missed() -> None:
    turn = lost_turns()[0]
    cell = next(cell for cell in turn.position.empties if cell != turn.played)
    guess = Guess.at(replace(turn, proved=KnownMoves()), cell).heard(Proved(None))
    assert guess.asked is None
    assert guess.words().startswith(f"{turn.position.board.name(cell)} is not judged")
    assert not guess.is_missed
    assert instructive([guess]) == []


def test_the_move_of_the_game_is_no_better_one() -> None:
    turn = estimated_turn()
    guess = Guess.at(turn, turn.played)
    assert guess.asked is None
    assert guess.words() == "No: b2 was played; c4 is best (estimate)."
    assert (guess.points, guess.is_missed) == (0, True)
    assert guess.moment() == "3. b2 is not better"


def test_mistakes_of_the_library_have_kinds_and_dates(tmp_path: Path) -> None:
    for number, date in enumerate(("2019-05-06", "2021-07-08")):
        text = LOST.format(date=date)
        text = text.replace("W[b3]", "W[b3]C[second]") if number else text
        (tmp_path / f"{number}.sgf").write_text(text)
    with (
        Library(tmp_path / "library.sqlite") as library,
        closing(ReviewStore(tmp_path / "reviews.sqlite")) as reviews,
    ):
        library.import_paths([tmp_path / "0.sgf", tmp_path / "1.sgf"])
        positions, estimates = judged(read_record(LOST.format(date="")))
        reviews.keep(positions, estimates)
        ours = my_mistakes(library, reviews, "bob")
    plain = [blunder for blunder in blunders(positions, estimates) if blunder.color is Color.WHITE]
    games = {mistake.date for mistake in ours}
    assert len(ours) == len(plain) * len(games)
    everything, *kinds = by_kind(ours, [None] * len(ours))
    assert (everything.first, everything.latest) == (min(games), max(games))
    assert sum(len(group.mistakes) for group in kinds) == len(everything.mistakes) == len(ours)
    assert {group.kind for group in kinds} == {mistake.kind for mistake in ours}


def test_mistakes_of_games_against_the_program_are_the_users(tmp_path: Path) -> None:
    record = read_record(write_sgf(weak_game(11, Board(4, 4))))
    record.set_texts(record.root, {"DT": "2026-03-04"})
    positions, estimates = judged(read_record(write_sgf(record)))
    settings = PlaySettings("level:3", record.board)
    begun = KeptGame("2026-03-04T00:00:00+00:00", settings, Color.WHITE, write_sgf(record))
    games = [replace(begun, won=True), begun, replace(begun, sgf="(;", won=False)]
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as reviews:
        assert mistakes_against_program(games, reviews) == []
        reviews.keep(positions, estimates)
        ours = mistakes_against_program(games, reviews)
    plain = [blunder for blunder in blunders(positions, estimates) if blunder.color is Color.WHITE]
    assert plain
    assert len(ours) == len(plain), "a game that goes on, or cannot be read, has none"
    assert {(mistake.turn.name, mistake.date) for mistake in ours} == {("vs level 3", "2026-03-04")}


def test_those_due_come_first_and_what_was_found_is_counted(tmp_path: Path) -> None:
    turns = lost_turns()
    assert len(turns) > 1
    dates = [f"2020-01-{day:02}" for day in range(1, len(turns) + 1)]
    mistakes = [
        OwnMistake(turn, MistakeKind.OTHER, date) for turn, date in zip(turns, dates, strict=True)
    ]
    puzzles = [puzzle_of_turn(turn) for turn in turns]
    with closing(TrainingStore(tmp_path / "training.sqlite")) as store:
        store.add(puzzles[0], True)
        known = [store.of(puzzle) for puzzle in puzzles]
    everything, other = by_kind(mistakes, known)
    assert everything.mistakes == other.mistakes == (*mistakes[1:], mistakes[0])
    assert (everything.kind, other.kind) == (None, MistakeKind.OTHER)
    assert (other.solved, other.first, other.latest) == (1, dates[0], dates[-1])


def test_a_position_is_kept_once_as_a_puzzle_with_its_solution(tmp_path: Path) -> None:
    path = tmp_path / "puzzles" / "mistakes.sgf"
    first, second, *_ = map(puzzle_of_turn, lost_turns())
    for puzzle in (first, second, first):
        keep_puzzle(path, puzzle)
    kept = list(read_puzzles(path))
    assert [puzzle.key for puzzle in kept] == [first.key, second.key]
    solver = Exhaustive(first.position.board)
    for puzzle in kept:
        assert puzzle.theme is Theme.MISTAKE
        assert set(puzzle.wins) == solver.winning_moves(puzzle.position)
        assert puzzle.name.startswith("a game, ply ")


def test_an_unfinished_solution_is_not_told(tmp_path: Path) -> None:
    turn = lost_turns()[0]
    open_turn = replace(turn, proved=replace(turn.proved, unknown=(0,)))
    assert puzzle_of_turn(open_turn).wins == ()


def test_a_collection_that_cannot_be_read_stays(tmp_path: Path) -> None:
    path = tmp_path / "mistakes.sgf"
    path.write_text("(;GM[11]SZ[3];B[zz9])")
    with pytest.raises(RecordError):
        keep_puzzle(path, puzzle_of_turn(lost_turns()[0]))
    assert path.read_text() == "(;GM[11]SZ[3];B[zz9])"
