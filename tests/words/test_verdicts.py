"""The words of a verdict: right in every state of a game, and never cut."""

from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.verdicts import KnownMoves, Verdict, VerdictKind
from hextui.records.tree import Turn
from hextui.words.verdicts import (
    Preference,
    Situation,
    fitted,
    hint,
    played_ways,
    verdict_ways,
)

BOARD = Board(5, 5)
POSITION = Position.empty(BOARD).play("c3").play("b2")  # Red to move
RED = Verdict(VerdictKind.SOLVER, Color.BLACK, seconds=1.04)
BLUE = Verdict(VerdictKind.SOLVER, Color.WHITE)


def cells(names: str) -> tuple[int, ...]:
    return tuple(map(BOARD.cell, names.split()))


def known(wins: str, losses: str | None = None) -> KnownMoves:
    """Say which moves win; without ``losses`` all others lose."""
    won = dict.fromkeys(cells(wins), RED)
    others = [cell for cell in POSITION.empties if cell not in won]
    lost = dict.fromkeys(others if losses is None else cells(losses), BLUE)
    return KnownMoves(won, lost, tuple(cell for cell in others if cell not in lost))


def situation(verdict: Verdict | None = RED, wins: str = "d2 b4", **more) -> Situation:
    moves = more.pop("moves", known(wins) if verdict is RED else KnownMoves())
    return Situation(POSITION, verdict, moves, cells(wins), ply=3, **more)


def plays(name: str) -> Turn:
    return Turn(Color.BLACK, Move.parse(name, BOARD))


def text(sentence) -> str:
    return "".join(piece for piece, _ in sentence).replace("\xa0", " ")


def verdict_of(found: Situation) -> str:
    return text(verdict_ways(found)[0])


def move_of(found: Situation) -> str:
    return text(played_ways(found)[0])


def test_a_judgement_of_some_moves_says_so_and_a_proof_does_not():
    search = Preference("search", BOARD.cell("c4"), 0.38)
    assert verdict_of(situation(None, "", judged=search, among=5)) == (
        "Nothing proved. Red 38% by search. Best of 5 cells c4."
    )
    minimax = Preference("minimax(resistance)", BOARD.cell("c4"))
    assert verdict_of(situation(None, "", judged=minimax, among=1)) == (
        "Nothing proved. Of 1 cell minimax(resistance) prefers c4."
    )
    both = situation(None, "", judged=minimax, focused=Preference("network", 0), among=5)
    assert verdict_of(both) == (
        "Nothing proved. Of 5 cells minimax(resistance) prefers c4, network a1."
    )
    assert verdict_of(situation(among=5)) == verdict_of(situation())


def test_a_move_costs_what_its_player_has_less_after_it():
    search = Preference("search", BOARD.cell("c4"), 0.634)
    found = situation(None, "", judged=search, played=plays("d2"), place=(4, "search"), left=0.513)
    assert [text(way) for way in played_ways(found)] == [
        "Played: 3. d2, win rate -12%: 51% left.",
        "3. d2, win rate -12%.",
        "3. d2, -12%.",
    ]
    for cheap in (0.634, 0.66, 0.627):  # what wavers is no cost: it is 63% again
        assert move_of(replace(found, left=cheap)) == "Played: 3. d2, 4th by search."
    best = replace(found, place=(1, "search"))  # whatever the search saw later, it is its choice
    assert move_of(best) == "Played: 3. d2, 1st by search."


def test_who_wins_and_by_which_moves():
    assert verdict_of(situation()) == (
        "Red wins (proved, 1.0 s). Play d2 or b4; every other move loses."
    )
    some = situation(moves=known("d2 b4", "a1"))
    assert verdict_of(some) == "Red wins (proved, 1.0 s). Play d2 or b4; 20 others not decided."


def test_a_time_too_short_to_tell_is_no_zero():
    quick = Verdict(VerdictKind.SOLVER, Color.BLACK, seconds=0.02)
    assert verdict_of(situation(quick, moves=known("d2 b4"))).startswith(
        "Red wins (proved, <0.1 s)."
    )


def test_many_winning_moves_are_counted():
    names = "a1 b1 c1 d1 e1 a2 c2 d2"
    found = situation(wins=names, moves=known(names))
    assert "Play a1, b1, c1, d1, e1, a2 or 2 others; every" in verdict_of(found)


def test_a_win_by_any_move_and_one_by_no_known_move():
    every = " ".join(BOARD.name(cell) for cell in POSITION.empties)
    joined = Verdict(VerdictKind.CONNECTION, Color.BLACK)
    found = situation(joined, every, moves=known(every))
    assert verdict_of(found) == "Red wins (connected). Any move wins."
    assert "Winning move not known." in verdict_of(situation(wins="", moves=known("", "")))


def test_a_lost_position():
    assert verdict_of(situation(BLUE)) == "Blue wins (proved). Every move of Red loses."


def test_another_engines_proof_is_said_to_be_its_own():
    theirs = Verdict(VerdictKind.ENGINE, Color.WHITE, by="another")
    assert verdict_of(situation(theirs)).startswith("Blue wins (proved by another).")


def test_proofs_that_contradict_each_other_are_no_verdict():
    theirs = Verdict(VerdictKind.ENGINE, Color.WHITE, by="another")
    found = situation(None, dispute=(RED, theirs))
    assert verdict_of(found) == (
        "Two proofs contradict each other: by the solver Red wins, by another Blue."
    )


def test_a_finished_game():
    over = Position.parse("B.. / BWW / B..", Color.WHITE)
    found = replace(situation(None), position=over, played=plays("b1"))
    assert verdict_of(found) == "Red has won."
    assert (move_of(found), hint(found)) == ("", ())


def test_without_a_proof_the_search_is_named_and_no_per_cent_given():
    found = situation(None, judged=Preference("minimax(resistance)", BOARD.cell("d2")))
    assert verdict_of(found) == "Nothing proved. minimax(resistance) prefers d2."
    assert verdict_of(replace(found, busy=True)).startswith("Nothing proved yet.")
    placed = replace(found, played=plays("a1"), place=(7, "resistance"))
    assert move_of(placed) == "Played: 3. a1, 7th by resistance."


def test_what_the_evaluator_in_focus_prefers_stands_beside_what_the_search_does():
    searched = Preference("minimax(resistance)", BOARD.cell("d2"))
    found = situation(None, judged=searched, focused=Preference("network", BOARD.cell("b4")))
    assert verdict_of(found) == "Nothing proved. minimax(resistance) prefers d2, network b4."
    same = replace(found, focused=Preference("network", BOARD.cell("d2")))
    assert verdict_of(same) == "Nothing proved. minimax(resistance) and network prefer d2."


def test_a_first_move_that_may_be_swapped_has_no_rank():
    empty = Position.empty(BOARD)
    first = Situation(empty, None, KnownMoves(), played=plays("a1"), ply=1, place=(25, "network"))
    assert move_of(first) == "Played: 1. a1, which can be swapped."


def test_where_nothing_is_known_it_says_why():
    assert verdict_of(situation(None, doing=("The analysis is off.",))) == "The analysis is off."


@pytest.mark.parametrize(
    ("name", "found", "says"),
    [
        ("d2", situation(), "Played: 3. d2, wins."),
        ("a1", situation(), "Played: 3. a1, gives the win away."),
        ("a1", situation(moves=known("d2 b4", "")), "Played: 3. a1, not decided."),
        (
            "a1",
            situation(moves=known("d2 b4", ""), lost_by="7. c4"),
            "Played: 3. a1, gives the win away here or by 7. c4.",
        ),
        ("a1", situation(BLUE, moves=known("")), "Played: 3. a1, loses like every other move."),
        ("a1", situation(None, moves=known("", "a1")), "Played: 3. a1, loses (proved)."),
        ("a1", situation(None), "Played: 3. a1."),
        ("pass", situation(), "Played: 3. pass, not decided."),
        ("pass", situation(after=BLUE), "Played: 3. pass, gives the win away."),
        ("resign", situation(), "Red resigns in a won position."),
        ("resign", situation(BLUE), "Red resigns."),
    ],
)
def test_what_the_records_move_makes_of_it(name: str, found: Situation, says: str):
    assert move_of(replace(found, played=plays(name))) == says


def test_the_second_move_where_swapping_is_an_answer():
    first = Position.empty(BOARD).play("c3")
    turn = Turn(Color.WHITE, Move(MoveKind.SWAP_PIECES))
    strong = Situation(first, RED, KnownMoves(), played=turn, ply=2)
    assert verdict_of(strong) == "Swap: if nobody does, Red wins (proved, 1.0 s)."
    assert move_of(strong) == "Played: 2. swap, wins."
    weak = Situation(first, BLUE, KnownMoves(), cells("d2"), played=turn, ply=2)
    assert verdict_of(weak) == "Do not swap: playing on, Blue wins (proved). Play d2."
    assert move_of(weak) == "Played: 2. swap, gives the win away."
    open_one = Situation(first, None, KnownMoves(), played=turn, ply=2)
    assert verdict_of(open_one) == "Blue may swap. Nothing proved."
    assert move_of(open_one) == "Played: 2. swap."


def test_the_better_move_is_offered_only_where_the_records_is_none():
    found = replace(situation(), played=plays("a1"))
    assert found.better == BOARD.cell("d2")
    assert text(hint(found)) == "Enter: why. v: add d2 as a variation."
    assert replace(found, played=plays("b4")).better is None
    assert text(hint(replace(found, played=plays("b4")))) == "Enter: why."
    first = replace(found, wins=cells("a1"), played=plays("d2"))
    assert "add a1" in text(hint(first))


EVERY = [
    situation(),
    situation(moves=known("d2 b4", "")),
    situation(wins="a1 b1 c1 d1 e1 a2 c2 d2 e2 a3"),
    situation(BLUE, moves=known("")),
    situation(Verdict(VerdictKind.CONNECTION, Color.WHITE)),
    situation(None, dispute=(RED, BLUE)),
    situation(None, judged=Preference("minimax(contribution-opponent:2/literal)", 3), busy=True),
    situation(None, judged=Preference("minimax(resistance)", 3), focused=Preference("network", 4)),
    situation(None, judged=Preference("minimax(resistance)", 3), focused=Preference("network", 3)),
    Situation(Position.empty(BOARD).play("c3"), RED, KnownMoves()),
    Situation(Position.empty(BOARD).play("c3"), BLUE, KnownMoves(), cells("d2 e5")),
]


@pytest.mark.parametrize("width", [33, 34, 48, 66, 90])
@pytest.mark.parametrize("height", [2, 3, 4])
def test_no_word_is_cut_in_any_size(width: int, height: int):
    for found in EVERY:
        for played in (None, plays("d2"), plays("a1"), plays("resign")):
            now = replace(found, played=played, ply=123, place=(17, "contribution-opponent:2"))
            lines = [text(line) for line in fitted(now, width, height)]
            assert 0 < len(lines) <= height
            assert all(len(line) <= width for line in lines)
            said = {" ".join(text(way).split()) for way in verdict_ways(now)}
            rest = {" ".join(text(way).split()) for way in played_ways(now)}
            keys = {"", text(hint(now))}
            whole = {" ".join(f"{a} {b} {c}".split()) for a in said for b in rest for c in keys}
            assert " ".join(lines) in whole
