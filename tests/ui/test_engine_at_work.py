"""The real program and its engine, in a pseudo terminal: killed, compiling, left."""

import contextlib
import os
import re
import signal

import pytest

from hextui.records.codecs.sgf import write_sgf
from tests.compiling import compile_kernels, share_kernels
from tests.processes import children_of, gone, group_of, libraries_of, on_linux, state_of, wait_for
from tests.samples import some

from .helpers import game
from .program import WHOLE, Program

pytestmark = on_linux
LONG = 120  # seconds after which the engine is taken for hung
ANALYSED = re.compile(rb"(?<![Nn]ot )analysed")


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    compile_kernels()


@pytest.fixture
def home(tmp_path):
    """A home of its own that has the compiled kernels of all tests."""
    share_kernels(tmp_path / "home")
    return tmp_path / "home"


@contextlib.contextmanager
def opened(home, tmp_path, *moves, side=5):
    """Run the program on a game; what it has started must end with it."""
    path = tmp_path / "game.sgf"
    path.write_text(write_sgf(game(*moves, side=side).record))
    with Program(home, str(path), columns=140, rows=45, code=WHOLE) as program:
        program.wait_for_text(b"game.sgf")
        yield program
        started = children_of(program.pid)
    for pid in started:
        wait_for(lambda pid=pid: not group_of(pid))  # type: ignore[misc]


def engine_of(program):
    """Return the engine's process, once it is there."""
    program.wait_for(lambda: children_of(program.pid))
    (pid,) = children_of(program.pid)
    return pid


def analysed(program, patience=LONG):
    """Read on until the position that is shown from now on has been analysed."""
    program.output = b""
    program.wait_for(lambda: ANALYSED.search(program.output), patience)


def test_the_engine_pauses_while_the_program_is_stopped(home, tmp_path):
    with opened(home, tmp_path, "a1", "b1", "a2", "c2", side=3) as program:
        analysed(program)
        engine = engine_of(program)
        os.kill(program.pid, signal.SIGTSTP)
        program.wait_for(lambda: state_of(program.pid) == "T")
        program.wait_for(lambda: state_of(engine) == "T")
        os.kill(program.pid, signal.SIGCONT)
        program.wait_for(lambda: state_of(engine) != "T")


def test_the_screens_process_never_has_numba(home, tmp_path):
    with opened(home, tmp_path, "a1", "b1", "a2", "c2", side=3) as program:
        analysed(program)
        for keys, seen in (
            (b"&", b"visited"),
            (b"\x1b", b"analysed"),
            (b"a", b"the win away"),
            (b"L", b"library"),
        ):
            program.output = b""
            program.keys(keys)
            program.wait_for(lambda seen=seen: seen in program.output, LONG)
        engine = engine_of(program)
        for library in ("/numba/", "/llvmlite/", "/numpy/"):
            assert library in libraries_of(engine)
            assert library not in libraries_of(program.pid)


def test_an_engine_killed_at_work_costs_an_answer_and_nothing_else(home, tmp_path):
    with opened(home, tmp_path, "c3", side=11) as program:
        engine = engine_of(program)
        program.keys(b"G\x1b[C\r")
        program.wait_for_text(b"game.sgf *")
        program.output = b""
        program.keys(b"p")  # back, so that it has something to do
        program.wait_for(lambda: b"searching," in program.output, LONG)
        os.kill(engine, signal.SIGKILL)
        program.wait_for_text(b"The engine was killed (SIGKILL)")
        assert gone(engine)
        program.output = b""
        program.wait_for(lambda: b"searching," in program.output, LONG)
        assert engine_of(program) != engine
        program.keys(b"u")  # the history of edits is there
        program.wait_for(lambda: b"game.sgf *" not in program.output.rpartition(b"game.sgf")[2])
        program.keys(b"q")
        assert program.wait() == 0


@pytest.mark.parametrize("number", some([signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], 1))
def test_the_engine_ends_with_a_program_that_is_ended(home, tmp_path, number):
    with opened(home, tmp_path, side=11) as program:
        engine = engine_of(program)
        program.kill(number)
        wait_for(lambda: gone(engine))


def test_leaving_while_it_compiles_ends_all_that_was_started(tmp_path):
    with opened(tmp_path / "empty", tmp_path) as program:
        program.wait_for(lambda: b"compiling" in program.output, LONG)
        engine = engine_of(program)
        wait_for(lambda: len(group_of(engine)) > 1)
        program.keys(b"q")
        assert program.wait() == 0
        wait_for(lambda: not group_of(engine))


@pytest.mark.slow
def test_an_engine_killed_while_it_compiles_leaves_code_that_can_be_used(tmp_path):
    home = tmp_path / "empty"
    with opened(home, tmp_path, side=3) as program:
        for _ in range(2):  # after a third one it would not be asked again
            program.output = b""
            program.wait_for(lambda: b"compiling" in program.output, LONG)
            engine = engine_of(program)
            wait_for(lambda engine=engine: len(group_of(engine)) > 1)  # type: ignore[misc]
            os.kill(engine, signal.SIGKILL)
            wait_for(lambda engine=engine: not group_of(engine))  # type: ignore[misc]
        analysed(program, 20 * LONG)
        program.keys(b"q")
        assert program.wait() == 0
    with opened(home, tmp_path, side=3) as program:
        analysed(program)
        assert b"compiling" not in program.output
