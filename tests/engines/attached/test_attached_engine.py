"""A misbehaving engine, a real process, is asked, stopped, restarted and asked again."""

import subprocess
import sys
import threading

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.move_scope import scope_of
from hextui.engines.attached_engine import AttachedEngine
from hextui.engines.engine import Answer, Done, EngineError, Failed, Interrupted
from hextui.engines.questions import ChooseMove, Judge, SearchMoves, WhoWins
from hextui.engines.snapshot import SearchReport
from hextui.settings.engine_config import AttachedConfig
from tests.engines.attached.trickster import PLAYED, START, Heard, is_right, sent, visits
from tests.processes import gone, on_linux, wait_for
from tests.samples import some_rows

TRICKS = ["plain", "interrupted", "late", "blank", "noise", "wrong order", "long"]
TRICKS += ["slow", "bytes"]
STOPPED = Failed("scripted is stopped")


@pytest.mark.parametrize("trick", TRICKS)
def test_tricks_that_change_nothing(attach, trick: str) -> None:
    engine = attach(trick)
    for position in (PLAYED, PLAYED.play("a1"), START.play("a1"), START):
        *answers, last, done = Heard(engine, SearchMoves(position, visits(1))).rest()
        assert isinstance(done, Done)
        for event in (*answers, last):
            found = event.value
            assert is_right(found, position)
            assert found.moves[0].winrate == 0.75
            assert [m.line.numbers for m in found.moves] == [
                position.empties[:2],
                position.empties[1:2],
            ]
            assert found.moves[0].prior == 0.5
            assert found.visits == found.moves[0].visits + 7
        assert last.value.final


def test_it_searches_until_it_is_stopped_and_is_asked_the_next_at_once(attach) -> None:
    engine = attach("plain")
    assert engine.state == "not started"
    first = Heard(engine, SearchMoves(START))
    assert is_right(first.first(), START)
    assert engine.state == "searching 5x5"
    first.asked.stop()
    assert is_right(Heard(engine, SearchMoves(PLAYED)).first(), PLAYED)
    assert len(sent(engine, "stop")) == 1


def test_a_position_is_reached_by_few_commands(attach) -> None:
    engine = attach("plain")
    Heard(engine, SearchMoves(PLAYED, visits(1))).rest()
    before = len(sent(engine))
    Heard(engine, SearchMoves(PLAYED.play("e5"), visits(1))).rest()
    lines = [line.split(maxsplit=1)[1] for line in sent(engine)[before:]]
    assert lines == ["play white e5", "kata-analyze b 20", "stop"]
    Heard(engine, SearchMoves(PLAYED, visits(1), again=True)).rest()
    assert len(sent(engine, "undo")) == len(sent(engine, "boardsize")) == 1


def test_what_is_given_up_before_its_turn_is_never_sent(attach) -> None:
    engine = attach("plain")
    heard = []
    for cell in range(24):
        if heard:
            heard[-1].asked.stop()
        heard.append(Heard(engine, SearchMoves(START.play(cell))))
    assert is_right(heard[-1].first(), START.play(23))
    for each in heard[:-1]:
        while not each.heard.empty():  # what came before it was given up
            assert each.heard.get().value.position == each.asked.question.position


def test_positions_that_are_passed_quickly_are_not_searched(attach, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.REST", 3600.0)
    engine = attach("plain")
    first = Heard(engine, SearchMoves(START))
    first.first()
    first.asked.stop()
    passed = Heard(engine, SearchMoves(PLAYED))
    wait_for(lambda: engine.state == "ready")
    passed.asked.stop()
    monkeypatch.setattr("hextui.engines.limits.REST", 0.0)
    rests = Heard(engine, SearchMoves(PLAYED.play("a1")))
    assert is_right(rests.first(), PLAYED.play("a1"))
    assert len(sent(engine, "kata-analyze")) == 2


@pytest.mark.parametrize("slow", [False, True])
def test_one_that_was_slow_to_stop_is_asked_only_where_somebody_rests(
    attach, monkeypatch, slow: bool
) -> None:
    monkeypatch.setattr("hextui.engines.limits.SLOW_STOP", 0.0 if slow else 3600.0)
    engine = attach("htp", seconds=0.05)
    stopped = Heard(engine, SearchMoves(START))
    stopped.first()
    stopped.asked.stop()
    Heard(engine, SearchMoves(PLAYED)).rest()  # somebody rests here
    monkeypatch.setattr("hextui.engines.limits.REST", 3600.0)
    step = Heard(engine, SearchMoves(PLAYED.play("a1")))
    if slow:
        assert (engine._rest() or 0) > 3000
        assert len(sent(engine, "reg_genmove")) == 2
    else:
        assert is_right(step.first(), PLAYED.play("a1"))


def test_what_was_answered_to_the_end_is_cached_unless_a_move_is_chosen(attach) -> None:
    engine = attach("plain")
    first = Heard(engine, SearchMoves(PLAYED, visits(1))).rest()[-2:]
    assert Heard(engine, SearchMoves(PLAYED, visits(1))).rest() == first
    assert len(sent(engine, "kata-analyze")) == 1
    for question in (SearchMoves(PLAYED, visits(1), again=True), SearchMoves(START, visits(1))):
        Heard(engine, question).rest()
    for _ in range(2):
        Heard(engine, SearchMoves(PLAYED, visits(1), choose=True)).rest()
    assert len(sent(engine, "kata-analyze")) == 5
    stopped = Heard(engine, SearchMoves(PLAYED.play("a1")))
    stopped.first()
    stopped.asked.stop()
    assert not Heard(engine, SearchMoves(PLAYED.play("a1"))).first().final


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"avoid": "a1 b1"}, "avoid b a1,b1 1"),
        ({"allow": "a1:e4", "avoid": "a1:e3 b4"}, "avoid b {above},b4,a5,b5,c5,d5,e5 1"),
        (
            {"region": "a1:e4", "avoid": "a1 a5"},
            "avoid b a5,b5,c5,d5,e5 1000 avoid w a5,b5,c5,d5,e5 1000 avoid b a1 1",
        ),
    ],
)
def test_moves_may_be_excluded_or_chosen(attach, words: dict[str, str], told: str) -> None:
    engine = attach("plain")
    Heard(engine, SearchMoves(START, visits(1), scope_of(START.board, **words))).rest()
    (line,) = sent(engine, "avoid")
    above = ",".join(f"{letter}{row}" for row in (1, 2, 3) for letter in "abcde")
    assert line.partition(" 20 ")[2] == told.format(above=above)


def test_limits(attach) -> None:
    *_, last, _ = Heard(attach("plain", seconds=0.05), SearchMoves(START)).rest()
    assert last.value.final
    engine = attach("plain", visits=5)
    assert len(Heard(engine, SearchMoves(START, Limit(seconds=60))).rest()) == 3


def test_a_search_ends_when_its_results_have_settled(attach) -> None:
    engine = attach("plain", settled=0.05)
    *_, last, _ = Heard(engine, SearchMoves(START)).rest()
    assert last.value.final
    assert 0.05 <= last.value.seconds < 8


def test_what_an_engine_refuses_is_reported_and_the_next_question_is_answered(attach) -> None:
    engine = attach("plain", smallest=3)
    for board, line in (
        (Board(14, 14), "scripted answers: unacceptable size"),
        (Board(2, 5), "scripted takes boards of 3 to 19 rows and columns, not 5x2"),
    ):
        assert Heard(engine, SearchMoves(Position.empty(board))).rest() == [Failed(line)]
    assert is_right(Heard(engine, SearchMoves(PLAYED, visits(1))).first(), PLAYED)
    with pytest.raises(EngineError, match="does not answer WhoWins"):
        list(engine.lane().answers(WhoWins(PLAYED, Limit())))
    engine = attach("plain", start=("version", "foo"))
    line = "scripted answers: unknown command (to the start command 'foo')"
    assert Heard(engine, SearchMoves(START)).rest() == [Failed(line)]
    assert sent(engine, "version")


def test_a_finished_game_is_not_asked(attach) -> None:
    engine = attach("plain")
    over = Position.parse("BW / B.", "white")
    answer, _ = Heard(engine, SearchMoves(over)).rest()
    assert answer.value == SearchReport(over, "scripted", winner=Color.BLACK, final=True)
    assert not engine.traffic.lines()


def test_it_judges_moves_as_an_evaluator_does(attach) -> None:
    (judged,) = attach("plain", visits=1).lane().answers(Judge(PLAYED, ("scripted",)))
    ranking = judged.rankings["scripted"]
    assert [(m.cell, m.value, m.rank) for m in ranking.moves] == [(0, 0.75, 1), (1, 0.25, 2)]
    assert ranking.note == "scripted searched 2 of 22 moves"


# Engines written for HexGui

HOMEMADE = [(), ("ids", "lists"), ("no undo",), ("no undo", "silent"), ("noise",), ("info", "nan")]
HOMEMADE += [
    ("no comments", "late"),
    ("slow", "info"),
    ("only chooses",),
    ("only chooses", "noise"),
]


@pytest.mark.parametrize("habits", HOMEMADE, ids=" ".join)
def test_home_made_engines_answer(
    attach_homemade, monkeypatch: pytest.MonkeyPatch, habits: tuple[str, ...]
) -> None:
    if "silent" in habits:  # each command that it does not know takes the whole time
        monkeypatch.setattr("hextui.engines.limits.LOAD", 1.0)
    engine = attach_homemade(*habits)
    for position in (PLAYED, PLAYED.play("e5"), PLAYED, START.play("a1"), PLAYED.play("a1")):
        *_, found = engine.lane().answers(SearchMoves(position, again=True))
        assert position.empties[0] == found.moves[0].cell


def test_a_move_that_an_engine_has_played_is_taken_back(attach_homemade) -> None:
    for habits, back in (((), ["undo"]), (("no undo",), ["undo", "clear_board", "play black c3"])):
        engine = attach_homemade(*habits)
        for position in (START.play("c3"), START.play("c3").play("e5")):
            list(engine.lane().answers(SearchMoves(position)))
        assert sent(engine)[-1 - len(back) - 1 : -1] == [*back, "play white e5"]
        assert len(sent(engine, "boardsize")) == 1


def test_a_move_that_was_played_as_it_was_chosen_is_not_taken_back(attach_homemade) -> None:
    engine, position = attach_homemade(), START
    for _ in range(2):
        *_, found = engine.lane().answers(SearchMoves(position, choose=True))
        position = position.play(found.moves[0].cell).play(position.empties[-1])
    assert not sent(engine, "undo")


def test_nonsense_is_no_move_and_the_position_is_set_up_again(attach_homemade) -> None:
    engine = attach_homemade("nonsense")
    for _ in range(2):
        line = "homemade answers: 'I like the middle', which is not a legal move on 5x5"
        assert Heard(engine, SearchMoves(START)).rest() == [Failed(line)]
    assert len(sent(engine, "clear_board")) == 2


@pytest.mark.parametrize(
    ("word", "swap", "chosen"),
    [
        ("swap-pieces", True, MoveKind.SWAP_PIECES),
        ("swap-sides", True, MoveKind.SWAP_PIECES),
        ("Swap", True, MoveKind.SWAP_PIECES),
        ("RESIGN", False, MoveKind.RESIGN),
        ("Resign", True, MoveKind.SWAP_PIECES),  # who may swap does not resign
        ("swap-pieces", False, "'swap-pieces', which is not a legal move here"),
        ("PASS", True, "'PASS', which is not a legal move here"),
    ],
)
def test_answers_that_name_no_cell(attach_homemade, word: str, swap: bool, chosen) -> None:
    engine = attach_homemade("answers", word)
    position = START.play("c3")
    if not swap:
        position = position.without_swap
    heard = Heard(engine, ChooseMove(position, "", 0)).rest()
    if isinstance(chosen, MoveKind):
        assert heard == [Answer(Move(chosen)), Done()]
    else:
        assert heard == [Failed(f"homemade answers {chosen}")]
    heard = Heard(engine, ChooseMove(START, "", 0)).rest()  # on its board as it is here
    assert heard == [Answer(Move.play(0)), Done()]


# Deaths


def test_a_crash_only_takes_time(attach) -> None:
    engine = attach("crash once")
    told = []
    engine.on_death = told.append
    heard = Heard(engine, SearchMoves(PLAYED))
    *_, interrupted = heard.until(Interrupted)
    assert [interrupted.line] == told
    assert "exit code 139" in told[0]
    assert "what():  in the middle" in told[0]
    assert is_right(heard.first(), PLAYED)  # the stones were played again


def test_an_engine_that_does_not_start_is_left_alone_until_it_is_wanted_again(attach) -> None:
    engine = attach("no start")
    why = "ended (exit code 1); it wrote: usage: scripted --model FILE; it was started 3 times"
    for _ in range(2):
        assert Heard(engine, SearchMoves(START)).rest()[-1] == Failed(f"scripted {why}", died=True)
    assert len(sent(engine, "name")) <= 3
    assert engine.state == why
    engine.start()
    wait_for(lambda: engine._given_up)
    assert len(sent(engine, "name")) <= 6


def test_a_program_that_is_not_there(engines) -> None:
    engines.append(AttachedEngine(AttachedConfig("none", ("./no-such-program",))))
    *_, last = Heard(engines[0], SearchMoves(START)).rest()
    assert "cannot be started: ./no-such-program: No such file" in last.line


@pytest.mark.parametrize(
    ("trick", "command"),
    some_rows(
        [
            *(("hang", "stop"), ("silent", "name"), ("deaf", "stop")),
            *(("unheard", "# interrupt"), ("endless", "name")),
        ],
        2,
    ),
)
def test_an_engine_that_hangs_is_restarted(attach, monkeypatch, trick: str, command: str) -> None:
    limit = "LOAD" if command == "name" else "ANSWER"
    monkeypatch.setattr(f"hextui.engines.limits.{limit}", 0.5)
    died: list[str] = []
    engine = attach(trick, seconds=0.05 if trick in ("deaf", "unheard") else 60.0)
    engine.on_death = died.append
    *_, last = Heard(engine, SearchMoves(START, visits(1))).rest()
    assert isinstance(last, Failed)
    wait_for(lambda: len(died) == 3)  # the last death is reported after the answer
    assert all(f"did not answer {command!r} in 0.5" in line for line in died)


# Benzene


def test_benzenes_search_is_interrupted_and_its_values_are_read(attach) -> None:
    engine = attach("htp", seconds=0.05)
    *shown, _, last, _ = Heard(engine, SearchMoves(PLAYED)).rest()
    for event in shown:
        assert is_right(event.value, PLAYED)
        assert event.value.moves[0].winrate == 0.562
    (best,) = last.value.moves  # the others have stones
    assert (best.cell, best.visits, best.winrate) == (0, 2000, 0.625)
    assert len(sent(engine, "reg_genmove")) == 1
    with pytest.raises(EngineError, match="cannot be restricted to marked moves"):
        list(engine.lane().answers(SearchMoves(PLAYED, scope=scope_of(PLAYED.board, avoid="a1"))))


@pytest.mark.parametrize(("trick", "interrupts"), [("htp", 1), ("early", 2)])
@pytest.mark.parametrize("by_limit", [False, True])
def test_interrupts_are_repeated_until_one_is_heard(
    attach, trick: str, interrupts: int, by_limit: bool
) -> None:
    engine = attach(trick, seconds=0.05 if by_limit else 60.0)
    heard = Heard(engine, SearchMoves(PLAYED))
    assert is_right(heard.first(), PLAYED)
    if by_limit:
        assert isinstance(heard.rest()[-1], Done)
    else:
        heard.asked.stop()
    assert is_right(Heard(engine, SearchMoves(PLAYED, choose=True)).first(), PLAYED)
    lines = sent(engine)
    first = lines.index("# interrupt")
    second = next(n for n, line in enumerate(lines) if "reg_genmove" in line and n > first)
    between = lines[first:second]
    assert between.count("# interrupt") == interrupts
    assert between[interrupts] == "name"  # the reply to it shows that no interrupt is left


def test_one_with_a_solver_is_asked_for_its_analysis_and_proofs(attach) -> None:
    engine = attach("prover", seconds=0.05)
    *_, last, _ = Heard(engine, SearchMoves(PLAYED)).rest()
    board = PLAYED.board
    proved = {board.name(m.cell): m.proved for m in last.value.moves if m.proved is not None}
    assert proved == {"b1": True, "c1": False}  # d4 has a stone
    assert (last.value.moves[0].cell, last.value.moves[0].winrate) == (PLAYED.empties[0], 0.562)
    assert not sent(engine, "reg_genmove")
    Heard(engine, SearchMoves(PLAYED, choose=True)).rest()
    assert len(sent(engine, "reg_genmove")) == len(sent(engine, "gogui-gfx-analyze")) == 1


# Stopped, started and ended by hand


@on_linux
@pytest.mark.parametrize("trick", ["plain", "htp"])
def test_a_stopped_engine_ends_and_is_asked_nothing_until_it_is_started(attach, trick) -> None:
    engine = attach(trick)
    first, waits = Heard(engine, SearchMoves(PLAYED)), Heard(engine, SearchMoves(START))
    first.first()
    pid = engine._session.process.pid
    engine.halt()
    assert first.rest()[-1] == waits.rest()[-1] == STOPPED
    wait_for(lambda: gone(pid))
    assert Heard(engine, SearchMoves(START)).rest() == [STOPPED]
    assert engine.state == "stopped"
    assert not sent(engine, "kata-analyze")[1:]
    engine.start()
    assert is_right(Heard(engine, SearchMoves(PLAYED)).first(), PLAYED)  # played again


def test_start_replaces_a_process_that_runs(attach) -> None:
    engine = attach("plain")
    engine.start()
    wait_for(lambda: engine.state == "ready")
    heard = Heard(engine, SearchMoves(PLAYED))
    heard.first()
    pid = engine._session.process.pid
    engine.start()
    wait_for(lambda: len(sent(engine, "name")) == 2 and len(sent(engine, "kata-analyze")) == 2)
    assert engine._session.process.pid != pid
    assert is_right(heard.first(), PLAYED)


@on_linux
@pytest.mark.parametrize("ending", ["halt", "close"])
def test_one_that_says_nothing_yet_is_ended_at_once(attach, ending: str) -> None:
    engine = attach("silent")
    died: list[str] = []
    engine.on_death = died.append
    heard = Heard(engine, SearchMoves(START))
    wait_for(lambda: bool(sent(engine, "name")))
    assert engine.state == "starting"
    pid = engine._session.process.pid
    getattr(engine, ending)()
    wait_for(lambda: gone(pid))
    assert isinstance(heard.rest()[-1], Failed)
    assert not died


@on_linux
def test_one_that_hangs_is_ended_soon_though_nobody_waits(attach, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.END", 0.05)
    engine = attach("hang")
    Heard(engine, SearchMoves(START))
    wait_for(lambda: bool(sent(engine, "kata-analyze")))
    pid = engine._session.process.pid
    engine.end()
    wait_for(lambda: gone(pid), 10)


@on_linux
@pytest.mark.parametrize("trick", ["plain", "hang"])
def test_closing_ends_the_process_and_what_was_asked(attach, monkeypatch, trick: str) -> None:
    monkeypatch.setattr("hextui.engines.limits.END", 2.0 if trick == "plain" else 0.05)
    engine = attach(trick)
    heard = Heard(engine, SearchMoves(START))
    wait_for(lambda: bool(sent(engine, "kata-analyze")))
    pid = engine._session.process.pid
    engine.close()
    assert gone(pid)
    assert engine._thread not in threading.enumerate()
    assert isinstance(heard.rest()[-1], Failed)
    assert Heard(engine, SearchMoves(START)).next() == Failed("The engine is closed")


PARENT = """
import sys, time
from pathlib import Path
from hextui.engines.attached_engine import AttachedEngine
from hextui.engines.questions import SearchMoves
from tests.engines.attached.trickster import START, config
engine = AttachedEngine(config(sys.argv[1]))
engine.lane().ask(SearchMoves(START), lambda event: print(engine._session.process.pid, flush=True))
time.sleep(600)
"""


@on_linux
@pytest.mark.parametrize("trick", ["plain", "htp", "flood"])
def test_it_ends_with_a_parent_that_is_killed(trick: str) -> None:
    command = [sys.executable, "-c", PARENT, trick]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        wait_for(lambda: gone(pid), 20)
