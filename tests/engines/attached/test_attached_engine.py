"""An engine that plays every trick we know of: it is asked, stopped, started again, asked again."""

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.move_scope import scope_of
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.attached.engine_config import AttachedConfig
from hextui.engines.attached.engine_session import Direction
from hextui.engines.engine import (
    Done,
    EngineDiedError,
    EngineError,
    Failed,
    Interrupted,
)
from hextui.engines.questions import Examine, Judge, WhoWins
from hextui.engines.snapshot import Examined
from tests.engines.attached.trickster import PLAYED, START, Heard, config, is_right, sent, visits
from tests.processes import gone, on_linux, wait_for


@pytest.mark.parametrize(
    "trick",
    [
        "plain",
        "interrupted",
        "late",
        "unterminated",
        "blank",
        "noise",
        "wrong order",
        "long",
        "slow",
    ],
)
def test_tricks_that_change_nothing(attach, monkeypatch, trick: str) -> None:
    monkeypatch.setattr("hextui.engines.limits.REST_OF_ANSWER", 0.05)
    engine = attach(trick)
    for position in (PLAYED, PLAYED.play("a1"), START.play("a1"), START):
        *answers, last, done = Heard(engine, Examine(position, visits(1))).rest()
        assert isinstance(done, Done)
        for event in (*answers, last):
            found = event.value
            assert is_right(found, position)
            assert found.moves[0].winrate == 0.75
            assert [m.line for m in found.moves] == [position.empties[:2], position.empties[1:2]]
            assert found.moves[0].prior == 0.5
            assert found.visits == found.moves[0].visits + 7
            assert len(found.ownership) == (25 if trick == "long" else 0)
        assert last.value.final


def test_it_goes_on_until_it_is_stopped_and_is_asked_the_next_at_once(attach) -> None:
    engine = attach("plain")
    first = Heard(engine, Examine(START))
    assert is_right(first.first(), START)
    assert is_right(first.first(), START)
    first.asked.stop()
    second = Heard(engine, Examine(PLAYED))
    assert is_right(second.first(), PLAYED)
    assert len(sent(engine, "stop")) == 1


def test_a_position_is_reached_by_few_commands(attach) -> None:
    engine = attach("plain")
    Heard(engine, Examine(PLAYED, visits(1))).rest()
    before = len(engine.traffic.lines(Direction.SENT))
    Heard(engine, Examine(PLAYED.play("e5"), visits(1))).rest()
    lines = [line.text.split(maxsplit=1)[1] for line in engine.traffic.lines(Direction.SENT)][
        before:
    ]
    assert lines == ["play white e5", "kata-analyze b 20 ownership true", "stop"]
    Heard(engine, Examine(PLAYED, visits(1), again=True)).rest()
    assert len(sent(engine, "undo")) == 1
    assert len(sent(engine, "boardsize")) == 1


def test_what_is_given_up_before_its_turn_is_never_sent(attach) -> None:
    engine = attach("plain")
    heard = []
    for cell in range(24):
        if heard:
            heard[-1].asked.stop()
        heard.append(Heard(engine, Examine(START.play(cell))))
    assert is_right(heard[-1].first(), START.play(23))
    for each in heard[:-1]:
        while not each.heard.empty():  # what came before it was given up
            assert each.heard.get().value.position == each.asked.question.position


def test_positions_that_are_passed_quickly_are_not_searched(attach, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.REST", 3600.0)
    engine = attach("plain")
    first = Heard(engine, Examine(START))
    first.first()
    first.asked.stop()
    passed = Heard(engine, Examine(PLAYED))
    wait_for(lambda: engine.state == "ready")
    passed.asked.stop()
    monkeypatch.setattr("hextui.engines.limits.REST", 0.0)
    rests = Heard(engine, Examine(PLAYED.play("a1")))
    assert is_right(rests.first(), PLAYED.play("a1"))
    assert len(sent(engine, "kata-analyze")) == 2


def test_what_was_answered_to_the_end_is_kept_unless_a_move_is_chosen(attach) -> None:
    engine = attach("plain")
    first = Heard(engine, Examine(PLAYED, visits(1))).rest()[-2:]
    assert Heard(engine, Examine(PLAYED, visits(1))).rest() == first
    assert len(sent(engine, "kata-analyze")) == 1
    for question in (Examine(PLAYED, visits(1), again=True), Examine(START, visits(1))):
        Heard(engine, question).rest()
    for _ in range(2):
        Heard(engine, Examine(PLAYED, visits(1), choose=True)).rest()
    assert len(sent(engine, "kata-analyze")) == 5
    stopped = Heard(engine, Examine(PLAYED.play("a1")))
    stopped.first()
    stopped.asked.stop()
    assert not Heard(engine, Examine(PLAYED.play("a1"))).first().final


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
def test_moves_may_be_left_out_or_chosen(attach, words: dict[str, str], told: str) -> None:
    engine = attach("plain")
    scope = scope_of(START.board, **words)
    Heard(engine, Examine(START, visits(1), scope)).rest()
    (line,) = sent(engine, "avoid")
    above = ",".join(f"{letter}{row}" for row in (1, 2, 3) for letter in "abcde")
    assert line.partition(" ownership true ")[2] == told.format(above=above)


def test_a_crash_in_the_middle_takes_time_and_nothing_else(attach) -> None:
    engine = attach("crash once")
    told = []
    engine.on_death = told.append
    heard = Heard(engine, Examine(PLAYED))
    events = [heard.next()]
    while not any(isinstance(event, Interrupted) for event in events):
        events.append(heard.next())
    assert events[-1].line == told[0]
    assert "exit code 139" in told[0]
    assert "what():  in the middle" in told[0]
    assert is_right(heard.first(), PLAYED)  # the stones were played again


def test_an_engine_that_dies_of_a_position_is_asked_three_times_and_then_about_others(
    attach,
) -> None:
    engine = attach("abort")
    events = Heard(engine, Examine(PLAYED)).rest()
    assert [type(event) for event in events] == [Interrupted, Interrupted, Failed]
    assert events[-1].died
    assert "exit code 134" in events[-1].line
    assert "vertex out of range" in events[-1].line
    with pytest.raises(EngineDiedError, match="not asked again"):
        list(engine.lane().answers(Examine(START)))


def test_an_engine_that_does_not_start_is_left_alone_until_it_is_wanted_again(attach) -> None:
    engine = attach("no start")
    for _ in range(2):
        *_, last = Heard(engine, Examine(START)).rest()
        assert last == Failed(
            "scripted ended (exit code 1); it said: usage: scripted --model FILE; "
            "it was tried 3 times",
            died=True,
        )
    assert len(sent(engine, "name")) <= 3
    engine.start()
    wait_for(lambda: engine._given_up)
    assert len(sent(engine, "name")) <= 6


def test_a_program_that_is_not_there(engines) -> None:
    engines.append(AttachedEngine(AttachedConfig("none", ("./no-such-program",))))
    *_, last = Heard(engines[0], Examine(START)).rest()
    assert "cannot be started: ./no-such-program: No such file" in last.line


@pytest.mark.parametrize("trick", ["hang", "deaf"])
def test_an_engine_that_hangs_is_started_again(attach, monkeypatch, trick: str) -> None:
    monkeypatch.setattr("hextui.engines.limits.ANSWER", 0.5)
    engine = attach(trick)
    heard = Heard(engine, Examine(START, visits(1)))
    events = heard.rest()
    assert any(isinstance(event, Interrupted) for event in events)
    assert isinstance(events[-1], Failed)
    assert "did not answer 'stop'" in events[-1].line


def test_limits(attach) -> None:
    engine = attach("plain", seconds=0.05)
    *_, last, _ = Heard(engine, Examine(START)).rest()
    assert last.value.final
    engine = attach("plain", visits=5)
    assert len(Heard(engine, Examine(START, Limit(seconds=60))).rest()) == 3


def test_boards_that_are_too_large_are_refused_and_the_next_is_answered(attach) -> None:
    engine = attach("plain", smallest=3)
    (failed,) = Heard(engine, Examine(Position.empty(Board(14, 14)))).rest()
    assert failed == Failed("scripted answers: unacceptable size")
    (failed,) = Heard(engine, Examine(Position.empty(Board(2, 5)))).rest()
    assert failed == Failed("scripted takes boards of 3 to 19 rows and columns, not 5x2")
    assert is_right(Heard(engine, Examine(PLAYED, visits(1))).first(), PLAYED)


def test_start_commands(attach) -> None:
    engine = attach("plain", start=("version", "foo"))
    (failed,) = Heard(engine, Examine(START)).rest()
    assert failed == Failed("scripted answers: unknown command, to the start command 'foo'")
    assert sent(engine, "version")


def test_a_finished_game_is_not_asked(attach) -> None:
    engine = attach("plain")
    over = Position.parse("BW / B.", "white")
    answer, _ = Heard(engine, Examine(over)).rest()
    assert answer.value == Examined(over, "scripted", winner=Color.BLACK, final=True)
    assert not engine.traffic.lines()


def test_it_judges_moves_as_an_evaluator_does(attach) -> None:
    engine = attach("plain", visits=1)
    (judged,) = engine.lane().answers(Judge(PLAYED, ("scripted",)))
    ranking = judged.rankings["scripted"]
    assert [(m.cell, m.value, m.rank) for m in ranking.moves] == [(0, 0.75, 1), (1, 0.25, 2)]
    assert ranking.note == "scripted looked at 2 of 22 moves"
    with pytest.raises(EngineError, match="does not answer WhoWins"):
        list(engine.lane().answers(WhoWins(PLAYED, Limit())))


def test_benzenes_search_is_interrupted_and_its_values_are_read(attach) -> None:
    engine = attach("htp", seconds=0.05)
    *shown, _, last, _ = Heard(engine, Examine(PLAYED)).rest()
    for event in shown:
        assert is_right(event.value, PLAYED)
        assert event.value.moves[0].winrate == 0.562
    (best,) = last.value.moves  # the others have stones
    assert (best.cell, best.visits, best.winrate) == (0, 2000, 0.625)
    assert len(sent(engine, "reg_genmove")) == 1
    with pytest.raises(EngineError, match="cannot be told which moves"):
        list(engine.lane().answers(Examine(PLAYED, scope=scope_of(PLAYED.board, avoid="a1"))))


@pytest.mark.parametrize("by_limit", [False, True])
def test_an_interrupt_that_is_lost_is_sent_again(attach, by_limit: bool) -> None:
    engine = attach("early", seconds=0.05 if by_limit else 60.0)
    heard = Heard(engine, Examine(PLAYED))
    assert is_right(heard.first(), PLAYED)
    if by_limit:
        assert isinstance(heard.rest()[-1], Done)
    else:
        heard.asked.stop()
    after = Heard(engine, Examine(PLAYED, choose=True))
    assert is_right(after.first(), PLAYED)
    lines = [line.text for line in engine.traffic.lines(Direction.SENT)]
    first = lines.index("# interrupt")
    second = next(
        place for place, line in enumerate(lines) if "reg_genmove" in line and place > first
    )
    between = lines[first:second]
    assert between.count("# interrupt") == 2
    # what is answered behind them shows that none is left for the next search
    assert between[2].endswith(" name")


def test_one_that_hears_no_interrupt_is_told_with_the_time_it_had(attach, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.ANSWER", 0.5)
    died: list[str] = []
    engine = attach("unheard", seconds=0.05)
    engine.on_death = died.append
    last = Heard(engine, Examine(PLAYED)).rest()[-1]
    assert isinstance(last, Failed)
    assert len(died) == 3
    assert all("did not answer '# interrupt' in 0.5 s" in line for line in died)


def test_what_an_engine_has_proved_of_moves_is_asked_for(attach) -> None:
    engine = attach("prover", seconds=0.05)
    *_, last, _ = Heard(engine, Examine(PLAYED)).rest()
    board = PLAYED.board
    proved = {board.name(m.cell): m.proved for m in last.value.moves if m.proved is not None}
    assert proved == {"b1": True, "c1": False}  # d4 has a stone
    assert last.value.moves[0].cell == PLAYED.empties[0]


def test_one_that_shows_its_analysis_is_asked_for_that_and_chooses_moves_for_players(
    attach,
) -> None:
    engine = attach("prover", seconds=0.05)
    *_, last, _ = Heard(engine, Examine(PLAYED)).rest()
    assert last.value.moves[0].winrate == 0.562
    assert not sent(engine, "reg_genmove")
    *_, last, _ = Heard(engine, Examine(PLAYED, choose=True)).rest()
    assert len(sent(engine, "reg_genmove")) == len(sent(engine, "gogui-gfx-analyze")) == 1


def test_benzenes_search_is_given_up(attach) -> None:
    engine = attach("htp")
    heard = Heard(engine, Examine(PLAYED))
    assert is_right(heard.first(), PLAYED)
    heard.asked.stop()
    after = Heard(engine, Examine(START))
    assert is_right(after.first(), START)
    assert [line.text for line in engine.traffic.lines(Direction.SENT)].count("# interrupt") == 1


@on_linux
def test_closing_ends_the_process_and_what_was_asked(engines) -> None:
    engine = AttachedEngine(config("plain"))
    heard = Heard(engine, Examine(START))
    heard.first()
    pid = engine.pid
    assert pid is not None
    engine.close()
    wait_for(lambda: gone(pid))
    assert isinstance(heard.rest()[-1], Failed | Done)
    assert Heard(engine, Examine(START)).next() == Failed("The engine is closed")
