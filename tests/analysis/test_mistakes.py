"""Mistakes of a game, as facts and in words: proved ones, opening, low ranks, costly moves."""

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_report import player_reports
from hextui.analysis.mistakes import (
    PROVED,
    MistakeKind,
    OpeningKind,
    OpeningMistake,
    ProvedSpan,
    blunders,
    costly_moves,
    game_summary,
    kind_of,
    opening_mistakes,
    review_entries,
)
from hextui.analysis.whole_game import GameBudget, analyse_game, prove
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.connections import find_connections
from hextui.engine.position import Position
from hextui.engine.ranking import Quality, RankedMove, Ranking, qualities
from hextui.engine.verdicts import ClaimSource
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.snapshot import ReportedMove, SearchReport, Verdict, VerdictKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.text import Names
from hextui.words.reviews import entry_move, entry_words, mistake_sentence
from tests.analysis.games import (
    BLUE,
    RED,
    Line,
    known,
    line_of,
    played,
    random_game,
    rank_moves,
    rate,
)

GAME = played("a1 b2 c2 c1 d1 a4")
B1, A2 = map(Board(4, 4).cell, ("b1", "a2"))
ENGINE = "engine(e)"
RATED = played("a1 c3 b1 b3 c1", side=3)


def listed(line: Line, found: Estimates, by: str = "some") -> list[tuple[str, str, str, str]]:
    """Return the entries of the review: move, glyph, evaluator, fullest words."""
    return [
        (entry_move(e), e.severity, e.by, entry_words(e, Names.RED_BLUE)[0])
        for e in review_entries(line, found, by)
    ]


def test_summary_says_who_led_and_when_the_review_is_finished() -> None:
    """Nothing is said of open plies, and estimates come last."""
    found = known(GAME, {1: RED, 2: RED, 4: RED, 5: BLUE})
    summary = game_summary(GAME, found, 10.0)
    assert summary.spans[-1] == ProvedSpan(BLUE, 5, 5)
    early = game_summary(GAME, known(GAME, {1: RED, 2: RED, 4: RED}), 10.0)
    assert early.spans == (ProvedSpan(RED, 2, 2), ProvedSpan(RED, 4, 4)), "1 can be swapped"
    opening, blunder = summary.mistakes
    assert isinstance(opening, OpeningMistake)
    assert opening.kind is OpeningKind.NOT_SWAPPED
    assert blunder in blunders(GAME, found)
    assert not summary.finished
    found.keep_spent(GAME, 10.0)
    assert not game_summary(GAME, found, 10.0).finished, "its positions are not analysed"
    for here in GAME:
        found.keep_verdict(here.position, None)
    assert game_summary(GAME, found, 10.0).finished
    assert not game_summary(GAME, found, 20.0).finished


@pytest.mark.parametrize(
    ("winners", "wins", "sentences"),
    [
        (
            {2: RED, 3: BLUE},
            {2: ((B1, A2), True)},
            ["Red gave the win away with 3. c2: b1 or a2 won (proved)."],
        ),
        ({2: RED, 3: BLUE}, {}, ["Red gave the win away with 3. c2 (proved)."]),
        (
            {2: RED, 3: BLUE},
            {2: ((B1,), True)},
            ["Red gave the win away with 3. c2: only b1 won (proved)."],
        ),
        (
            {2: RED, 5: BLUE},
            {2: ((B1,), False)},
            [
                "Red gave the win away between 3. c2 and 5. d1: b1 won "
                "(proved: Red wins after ply 2, Blue after ply 5)."
            ],
        ),
        ({3: BLUE, 5: BLUE}, {}, []),
    ],
)
def test_a_blunder_has_a_proof_on_both_sides(winners, wins, sentences) -> None:
    found = blunders(GAME, known(GAME, winners, wins))
    assert [mistake_sentence(blunder, Names.RED_BLUE) for blunder in found] == sentences


def test_the_proved_mistake_that_decided_comes_first_in_words_that_fit() -> None:
    found = known(GAME, {2: RED, 3: BLUE, 4: RED}, {2: ((B1, A2), True)})
    last, first = review_entries(GAME, found, "")
    assert [(entry_move(e), e.color, e.severity, e.by) for e in (last, first)] == [
        ("4. c1", BLUE, "??", PROVED),
        ("3. c2", RED, "??", PROVED),
    ]
    assert entry_words(first, Names.RED_BLUE) == (
        "gives the win away; b1 or a2 won",
        "gives the win away; b1 won",
        "loses; b1 won",
        "gives the win away",
        "loses",
    )
    (entry,) = review_entries(GAME, known(GAME, {2: RED, 5: BLUE}, {2: ((B1,), False)}), "")
    assert entry_move(entry) == "3. c2"
    assert entry_words(entry, Names.RED_BLUE) == (
        "or 5. d1 gives the win away; b1 won",
        "or 5. d1; b1 won",
        "or 5. d1 gives the win away",
        "or 5. d1",
    )


@pytest.mark.parametrize(
    ("winners", "ranks", "expected"),
    [
        (
            {2: RED, 3: BLUE},
            {2: 4, 3: 10, 1: 10},
            [("3. c2", "??", PROVED), ("2. b2", "?!", "some")],
        ),
        (
            {},
            {3: 9, 4: 6, 5: 3, 6: 2},
            [("3. c2", "?", "some"), ("4. c1", "?", "some"), ("5. d1", "?!", "some")],
        ),
        ({3: RED}, {3: 10}, []),  # wins still
        ({2: BLUE}, {3: 10}, []),  # lost before
        ({}, {1: 10}, []),  # can be swapped: a weak move is right
    ],
)
def test_low_ranks_follow_the_lowest_first_unless_a_proof_says_otherwise(
    winners, ranks, expected
) -> None:
    found = rank_moves(GAME, known(GAME, winners), {p: (r, 10) for p, r in ranks.items()})
    assert [entry[:3] for entry in listed(GAME, found)] == expected


def test_a_first_move_that_can_be_swapped_is_never_the_worst_of_the_report() -> None:
    found = rank_moves(GAME, Estimates(), dict.fromkeys((1, 2, 3), (10, 10)))
    players = player_reports(GAME, ["some"], found)["some"]
    assert [[move.ply for move in players[color].worst] for color in Color] == [[3], [2]]
    assert players[RED].moves == 2


SOLVER, CONNECTION = VerdictKind.SOLVER, VerdictKind.CONNECTION


@pytest.mark.parametrize(
    ("verdicts", "kinds"),
    [
        ({2: (RED, SOLVER), 3: (BLUE, SOLVER)}, ["other"]),
        ({2: (RED, CONNECTION), 3: (BLUE, SOLVER)}, ["missed win"]),
        ({2: (RED, SOLVER), 3: (BLUE, CONNECTION)}, ["must-play"]),
        ({2: (RED, CONNECTION), 3: (BLUE, CONNECTION)}, ["missed win"]),
        ({2: (RED, SOLVER), 3: (BLUE, SOLVER), 4: (RED, SOLVER)}, ["other", "given back"]),
        ({2: (RED, SOLVER), 5: (BLUE, CONNECTION)}, ["several"]),
    ],
)
def test_the_proofs_on_both_sides_decide_the_kind(verdicts, kinds: list[str]) -> None:
    found = Estimates()
    for ply, (color, kind) in verdicts.items():
        found.keep_verdict(GAME[ply].position, Verdict(kind, color))
    all_blunders = blunders(GAME, found)
    assert [kind_of(one, all_blunders, found) for one in all_blunders] == kinds


def test_a_threat_that_was_not_met_was_there_and_the_move_outside_of_it() -> None:
    seen = 0
    for seed in range(3):
        line, found = line_of(random_game(Board(5, 5), seed)), Estimates()
        list(analyse_game(line, [], found, solve_seconds=100.0))
        all_blunders = blunders(line, found)
        for blunder in all_blunders:
            if kind_of(blunder, all_blunders, found) is MistakeKind.MUST_PLAY:
                position, other = blunder.before.position, blunder.color.opponent
                threats = [c.cells for c in find_connections(position, other).edge_semis]
                if threats:  # else the search of connections finds it after the move only
                    assert any(blunder.moves[0].cell not in carrier for carrier in threats)
                    seen += 1
    assert seen


# The opening


@pytest.mark.parametrize(
    ("moves", "winner", "sentence", "move"),
    [
        (
            "b3 swap-pieces a1",
            RED,
            "Red opened too strongly: Blue swapped 1. b3, which wins (proved).",
            "1. b3",
        ),
        ("b3 a1 c1", RED, "Blue did not swap 1. b3, which wins (proved).", "2. a1"),
        ("a1 swap-pieces b2", BLUE, "Blue swapped 1. a1, which loses (proved).", "2. swap"),
        ("a1 b2 c2", BLUE, "", ""),
        ("b3", RED, "", ""),
    ],
)
def test_swapping_is_judged_by_who_wins(moves, winner, sentence, move) -> None:
    line = played(moves)
    found = known(line, {1: winner})
    said = [mistake_sentence(one, Names.RED_BLUE) for one in opening_mistakes(line, found)]
    assert said == ([sentence] if sentence else [])
    entries = [entry[:3] for entry in listed(line, found, "")]
    assert entries == ([(move, "??", PROVED)] if move else [])


def test_whoever_swapped_sides_is_known_by_the_colour_at_the_end() -> None:
    line = played("a1 swap-sides b2")
    (mistake,) = opening_mistakes(line, known(line, {1: BLUE}))
    assert (mistake.kind, mistake.color, mistake.player) == (OpeningKind.SWAPPED, BLUE, RED)


def test_the_solver_judges_the_openings_of_3x3() -> None:
    """The centre wins, the corner loses."""
    for first, kind in (("b2", OpeningKind.TOO_STRONG), ("a1", OpeningKind.SWAPPED)):
        line, found = played(f"{first} swap-pieces c1", side=3), Estimates()
        list(prove(OwnAnswerer(), line, found, GameBudget(100.0), lambda: False))
        assert [one.kind for one in opening_mistakes(line, found)] == [kind]


@pytest.mark.parametrize(
    ("moves", "rank", "expected"),
    [
        ("b3 swap-pieces a1", 1, [("1. b3", "too strong a first move: Blue swapped it")]),
        ("b3 swap-pieces a1", 16, []),
        ("b3 a1 c1", 1, [("2. a1", "should have swapped 1. b3")]),
    ],
)
def test_a_rank_recognises_a_strong_first_move_but_no_weak_one(moves, rank, expected) -> None:
    line = played(moves)
    found = listed(line, rank_moves(line, Estimates(), {1: (rank, 16)}))
    assert found == [(move, "?!", "some", words) for move, words in expected]


@pytest.mark.parametrize(
    ("moves", "rate_of_first", "expected"),
    [
        ("b3 swap-pieces a1", 0.62, ["1. b3 gives 62% to the side that swaps"]),
        (
            "b3 a1 c1",
            0.62,
            [
                "2. a1 should have swapped 1. b3, worth 62%",
                "1. b3 gives 62% to the side that swaps",
            ],
        ),
        (
            "b3 swap-pieces a1",
            0.38,
            [
                "2. swap should not have swapped 1. b3, worth 38%",
                "1. b3 gives 62% to the side that plays on",
            ],
        ),
        ("b3 swap-pieces a1", 0.58, []),
        ("b3 swap-pieces a1", 0.42, []),
        ("b3 a1 c1", 0.38, ["1. b3 gives 62% to the side that plays on"]),
    ],
)
def test_a_search_judges_a_first_move_by_its_estimate(moves, rate_of_first, expected) -> None:
    line = played(moves)
    assert listed(line, rate(line, "search", 0.9), "search") == []  # of the empty board alone
    found = rate(line, "search", 0.9, 1 - rate_of_first)
    said = [f"{move} {words}" for move, *_, words in listed(line, found, "search")]
    assert said == expected


# Win probability


@pytest.mark.parametrize(
    ("winrates", "best", "expected"),
    [
        # a first move may be weak; Blue has 55% before its first one, and 30% after it
        ((0.6, 0.55, 0.7, 0.45, 0.69), 4, [(2, 0.25), (3, 0.15), (4, 0.14)]),
        ((0.6, 0.49, 0.6), 4, []),  # searches waver
        ((0.6, None, 0.6), 4, []),
        ((0.9, 0.9), 0, []),  # the search preferred this move itself
    ],
)
def test_a_move_loses_the_difference_of_two_estimates(winrates, best, expected) -> None:
    found = costly_moves(RATED, rate(RATED, ENGINE, *winrates, best=best), ENGINE)
    assert [(lost.before.ply + 1, round(lost.cost, 9)) for lost in found] == expected


def test_a_proof_outranks_the_win_probability() -> None:
    found = rate(RATED, ENGINE, 0.6, 0.9, 0.1)
    found.keep_verdict(RATED[0].position, Verdict(SOLVER, BLUE))
    assert costly_moves(RATED, found, ENGINE) == ()  # it was lost before, and is lost still


@pytest.mark.parametrize("judge", [ENGINE, "search", "search:visits=400"])
def test_the_largest_loss_of_win_probability_comes_first(judge: str) -> None:
    found = rate(RATED, judge, 0.6, 0.55, 0.7, 0.45, 0.69)
    assert [entry[:3] for entry in listed(RATED, found, judge)] == [
        ("2. c3", "?", judge),
        ("3. b1", "?!", judge),
        ("4. b3", "?!", judge),
    ]
    worst = review_entries(RATED, found, judge)[0]
    assert entry_words(worst, Names.RED_BLUE) == ("best b2; win probability 55% to 30%", "best b2")


def test_moves_that_an_engine_did_not_visit_share_the_last_places() -> None:
    ranking = Ranking(ENGINE, (RankedMove(3, 0.6, 1), RankedMove(1, 0.4, 2)), exact=False)
    unvisited = dict.fromkeys((0, 2, 4), Quality(5, 3, 4.0))
    assert qualities(ranking, range(5)) == unvisited | {
        3: Quality(5, 1, 1.0),
        1: Quality(5, 2, 2.0),
    }


# Claims of other engines


def test_win_probabilities_of_another_engine_are_stored_in_the_record() -> None:
    record = random_game(Board(3, 3), 0)
    line = line_of(record)
    found = rate(line, ENGINE, 0.6, 0.55)
    record.set_properties(stored_analysis.properties(line, [ENGINE], found))
    again, read = line_of(read_sgf(write_sgf(record))), Estimates()
    assert stored_analysis.read(again, read) == (ENGINE,)
    assert [read.of(here, ENGINE).winrate for here in again[:2]] == [0.6, 0.55]


@pytest.mark.parametrize(
    "text", ["HXJ[e 1.5 winrate a1]", "HXP[black engine]", "HXP[black chain e]"]
)
def test_what_is_damaged_of_it_is_ignored(text: str) -> None:
    record, found = read_sgf(f"(;GM[11]SZ[3]{text};B[b2])"), Estimates()
    stored_analysis.sign(record)
    line = line_of(record)
    assert stored_analysis.read(line, found) == ()
    assert found.verdict(line[0].position) is None


def test_an_engine_claims_by_a_move_that_wins_or_by_all_that_lose() -> None:
    position = Position.empty(Board(2, 2)).play(0)

    def claimed(**moves: bool | None) -> Color | None:
        reports = []
        for name, wins in moves.items():
            line = Cells(position.board, (position.board.cell(name),))
            reports.append(ReportedMove(line, proved=wins))
        found = SearchReport(position, "mohex", tuple(reports)).claim
        assert found is None or (found.source, found.engine) == (ClaimSource.ENGINE, "mohex")
        return None if found is None else found.winner

    assert claimed(b1=None, a2=True) is BLUE
    assert claimed(b1=False, a2=False, b2=False) is RED
    assert claimed(b1=False, a2=False) is None
    assert claimed() is None
