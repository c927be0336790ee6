"""The program as a process: killed, ended by the system, stopped, crashed."""

import os
import random
import signal
import time
from contextlib import contextmanager

import pytest

from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.ui.safety import recovery
from tests.processes import on_linux
from tests.samples import seeds, some

from .helpers import game
from .program import CRASH, LEAVES, SCRIPT, Program, read_for

# No signal tells of the end of a terminal that is not the process's own.
DETACHED = """
import fcntl, signal, termios
signal.signal(signal.SIGHUP, signal.SIG_IGN)
fcntl.ioctl(0, termios.TIOCNOTTY)
"""
# a key holds up the event loop for good
HANGS = f"""
import threading
{SCRIPT.replace("1 / 0", "threading.Event().wait()")}"""
KEY_CRASH = f"""
from textual import _xterm_parser
feed = _xterm_parser.XTermParser.feed
_xterm_parser.XTermParser.feed = lambda parser, data: 1 / 0 if "T" in data else feed(parser, data)
{SCRIPT}"""


WHOLE_SCREEN = (b"game.sgf", b"GAME", b"HERE", b"Moves")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(write_sgf(game("c3", side=11).record))
    return path


def kept(home):
    """Return what a dead program left in its recovery file."""
    (path,) = recovery.left_behind(home / "state" / "recovery")
    return recovery.read(path).session()


def turns(session):
    return sum(1 for node in session.record.main_line() if node.turn)


def plays(home, file, seed):
    """Kill the program while moves are being played; what is a second old must be there."""
    rng = random.Random(seed)
    with Program(home, file) as program:
        program.wait_for_text(b"starting")
        program.keys(b"G")
        times = []
        for ply in range(2, rng.randint(3, 6)):
            program.keys(b"\x1b[C\r")  # to the right, and play
            program.wait_for_text(b"m%d. " % ply)
            times.append(time.monotonic())
            time.sleep(rng.choice((0.0, 0.02, 0.3)))
        time.sleep(rng.uniform(0.9, 1.3))
        killed = time.monotonic()
        for _ in range(rng.randint(0, 3)):  # and some that are younger
            program.keys(b"\x1b[C\r")
            time.sleep(rng.uniform(0, 0.05))
        assert program.kill(signal.SIGKILL) == -signal.SIGKILL
        return sum(killed - at >= 1 for at in times)


def check_kill(home, file, seed):
    old = plays(home, file, seed)
    session = kept(home)
    found = turns(session)
    assert found >= 1 + old
    assert session.path == file
    cells = [node.turn.move.cell for node in session.record.main_line() if node.turn]
    assert cells[1:] == list(range(cells[1], cells[1] + found - 1))  # one beside the other
    for left in recovery.left_behind(home / "state" / "recovery"):
        left.unlink()


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_edits_outlive_a_killed_program(tmp_path, file, seed):
    check_kill(tmp_path, file, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_edits_outlive_a_program_killed_fifty_times(tmp_path, file, seed):
    check_kill(tmp_path, file, seed)


def test_the_next_start_offers_the_record_as_it_was(tmp_path, file):
    plays(tmp_path, file, 0)
    session = kept(tmp_path)
    with Program(tmp_path) as program:
        program.save_recovered(b"game.sgf")
        assert LEAVES in program.output
    assert write_sgf(read_record(file)) == write_sgf(session.record)
    assert list((tmp_path / "state" / "recovery").glob("*.json")) == []


@contextmanager
def edited(home, file, code=SCRIPT):
    """Run the program and play a move, which must be there after its end."""
    with Program(home, file, code=code) as program:
        program.wait_for_text(b"starting")
        program.keys(b"G\x1b[C\r")
        program.wait_for_text(b"game.sgf *")
        yield program
    assert turns(kept(home)) == 2


@pytest.mark.parametrize("number", some([signal.SIGTERM, signal.SIGHUP], 1))
def test_the_system_ends_the_program(tmp_path, file, number):
    with edited(tmp_path, file) as program:
        assert program.kill(number) == 128 + number
        assert LEAVES in program.output


@pytest.mark.parametrize("before", ["", DETACHED], ids=["signal", "no-signal"])
def test_the_program_ends_with_its_terminal(tmp_path, file, before):
    with edited(tmp_path, file, before + SCRIPT) as program:
        program.hang_up()
        assert program.wait() == 128 + signal.SIGHUP


def test_a_second_request_ends_a_program_that_hangs(tmp_path, file):
    with edited(tmp_path, file, HANGS) as program:
        program.keys(CRASH)
        read_for(program, 0.3)
        for _ in range(2):
            os.kill(program.pid, signal.SIGTERM)
            read_for(program, 0.1)  # two at once are one
        assert program.wait() == 128 + signal.SIGTERM
        assert LEAVES in program.output


@pytest.mark.parametrize("before", ["", DETACHED], ids=["signal", "no-signal"])
def test_a_program_that_hangs_ends_with_its_terminal(tmp_path, file, before):
    with edited(tmp_path, file, before + HANGS) as program:
        program.keys(CRASH)
        read_for(program, 0.3)
        program.hang_up()
        assert program.wait() == 128 + signal.SIGHUP


def test_a_program_whose_terminal_reads_nothing_ends_with_it(tmp_path, file):
    with edited(tmp_path, file) as program:
        for _ in range(30):
            program.keys(b"m\x12")  # each paints the whole screen
        time.sleep(0.5)
        program.hang_up()
        assert program.wait() == 128 + signal.SIGHUP


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_after_a_stop_the_whole_screen_is_drawn_again(tmp_path, file, number):
    with Program(tmp_path, file) as program:
        program.wait_for_text(b"starting")
        for _ in range(2):
            read_for(program, 0.3)
            program.output = b""
            os.kill(program.pid, number)
            assert os.WIFSTOPPED(os.waitpid(program.pid, os.WUNTRACED)[1])
            if number == signal.SIGTSTP:
                program.wait_for_text(LEAVES)
            program.output = b""
            os.kill(program.pid, signal.SIGCONT)
            program.wait_for(lambda: all(text in program.output for text in WHOLE_SCREEN))
        program.keys(b"q")
        assert program.wait() == 0


@on_linux
def test_a_program_that_nobody_stopped_goes_on(tmp_path, file):
    with Program(tmp_path, file) as program:
        program.wait_for_text(b"starting")
        threads = len(os.listdir(f"/proc/{program.pid}/task"))
        for _ in range(5):
            read_for(program, 0.2)
            program.output = b""
            os.kill(program.pid, signal.SIGCONT)
            program.wait_for(lambda: all(text in program.output for text in WHOLE_SCREEN))
        assert len(os.listdir(f"/proc/{program.pid}/task")) < threads + 5  # some start late
        program.keys(b"q")
        assert program.wait() == 0


def test_bytes_that_are_no_text_are_not_the_end(tmp_path, file):
    with Program(tmp_path, file) as program:
        program.wait_for_text(b"starting")
        program.keys(b"\xff\xe4\xc3\x1b[200~\x80\x1b[201~G\x1b[C\r")
        program.wait_for_text(b"game.sgf *")
        program.kill(signal.SIGTERM)
    assert turns(kept(tmp_path)) == 2


@pytest.mark.parametrize("code", [SCRIPT, KEY_CRASH], ids=["of an action", "of the key thread"])
def test_a_crash_leaves_the_terminal_clean_and_names_its_log(tmp_path, file, code):
    with edited(tmp_path, file, code) as program:
        program.keys(CRASH)
        assert program.wait() == 1
        after = program.output.rpartition(LEAVES)[2]
    (log,) = (tmp_path / "state").glob("crash-*.log")
    assert "ZeroDivisionError" in log.read_text()
    assert str(log).encode() in after
    assert after.count(b"\n") == 1
    assert b"Traceback" not in after


def test_two_programs_leave_each_others_files_alone(tmp_path, file):
    with edited(tmp_path, file) as first:
        first.wait_for(lambda: list(tmp_path.glob("state/recovery/*.json")))
        with Program(tmp_path) as second:
            second.wait_for_text(b"untitled")
            second.keys(b"q")
            assert second.wait() == 0
            assert b"before" not in second.output
        first.kill(signal.SIGKILL)
