"""The words of a verdict: right in every state of a game, and never cut."""

from dataclasses import replace

import pytest

from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import Blunder, GameSummary, PlayedMove, ProvedSpan
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, KnownMoves, Verdict, VerdictKind
from hextui.records.tree import Node, Turn
from hextui.words.verdicts import (
    GameSituation,
    Preference,
    Situation,
    Tone,
    game_ways,
    here_ways,
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
    return "".join(part if isinstance(part, str) else part[0] for part in sentence)


def verdict_of(found: Situation) -> str:
    return text(verdict_ways(found)[0])


def move_of(found: Situation) -> str:
    return text(played_ways(found)[0])


def judged(by: str, best: str, winrate: float | None = None, **more) -> Situation:
    """Return a situation in which nothing is proved, and a search prefers a move."""
    return situation(None, "", judged=Preference(by, BOARD.cell(best), winrate), **more)


EVERY_MOVE = " ".join(BOARD.name(cell) for cell in POSITION.empties)
MANY = "a1 b1 c1 d1 e1 a2 c2 d2"
THEIRS = ClaimedWinner(Color.WHITE, ClaimSource.ENGINE, "another")
JOINED = Verdict(VerdictKind.CONNECTION, Color.BLACK)
MINIMAX = "minimax(resistance)"


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (situation(), "Red wins: d2 or b4 (proved); every other move loses."),
        (situation(among=5), "Red wins: d2 or b4 (proved); every other move loses."),
        (
            situation(moves=known("d2 b4", "a1")),
            "Red wins: d2 or b4 (proved); 20 others undecided.",
        ),
        (
            situation(wins=MANY, moves=known(MANY)),
            "Red wins: a1, b1, c1, d1, e1, a2 or 2 others (proved); every other move loses.",
        ),
        (
            situation(JOINED, EVERY_MOVE, moves=known(EVERY_MOVE)),
            "Red wins with any move (connected).",
        ),
        (situation(wins="", moves=known("", "")), "Red wins (proved). Winning move not known."),
        (situation(BLUE), "Blue wins; every move of Red loses (proved)."),
        (
            judged("search", "c4", 0.38, claims=(THEIRS,)),
            "Red 38% (search). Best: c4. Claimed by another, not proved: Blue wins.",
        ),
        (
            situation(None, claims=(ClaimedWinner(Color.BLACK, ClaimSource.RECORD),)),
            "Nothing proved. Claimed by the record, not proved: Red wins.",
        ),
        (
            situation(None, claims=(ClaimedWinner(Color.BLACK, ClaimSource.REVIEW),)),
            "Nothing proved. Claimed by an earlier review, not proved: Red wins.",
        ),
        (situation(BLUE, claims=(THEIRS,)), "Blue wins; every move of Red loses (proved)."),
        (
            situation(None, dispute=(JOINED, BLUE)),
            "Two proofs contradict each other: Red wins by a connection, Blue by the solver.",
        ),
        (situation(None, doing=(("The analysis is off.", Tone.DOUBTFUL),)), "The analysis is off."),
        (judged("search", "c4", 0.38, among=5), "Red 38% (search). Best of 5 cells: c4."),
        (judged(MINIMAX, "c4", among=1), f"{MINIMAX} prefers c4 of 1 cell."),
        (judged(MINIMAX, "d2"), f"{MINIMAX} prefers d2."),
    ],
)
def test_who_wins_and_what_to_play(found: Situation, says: str):
    assert verdict_of(found) == says


def test_a_move_loses_what_its_player_has_less_after_it():
    found = judged("search", "c4", 0.634, played=plays("d2"), place=(4, "search"), left=0.513)
    assert [text(way) for way in played_ways(found)] == [
        "Played 3. d2: -12%, 51% left.",
        "Played 3. d2: -12%.",
    ]
    for cheap in (0.634, 0.66, 0.627):  # what wavers is no loss: it is 63% again
        assert move_of(replace(found, left=cheap)) == "Played 3. d2: 4th by search."
    best = replace(found, place=(1, "search"))  # whatever the search saw later, it is its choice
    assert move_of(best) == "Played 3. d2: 1st by search."


def test_a_finished_game():
    over = Position.parse("B.. / BWW / B..", Color.WHITE)
    found = replace(situation(None), position=over, played=plays("b1"))
    assert [text(way) for way in here_ways(found)] == ["Red has won."]


@pytest.mark.parametrize(
    ("name", "found", "says"),
    [
        ("d2", situation(), "Played 3. d2: wins."),
        ("a1", situation(), "Played 3. a1: loses."),
        ("a1", situation(moves=known("d2 b4", "")), "Played 3. a1: undecided."),
        (
            "a1",
            situation(moves=known("d2 b4", ""), lost_by="7. c4"),
            "Played 3. a1 or 7. c4: loses.",
        ),
        ("a1", situation(BLUE, moves=known("")), "Played 3. a1: loses."),
        ("a1", situation(None, moves=known("", "a1")), "Played 3. a1: loses."),
        ("a1", situation(None), "Played 3. a1."),
        ("a1", situation(None, place=(7, "network")), "Played 3. a1: 7th by network."),
        (
            "a1",
            Situation(Position.empty(BOARD), None, KnownMoves(), ply=1, place=(25, "network")),
            "Played 1. a1: can be swapped.",
        ),
        ("pass", situation(), "Played 3. pass: undecided."),
        ("pass", situation(after=BLUE), "Played 3. pass: loses."),
        ("resign", situation(), "Red resigns in a won position."),
        ("resign", situation(BLUE), "Red resigns."),
    ],
)
def test_what_the_records_move_makes_of_it(name: str, found: Situation, says: str):
    assert move_of(replace(found, played=plays(name))) == says


@pytest.mark.parametrize(
    ("verdict", "wins", "says", "move"),
    [
        (RED, "", "Swap: if nobody does, Red wins (proved).", ": wins."),
        (BLUE, "d2", "Do not swap: playing on, Blue wins (proved). Play d2.", ": loses."),
        (None, "", "Blue may swap. Nothing proved.", "."),
    ],
)
def test_the_second_move_where_swapping_is_an_answer(verdict, wins, says, move):
    first = Position.empty(BOARD).play("c3")
    turn = Turn(Color.WHITE, Move(MoveKind.SWAP_PIECES))
    found = Situation(first, verdict, KnownMoves(), cells(wins), played=turn, ply=2)
    assert (verdict_of(found), move_of(found)) == (says, f"Played 2. swap{move}")


def second(swap: float, **more) -> Situation:
    """Return the position after c3, where a search estimates the swap at ``swap``."""
    first, best = Position.empty(BOARD).play("c3"), BOARD.cell("d2")
    preference = Preference("search", best, 1 - swap, visits=400, swap=swap)
    return Situation(first, None, KnownMoves(), judged=preference, ply=2, **more)


@pytest.mark.parametrize(
    ("swap", "says", "best"),
    [
        (0.78, "Blue should swap: 78% (search, 400 visits).", "swap-pieces"),
        (0.37, "Blue should not swap: 63% (search, 400 visits). Best: d2.", "d2"),
        (0.53, "Blue may swap, about even: 53% (search, 400 visits). Best: d2.", "swap-pieces"),
        (0.48, "Blue may swap, about even: 48% (search, 400 visits). Best: d2.", "d2"),
    ],
)
def test_an_estimate_of_the_swap_is_advice(swap, says, best):
    found = second(swap)
    assert verdict_of(found) == says
    assert text(verdict_ways(found)[-1]) == says.split(" (")[0] + "."
    assert found.best == Move.parse(best, BOARD)


@pytest.mark.parametrize(
    ("swap", "played", "left", "says"),
    [
        (0.78, "d2", 0.22, "Played 2. d2: -56%, 22% left."),
        (0.78, "swap-pieces", None, "Played 2. swap: -0%, 78% left."),
        (0.37, "swap-pieces", None, "Played 2. swap: -26%, 37% left."),
        (0.37, "a1", 0.5, "Played 2. a1: -13%, 50% left."),
    ],
)
def test_what_is_played_instead_of_the_better_answer_costs(swap, played, left, says):
    turn = Turn(Color.WHITE, Move.parse(played, BOARD))
    found = second(swap, played=turn, left=left, place=(1, "search") if played == "d2" else None)
    assert move_of(found) == says.replace(": -0%, 78% left", "")


def test_a_first_stone_is_advised_by_how_fair_it_is():
    empty, best = Position.empty(BOARD), BOARD.cell("a4")
    preference = Preference("search", best, 0.48)
    found = Situation(empty, None, KnownMoves(), judged=preference)
    assert verdict_of(found) == "Red 48% (search). Fairest first move: a4."
    assert found.best == Move.play(best)
    won = replace(found, verdict=RED, moves=known("c3"), wins=cells("c3"))
    says = "If nobody swaps, Red wins: c3 (proved); every other move loses."
    assert verdict_of(won) == f"{says} Fairest first move: a4."
    assert won.best == Move.play(best)
    assert won.better is None
    without = replace(won, position=empty.without_swap, moves=known("c3"), judged=None)
    assert verdict_of(without).startswith("Red wins: c3 (proved)")


def test_the_better_move_is_offered_only_where_the_records_is_none():
    found = replace(situation(), played=plays("a1"))
    assert found.better == BOARD.cell("d2")
    assert found.best == Move.play(BOARD.cell("d2"))
    assert replace(found, played=plays("b4")).better is None


def test_the_best_move_is_the_one_that_is_named():
    assert situation(BLUE, "").best is None
    assert judged("search", "c4", 0.4).best == Move.play(BOARD.cell("c4"))
    assert situation(None, "").best is None


def test_the_records_move_goes_before_the_second_winning_move():
    ways = [text(way) for way in here_ways(replace(situation(), played=plays("a1")))]
    assert ways == [
        "Red wins: d2 or b4 (proved); every other move loses. Played 3. a1: loses.",
        "Red wins: d2 or b4 (proved). Played 3. a1: loses.",
        "Red wins: d2 or b4 (proved); every other move loses.",
        *["Red wins: d2 or b4 (proved)."] * 3,
        "Red wins: d2 (proved).",
        "Red wins: d2.",
    ]


EVERY = [
    situation(),
    situation(moves=known("d2 b4", "")),
    situation(wins="a1 b1 c1 d1 e1 a2 c2 d2 e2 a3"),
    situation(BLUE, moves=known("")),
    situation(Verdict(VerdictKind.CONNECTION, Color.WHITE)),
    situation(None, dispute=(RED, BLUE)),
    situation(None, judged=Preference("minimax(contribution-opponent:2/literal)", 3), busy=True),
    Situation(Position.empty(BOARD).play("c3"), RED, KnownMoves()),
    Situation(Position.empty(BOARD).play("c3"), BLUE, KnownMoves(), cells("d2 e5")),
]


def test_every_line_has_a_wording_for_a_narrow_terminal():
    for found in EVERY:
        for played in (None, plays("d2"), plays("a1"), plays("resign")):
            now = replace(found, played=played, ply=123, place=(17, "contribution-opponent:2"))
            lengths = [len(text(way)) for way in here_ways(now)]
            assert min(lengths) <= 34
            assert lengths[-1] == min(lengths)


def blunder(names: str, first: int, color: Color = Color.BLACK) -> Blunder:
    """Return a blunder within the moves of these names, from ply ``first`` on."""
    moves = tuple(PlayedMove(first + 2 * at, cell) for at, cell in enumerate(cells(names)))
    at = [GamePosition(Node(), POSITION, Color.BLACK) for _ in range(2)]
    at[0].node.ply, at[1].node.ply = first - 1, moves[-1].ply
    return Blunder(color, at[0], at[1], moves, cells("d2"), True)


def lost(*mistakes: Blunder) -> GameSummary:
    """Return the summary of a game of 30 moves that its last mistake decides."""
    spans = tuple(ProvedSpan(one.color.opponent, one.after.ply, 30) for one in mistakes[-1:])
    return GameSummary(spans, mistakes, finished=False, last_ply=30)


def spanned(first: int, last: int, *, finished: bool) -> GameSituation:
    spans = (ProvedSpan(Color.BLACK, 9, 12), ProvedSpan(Color.WHITE, first, last))
    return GameSituation(GameSummary(spans, (), finished, 30), moves=30)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (GameSituation(lost()), "No moves yet."),
        (GameSituation(lost(), moves=30), "Not analysed yet."),
        (GameSituation(lost(), progress=7, moves=30), "Analysing, 7%."),
        (GameSituation(GameSummary((), (), finished=True), moves=30), "No proved mistake."),
        (spanned(21, 30, finished=True), "Proved: Blue wins from 21 on. No proved mistake."),
        (spanned(21, 30, finished=False), "Proved so far: Blue wins from 21 on."),
        (spanned(21, 23, finished=False), "Proved so far: Blue wins from 21 to 23."),
        (spanned(21, 21, finished=False), "Proved so far: Blue wins at 21."),
        (
            GameSituation(lost(blunder("d2 b4", 23)), moves=30),
            "Red lost the win for good with 23. d2 or 25. b4 (proved).",
        ),
        (
            GameSituation(
                lost(blunder("a1", 5), blunder("c1", 8, Color.WHITE), blunder("d2", 23)),
                progress=40,
                moves=30,
            ),
            "Red lost the win with 5. a1, had it back after 8. c1, and lost it for good with "
            "23. d2 (proved). Analysing, 40%.",
        ),
    ],
)
def test_how_the_game_went(game: GameSituation, says: str):
    ways = [text(way) for way in game_ways(game)]
    assert ways[0] == says
    assert min(map(len, ways)) <= 34
    if game.blunders:
        assert any("23." in way and len(way) <= 60 for way in ways)
