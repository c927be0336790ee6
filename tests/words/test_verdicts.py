"""The words of a verdict: right in every state of a game, and never cut."""

from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.verdicts import KnownMoves, Verdict, VerdictKind
from hextui.records.tree import Turn
from hextui.words.verdicts import Preference, Situation, fitted, hint, played_ways, verdict_ways

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
    parts = (part if isinstance(part, str) else part[0] for part in sentence)
    return "".join(parts).replace("\xa0", " ")


def verdict_of(found: Situation) -> str:
    return text(verdict_ways(found)[0])


def move_of(found: Situation) -> str:
    return text(played_ways(found)[0])


def judged(by: str, best: str, winrate: float | None = None, **more) -> Situation:
    """Return a situation in which nothing is proved, and a search prefers a move."""
    return situation(None, "", judged=Preference(by, BOARD.cell(best), winrate), **more)


EVERY_MOVE = " ".join(BOARD.name(cell) for cell in POSITION.empties)
MANY = "a1 b1 c1 d1 e1 a2 c2 d2"
THEIRS = Verdict(VerdictKind.ENGINE, Color.WHITE, by="another")
QUICK = Verdict(VerdictKind.SOLVER, Color.BLACK, seconds=0.02)
JOINED = Verdict(VerdictKind.CONNECTION, Color.BLACK)
MINIMAX = "minimax(resistance)"
B4, D2 = (Preference("network", BOARD.cell(name)) for name in ("b4", "d2"))


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (situation(), "Red wins (proved, 1.0 s). Play d2 or b4; every other move loses."),
        (situation(among=5), "Red wins (proved, 1.0 s). Play d2 or b4; every other move loses."),
        (
            situation(moves=known("d2 b4", "a1")),
            "Red wins (proved, 1.0 s). Play d2 or b4; 20 others not decided.",
        ),
        (
            situation(QUICK, moves=known("d2 b4")),
            "Red wins (proved, <0.1 s). Play d2 or b4; every other move loses.",
        ),
        (
            situation(wins=MANY, moves=known(MANY)),
            "Red wins (proved, 1.0 s). Play a1, b1, c1, d1, e1, a2 or 2 others; "
            "every other move loses.",
        ),
        (
            situation(JOINED, EVERY_MOVE, moves=known(EVERY_MOVE)),
            "Red wins (connected). Any move wins.",
        ),
        (
            situation(wins="", moves=known("", "")),
            "Red wins (proved, 1.0 s). Winning move not known.",
        ),
        (situation(BLUE), "Blue wins (proved). Every move of Red loses."),
        (situation(THEIRS), "Blue wins (proved by another). Every move of Red loses."),
        (
            situation(None, dispute=(RED, THEIRS)),
            "Two proofs contradict each other: by the solver Red wins, by another Blue.",
        ),
        (situation(None, doing=("The analysis is off.",)), "The analysis is off."),
        (
            judged("search", "c4", 0.38, among=5),
            "Nothing proved. Red 38% by search. Best of 5 cells c4.",
        ),
        (judged(MINIMAX, "c4", among=1), f"Nothing proved. Of 1 cell {MINIMAX} prefers c4."),
        (
            judged(MINIMAX, "c4", focused=B4, among=5),
            f"Nothing proved. Of 5 cells {MINIMAX} prefers c4, network b4.",
        ),
        (judged(MINIMAX, "d2"), f"Nothing proved. {MINIMAX} prefers d2."),
        (judged(MINIMAX, "d2", busy=True), f"Nothing proved yet. {MINIMAX} prefers d2."),
        (judged(MINIMAX, "d2", focused=B4), f"Nothing proved. {MINIMAX} prefers d2, network b4."),
        (judged(MINIMAX, "d2", focused=D2), f"Nothing proved. {MINIMAX} and network prefer d2."),
    ],
)
def test_who_wins_and_what_to_play(found: Situation, says: str):
    assert verdict_of(found) == says


def test_a_move_loses_what_its_player_has_less_after_it():
    found = judged("search", "c4", 0.634, played=plays("d2"), place=(4, "search"), left=0.513)
    assert [text(way) for way in played_ways(found)] == [
        "Played: 3. d2, win rate -12%: 51% left.",
        "3. d2, win rate -12%.",
        "3. d2, -12%.",
    ]
    for cheap in (0.634, 0.66, 0.627):  # what wavers is no loss: it is 63% again
        assert move_of(replace(found, left=cheap)) == "Played: 3. d2, 4th by search."
    best = replace(found, place=(1, "search"))  # whatever the search saw later, it is its choice
    assert move_of(best) == "Played: 3. d2, 1st by search."


def test_a_finished_game():
    over = Position.parse("B.. / BWW / B..", Color.WHITE)
    found = replace(situation(None), position=over, played=plays("b1"))
    assert verdict_of(found) == "Red has won."
    assert (move_of(found), hint(found)) == ("", ())


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
        ("a1", situation(None, place=(7, "network")), "Played: 3. a1, 7th by network."),
        (
            "a1",
            Situation(Position.empty(BOARD), None, KnownMoves(), ply=1, place=(25, "network")),
            "Played: 1. a1, which can be swapped.",
        ),
        ("pass", situation(), "Played: 3. pass, not decided."),
        ("pass", situation(after=BLUE), "Played: 3. pass, gives the win away."),
        ("resign", situation(), "Red resigns in a won position."),
        ("resign", situation(BLUE), "Red resigns."),
    ],
)
def test_what_the_records_move_makes_of_it(name: str, found: Situation, says: str):
    assert move_of(replace(found, played=plays(name))) == says


@pytest.mark.parametrize(
    ("verdict", "wins", "says", "move"),
    [
        (RED, "", "Swap: if nobody does, Red wins (proved, 1.0 s).", ", wins."),
        (
            BLUE,
            "d2",
            "Do not swap: playing on, Blue wins (proved). Play d2.",
            ", gives the win away.",
        ),
        (None, "", "Blue may swap. Nothing proved.", "."),
    ],
)
def test_the_second_move_where_swapping_is_an_answer(verdict, wins, says, move):
    first = Position.empty(BOARD).play("c3")
    turn = Turn(Color.WHITE, Move(MoveKind.SWAP_PIECES))
    found = Situation(first, verdict, KnownMoves(), cells(wins), played=turn, ply=2)
    assert (verdict_of(found), move_of(found)) == (says, f"Played: 2. swap{move}")


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
