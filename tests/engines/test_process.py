"""Our engine's process is asked, stopped, killed, refused and ended. Processes are real."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines import messages
from hextui.engines import process as module
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine import Answer, Done, EngineDiedError, EngineError, Failed, Interrupted
from hextui.engines.host import NICENESS, FrameWriter
from hextui.engines.process import COMMAND, EngineProcess
from hextui.engines.questions import Analyse, Judge, ListConnections, Proved, Trace, WhoWins
from tests.compiling import share_kernels
from tests.engines.event_collector import EventCollector
from tests.processes import gone, group_of, on_linux, wait_for
from tests.samples import some

NAMES = ("k-paths:0", "resistance")
BOARD = Board(4, 4)
POSITION = Position.empty(BOARD).play(5)
EVIL = Position.empty(BOARD).play(0)
JUDGE = Judge(POSITION, NAMES)
LONG = WhoWins(Position.empty(Board(11, 11)), Limit(seconds=600))

# code that runs in the process before each question
WITH = """
import os, signal, sys, time
from hextui.engines.answerer import OwnAnswerer
real = OwnAnswerer.answers
def answers(self, question, stop=lambda: False):
{body}
    yield from real(self, question, stop)
OwnAnswerer.answers = answers
from hextui.engines.host import main
main()
"""
DIES_WITH_A_STONE_ON_A1 = "    if question.position.stones[0]: os.kill(os.getpid(), signal.SIGKILL)"
PRINTS = "    print('printed'); os.write(1, b'written')"
IGNORES_STOP = """
    if question.position.stones[0]:
        yield None
        while True: time.sleep(0.01)
"""


def with_body(body: str) -> tuple[str, ...]:
    return (sys.executable, "-c", WITH.format(body=body))


def pid_of(engine: EngineProcess) -> int:
    wait_for(lambda: engine._ready)
    assert engine._process is not None
    return engine._process.pid


Make = Callable[..., EngineProcess]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[EngineProcess] = []

    def make_one(command: tuple[str, ...] = COMMAND) -> EngineProcess:
        made.append(EngineProcess(tmp_path / "state" / "engine.log", command))
        return made[-1]

    yield make_one
    for engine in made:
        engine.close()


@pytest.fixture
def engine(make: Make) -> EngineProcess:
    return make()


@pytest.fixture(scope="module", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep from the processes what those of an earlier run have solved."""
    home = tmp_path_factory.mktemp("home")
    share_kernels(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXTUI_HOME", str(home))
        yield


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    """One process for the tests that leave it as it was."""
    engine = EngineProcess(tmp_path_factory.mktemp("lasting") / "engine.log")
    yield engine
    engine.close()


@pytest.mark.parametrize(
    "question",
    [
        JUDGE,
        WhoWins(POSITION, Limit(nodes=1000)),
        Trace(Position.empty(Board(3, 3)), remember=False),
        ListConnections(POSITION, Color.WHITE, None, 2, 4),
    ],
    ids=lambda question: type(question).__name__,
)
def test_it_answers_as_the_engine_does_in_this_process(lasting: EngineProcess, question) -> None:
    *_, expected = OwnAnswerer().answers(question)
    *_, found = lasting.lane().answers(question)
    if isinstance(expected, Proved):
        found, expected = replace(found, seconds=0), replace(expected, seconds=0)
    assert found == expected


def test_an_analysis_improves_up_to_its_end_and_is_cached_in_its_lane(
    lasting: EngineProcess,
) -> None:
    lane, question = lasting.lane(), Analyse(POSITION, NAMES, "resistance")
    found = list(lane.answers(question))
    assert [snapshot.final for snapshot in found] == [False] * (len(found) - 1) + [True]
    assert list(found[-1].rankings) == list(NAMES)
    assert found[-1].lines is not None
    assert list(lane.answers(question)) == [found[-1]]
    again = list(lasting.lane().answers(question))
    assert again[-1].rankings == found[-1].rankings


def test_a_question_that_cannot_be_answered_fails_in_one_line(lasting: EngineProcess) -> None:
    lane = lasting.lane()
    with pytest.raises(EngineError, match=r"^no evaluator 'nobody'[^\n]*$"):
        list(lane.answers(Judge(POSITION, ("nobody",))))
    assert list(lane.answers(JUDGE))


def test_lanes_work_in_parallel_and_the_questions_of_a_lane_in_turn(lasting: EngineProcess) -> None:
    first, second, ears = lasting.lane(), lasting.lane(), [EventCollector(), EventCollector()]
    asked = first.ask(LONG, ears[0].heard.put)
    first.ask(JUDGE, ears[1].heard.put)
    assert list(second.answers(JUDGE))
    assert ears[1].heard.empty()
    asked.stop()
    ears[1].until(Done)
    first.ask(LONG, ears[0].heard.put)
    first.close()
    assert list(second.answers(JUDGE))
    assert ears[0].heard.empty()


def test_killed_at_work_it_is_restarted_and_answers(engine: EngineProcess) -> None:
    died: list[str] = []
    engine.on_death = died.append
    lane, ear = engine.lane(), EventCollector()
    *_, expected = lane.answers(JUDGE)
    engine.lane().ask(LONG, ear.heard.put)
    first = pid_of(engine)
    os.kill(first, signal.SIGKILL)
    line = "The engine was killed (SIGKILL) and is restarted"
    assert ear.until(Interrupted) == [Interrupted(line)]
    *_, found = engine.lane().answers(JUDGE)
    assert found == expected
    assert pid_of(engine) != first
    assert died == [line]


def test_killed_with_nothing_to_do_it_waits_for_the_next_question(engine: EngineProcess) -> None:
    lane = engine.lane()
    list(lane.answers(JUDGE))
    first = pid_of(engine)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: gone(first))
    assert list(lane.answers(JUDGE))


def test_a_position_it_dies_of_is_asked_three_times_until_the_user_insists(make: Make) -> None:
    engine = make(with_body(DIES_WITH_A_STONE_ON_A1))
    deaths: list[str] = []
    engine.on_death = deaths.append
    lane, other = engine.lane(), engine.lane()
    with pytest.raises(EngineDiedError, match="died 3 times at this position"):
        list(lane.answers(Judge(EVIL, NAMES)))
    assert list(other.answers(JUDGE))
    for again, died in ((False, 3), (True, 6)):
        with pytest.raises(EngineDiedError):
            list(lane.answers(Analyse(EVIL, NAMES, again=again)))
        wait_for(lambda: len(deaths) == died)  # noqa: B023  # reported after the refusal
    assert list(other.answers(JUDGE))


def test_it_has_said_that_it_runs_before_a_question_can_kill_it() -> None:
    written = io.BytesIO()
    FrameWriter(written, lost=lambda: None)
    written.seek(0)
    assert messages.read(written) == ()


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ((sys.executable, "-c", "import sys; sys.exit('a reason')"), "ended"),
        (("/no/such/program",), "cannot be started"),
        ((sys.executable, "-c", "print('Hello, this is no frame' * 99)"), "was killed|ended"),
    ],
)
def test_one_that_dies_before_its_first_answer_is_given_up(make: Make, command, cause: str) -> None:
    engine = make(command)
    lane = engine.lane()
    for question in (JUDGE, Judge(Position.empty(BOARD), NAMES)):
        with pytest.raises(EngineDiedError, match=cause) as error:
            list(lane.answers(question))
        assert "\n" not in str(error.value)
        assert str(engine.log) in str(error.value)
    if "a reason" in str(command):
        assert engine.log.read_text() == "a reason\n" * 3


def test_one_that_was_given_up_is_started_when_the_user_insists(make: Make, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    begins = f"import os, sys\nif not os.path.exists({str(flag)!r}): sys.exit(1)\n"
    engine = make((sys.executable, "-c", begins + WITH.format(body="    pass")))
    lane = engine.lane()
    for _ in range(2):
        with pytest.raises(EngineDiedError):
            list(lane.answers(JUDGE))
        flag.touch()
    assert list(lane.answers(Analyse(POSITION, NAMES, again=True)))[-1].final


def test_one_that_ignores_a_stop_is_killed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.ANSWER", 0.3)
    engine = make(with_body(IGNORES_STOP))
    lane, ear = engine.lane(), EventCollector()
    asked = lane.ask(Judge(EVIL, NAMES), ear.heard.put)
    first = pid_of(engine)
    ear.until(Answer)
    asked.stop()
    wait_for(lambda: gone(first))
    assert list(lane.answers(JUDGE))


@pytest.mark.parametrize(
    "before", some(["12345678901", "", None], 1), ids=["long", "empty", "unwritable"]
)
def test_what_it_prints_goes_to_the_log(
    make: Make, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.setattr(module, "LOG_BYTES", 10)
    engine = make(with_body(PRINTS))
    if before is None:
        engine.log.parent.write_text("")
    else:
        engine.log.parent.mkdir()
        engine.log.write_text(before)
    assert list(engine.lane().answers(JUDGE))
    engine.close()
    if before is not None:
        text = engine.log.read_text()
        assert "written" in text
        assert "12345678901" not in text  # a log that has grown too long is begun anew


@on_linux
def test_it_has_neither_the_terminal_nor_the_group_of_its_parent(engine: EngineProcess) -> None:
    list(engine.lane().answers(Judge(POSITION, ())))
    pid = pid_of(engine)
    assert os.getpgid(pid) == pid
    assert os.getpriority(os.PRIO_PROCESS, pid) >= NICENESS
    for number in (0, 1, 2):
        own, other = (os.readlink(f"/proc/{who}/fd/{number}") for who in ("self", pid))
        assert other in ("/dev/null", str(engine.log)), (own, other)


@on_linux
@pytest.mark.parametrize("compiling", [False, True], ids=["at work", "compiling"])
def test_closing_ends_it_at_once_whatever_it_does(
    engine: EngineProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiling: bool
) -> None:
    if compiling:
        monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    ear = EventCollector()
    engine.lane().ask(Analyse(POSITION, NAMES) if compiling else LONG, ear.heard.put)
    pid = pid_of(engine)
    wait_for(lambda: len(group_of(pid)) > compiling)
    engine.close()
    wait_for(lambda: not group_of(pid), 10)
    ear.until(Failed)
    with pytest.raises(EngineError):
        list(engine.lane().answers(JUDGE))


PARENT = """
import sys, time
from pathlib import Path
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engines.process import EngineProcess
from hextui.engines.questions import Analyse
engine = EngineProcess(Path(sys.argv[1]))
position = Position.empty(Board(11, 11))
engine.lane().ask(Analyse(position, ("blocking",)), lambda event: print(event, flush=True))
while not engine._ready: time.sleep(0.01)
print(engine._process.pid, flush=True)
time.sleep(600)
"""


@on_linux
@pytest.mark.parametrize("compiling", [False, True], ids=["at work", "compiling"])
def test_it_ends_with_a_parent_that_is_killed(tmp_path: Path, compiling: bool) -> None:
    env = {**os.environ, "HEXTUI_HOME": str(tmp_path)} if compiling else dict(os.environ)
    command = [sys.executable, "-c", PARENT, str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as parent:
        assert parent.stdout is not None
        pid = next(int(line) for line in parent.stdout if line.strip().isdigit())
        if compiling:
            wait_for(lambda: len(group_of(pid)) > 1)
        parent.kill()
        wait_for(lambda: not group_of(pid), 10)


def test_an_answer_that_waits_is_replaced_by_a_better_one(engine: EngineProcess) -> None:
    """At most about twenty answers a second come, however many there are."""
    ear = EventCollector()
    engine.lane().ask(Analyse(Position.empty(Board(6, 6)), NAMES, "resistance"), ear.heard.put)
    start = time.monotonic()
    answers = [event for event in ear.until(Done) if isinstance(event, Answer)]
    assert answers[-1].value.final
    assert len(answers) <= 2 + (time.monotonic() - start) / 0.04


FREEZES = """
import gc, weakref
from hextui.engines.host import freeze_objects
class Ring: pass
ring = Ring()
ring.itself = ring
gone = weakref.ref(ring)
freeze_objects()
assert gc.get_freeze_count() > 0
assert gone() is not None
del ring
freeze_objects()  # what has become garbage is found, though it was frozen
assert gone() is None
"""


def test_frozen_objects_are_not_visited_and_garbage_is_not_kept() -> None:
    """In a process of its own: this one has a million objects to visit."""
    subprocess.run([sys.executable, "-c", FREEZES], check=True)
