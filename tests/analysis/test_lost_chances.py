"""Moves that cost win rate by another engine, and its proofs beside ours."""

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.game_report import Stretch, stretches
from hextui.analysis.mistakes import blunders, costly_moves
from hextui.analysis.review import Severity, review_entries
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.ranking import Quality, RankedMove, Ranking, qualities
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.engines.snapshot import Examined, ExaminedMove
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
from hextui.words.names import Names
from hextui.words.reviews import entry_move, entry_words, mistake_sentence

ENGINE = "engine(e)"
RECORD = Record.of_moves(Board(3, 3), [Move.play(cell) for cell in (0, 8, 1, 7, 2)])


def line() -> tuple[GamePosition, ...]:
    return game_positions(RECORD, RECORD.main_line())


def judged(*winrates: float | None, best: int = 4, by: str = ENGINE) -> Estimates:
    found = Estimates()
    for here, winrate in zip(line(), winrates, strict=False):
        value = 0.0 if winrate is None else winrate
        found.keep(here.position, by, Estimate(value, (best,), {}, False, winrate))
    return found


def costs(found: Estimates) -> list[tuple[int, float]]:
    return [
        (lost.before.ply + 1, round(lost.cost, 9)) for lost in costly_moves(line(), found, ENGINE)
    ]


def test_a_move_costs_what_its_player_had_before_less_what_it_has_after() -> None:
    # a first move may be weak; Blue has 55 % before its first one, and 30 % after it: Red has 70 %
    assert costs(judged(0.6, 0.55, 0.7, 0.45, 0.69)) == [(2, 0.25), (3, 0.15), (4, 0.14)]


def test_what_wavers_or_is_not_known_is_no_mistake() -> None:
    assert costs(judged(0.6, 0.49, 0.6)) == []
    assert costs(judged(0.6, None, 0.6)) == []
    assert costs(judged(0.9, 0.9, best=0)) == []  # it preferred this move itself


@pytest.mark.parametrize("judge", [ENGINE, "search", "search:nodes=400"])
def test_the_list_of_mistakes_has_the_dearest_first(judge: str) -> None:
    found = judged(0.6, 0.55, 0.7, 0.45, 0.69, by=judge)
    entries = review_entries(line(), found, judge)
    assert [(entry_move(entry), entry.severity) for entry in entries] == [
        ("2. c3", Severity.MISTAKE),
        ("3. b1", Severity.INACCURACY),
        ("4. b3", Severity.INACCURACY),
    ]
    assert entry_words(entries[0], Names.RED_BLUE) == ("best b2; win rate 55% to 30%", "best b2")
    assert {entry.by for entry in entries} == {judge}


def test_a_proof_outranks_the_engines_opinion() -> None:
    found = judged(0.6, 0.9, 0.1)
    found.keep_verdict(line()[0].position, Verdict(VerdictKind.SOLVER, Color.WHITE))
    assert costs(found) == []  # it was lost before, and is lost still


def test_moves_that_an_engine_did_not_look_at_share_the_last_places() -> None:
    ranking = Ranking(ENGINE, (RankedMove(3, 0.6, 1), RankedMove(1, 0.4, 2)), exact=False)
    found = qualities(ranking, range(5))
    assert found[3] == Quality(5, 1, 1.0)
    assert found[1] == Quality(5, 2, 2.0)
    assert {cell: q for cell, q in found.items() if cell in (0, 2, 4)} == dict.fromkeys(
        (0, 2, 4), Quality(5, 3, 4.0)
    )


def test_a_proof_of_another_engine_is_told_as_its() -> None:
    found = Estimates()
    first, second = line()[1:3]
    theirs = Verdict(VerdictKind.ENGINE, Color.WHITE, by="mohex")
    found.keep_verdict(first.position, theirs)
    found.keep_verdict(second.position, Verdict(VerdictKind.CHAIN, Color.BLACK))
    assert stretches(line(), found)[0] == Stretch(
        first.ply, first.ply, Color.WHITE, VerdictKind.ENGINE, "mohex"
    )
    (mistake,) = blunders(line(), found)
    assert mistake.by == ("mohex",)
    assert mistake_sentence(mistake, Names.RED_BLUE).endswith("(proved by mohex).")


def test_win_rates_and_whose_proof_it_is_are_kept_in_the_record() -> None:
    record = read_sgf(write_sgf(RECORD))
    found = judged(0.6, 0.55)
    theirs = Verdict(VerdictKind.ENGINE, Color.BLACK, by="mohex")
    found.keep_verdict(line()[2].position, theirs)
    stored_analysis.store(record, game_positions(record, record.main_line()), [ENGINE], found)
    again, read = read_sgf(write_sgf(record)), Estimates()
    kept = game_positions(again, again.main_line())
    assert stored_analysis.read(kept, read) == (ENGINE,)
    assert [read.of(s, ENGINE).winrate for s in kept[:2]] == [0.6, 0.55]
    assert read.verdict(kept[2].position) == theirs


@pytest.mark.parametrize(
    "text", ["HXJ[e 1.5 winrate a1]", "HXP[black engine]", "HXP[black chain e]"]
)
def test_what_is_damaged_of_it_is_left_alone(text: str) -> None:
    record, found = read_sgf(f"(;GM[11]SZ[3]{text};B[b2])"), Estimates()
    assert stored_analysis.read(game_positions(record, record.main_line()), found) == ()
    assert found.verdict(game_positions(record, record.main_line())[0].position) is None


def test_an_engine_proves_by_a_move_that_wins_or_by_all_that_lose() -> None:
    position = Position.empty(Board(2, 2)).play(0)

    def proof(**moves: bool | None) -> Color | None:
        looked_at = [ExaminedMove(position.board.cell(n), proved=p) for n, p in moves.items()]
        found = Examined(position, "mohex", tuple(looked_at)).proof
        assert found is None or (found.kind, found.by) == (VerdictKind.ENGINE, "mohex")
        return None if found is None else found.winner

    assert proof(b1=None, a2=True) is Color.WHITE
    assert proof(b1=False, a2=False, b2=False) is Color.BLACK
    assert proof(b1=False, a2=False) is None
    assert proof() is None
