"""The tree search in the live analysis: beside the rankings, kept while the user steps, stopped."""

from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.verdicts import Verdicts
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Snapshot

NAME = "search:nodes=120"


def start() -> Position:
    return Position.empty(Board(7, 7)).play("b2").play("f2")


def test_it_improves_and_ends_as_the_evaluator_does(answerer: OwnAnswerer) -> None:
    position = start()
    snapshots: list[Snapshot] = list(
        answerer.answers(Analyse(position, ("resistance", NAME), NAME))
    )
    found = [s.reports[NAME] for s in snapshots if NAME in s.reports]
    assert [e.visits for e in found] == sorted(e.visits for e in found)
    assert [e.final for e in found[:-2]] == [False] * (len(found) - 2)
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, expected = evaluator(NAME).rank(bench)
    last = snapshots[-1]
    assert last.rankings[NAME] == expected
    assert {move.cell for move in last.reports[NAME].moves} == set(position.empties)
    assert "resistance" in last.rankings


def test_what_was_seen_of_a_move_is_there_at_once_after_it(answerer: OwnAnswerer) -> None:
    position = start()
    *_, last = answerer.answers(Analyse(position, (NAME,)))
    best = last.reports[NAME].moves[0]
    after = answerer.answers(Analyse(position.play(best.cell), (NAME,)))
    first = next(s.reports[NAME] for s in after if NAME in s.reports)
    assert first.visits > 1


def test_it_stops(answerer: OwnAnswerer) -> None:
    seen: list[Snapshot] = []
    question = Analyse(start(), ("search:nodes=100000",))
    answers = answerer.answers(question, lambda: bool(seen))
    seen.extend(snapshot for snapshot in answers if snapshot.reports)
    assert len(seen) == 1


def test_what_it_proves_is_kept(answerer: OwnAnswerer) -> None:
    position = Position.parse("..../.B../..../....", "black")
    *_, last = answerer.answers(Analyse(position, (NAME,)))
    verdicts = Verdicts()
    keep_proofs(last, verdicts)
    proved = {move.cell for move in last.reports[NAME].moves if move.proved}
    assert proved
    assert proved <= set(verdicts.moves(position).wins)


def test_a_finished_game_is_not_searched(answerer: OwnAnswerer) -> None:
    won = Position.parse("BW./BW./B..", "white")
    *_, last = answerer.answers(Analyse(won, (NAME,)))
    assert NAME not in last.reports
