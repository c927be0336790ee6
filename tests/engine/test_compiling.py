"""How kernels are compiled: both ways, what is kept on disk, what Python may not call."""

import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.kernels import refined, ways
from hextui.engine.kernels.connections.updates import play_own
from hextui.engine.kernels.views import int_view
from hextui.engine.kernels.ways import CompileWay
from tests.compiling import use_home
from tests.engine.test_sealed import Planted


def run(code: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a child with a home of its own; it is a file, as numba asks for one."""
    env = {**os.environ, "HEXTUI_HOME": str(home), **env}
    program = home / "program.py"
    program.write_text(code)
    return subprocess.run([sys.executable, program], env=env, capture_output=True, text=True)


@pytest.mark.parametrize("part", [play_own, int_view], ids=lambda part: part.__name__)
def test_a_part_called_by_python_raises(part) -> None:
    with pytest.raises(TypeError, match="is a part of kernels"):
        part((0, 0, 0))


IMPORTS = """
import os, sys
before = dict(os.environ)
import numba
names = [name for name in dir(numba.config) if name.isupper()]
settings = {name: getattr(numba.config, name) for name in names}
import hextui.engine.evaluators, hextui.engine.inferior, hextui.engine.solver.dfpn
assert dict(os.environ) == before
changed = [name for name in names if getattr(numba.config, name) != settings[name]]
assert not changed, changed
"""


@pytest.mark.parametrize("way", CompileWay)
def test_importing_changes_nothing_for_its_host(tmp_path: Path, way: CompileWay) -> None:
    done = run(IMPORTS, tmp_path, HEXTUI_COMPILER=way)
    assert not done.returncode, done.stderr


WORK = """
import numpy as np
from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.views import int_view, make_handle, real_view, word_view

@part
def _twice(room, place):
    return 2 * int_view(room)[place]

@kernel
def fill(room):
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    for i in range(4):
        ints[i + 4] = _twice(room, i)
    words[0] = np.uint64(len(room) - 2)
    reals[1] = 0.5
    return ints[7] + 1

ints, words = np.arange(8, dtype=np.int32), np.zeros(2, np.uint64)
print(fill(make_handle(ints, words, 2)), ints, words)
"""


def test_both_ways_and_checked_kernels_give_the_same_answers(tmp_path: Path) -> None:
    answers = []
    for way, checked in (
        (CompileWay.REFINED, "0"),
        (CompileWay.PUBLIC, "0"),
        (CompileWay.REFINED, "1"),
    ):
        for _ in range(2):  # compiled, then from disk
            done = run(WORK, tmp_path, HEXTUI_COMPILER=way, HEXTUI_CHECKED=checked)
            assert not done.returncode, done.stderr
            answers.append(done.stdout)
    assert len(set(answers)) == 1
    assert answers[0].startswith("7 [0 1 2 3 0 2 4 6]")


OUTSIDE = """
import numpy as np
from hextui.engine.kernels.compiling import kernel
from hextui.engine.kernels.views import int_view, make_handle, real_view, word_view

@kernel
def read(room, place):
    return int_view(room)[place], word_view(room)[place], real_view(room)[place]

@kernel
def write(room, place):
    word_view(room)[place] |= np.uint64(1)

@kernel
def beyond(array, place):
    return array[place]

room = make_handle(np.zeros(4, np.int32), np.zeros(4, np.uint64), 1)
read(room, 3), write(room, 3)
for place in (-1, 4, 1 << 40, -(1 << 40)):
    for call in (lambda: read(room, place), lambda: write(room, place),
                 lambda: beyond(np.zeros(4), place if place > 0 else -5)):
        try:
            call()
        except IndexError:
            print("refused")
"""


def test_checked_kernels_refuse_what_lies_outside(tmp_path: Path) -> None:
    done = run(OUTSIDE, tmp_path, HEXTUI_COMPILER=CompileWay.REFINED, HEXTUI_CHECKED="1")
    assert not done.returncode, done.stderr
    assert done.stdout.split() == 12 * ["refused"]


def test_the_trial_decides_and_its_outcome_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(monkeypatch, tmp_path)
    monkeypatch.delenv(ways.COMPILER, raising=False)
    ways._tried.cache_clear()
    assert ways.known_way() is None
    assert ways.way() is CompileWay.REFINED
    assert ways.known_way() is CompileWay.REFINED
    # a trial that fails, or crashes, leaves the public way
    use_home(monkeypatch, tmp_path / "other")
    monkeypatch.setattr(ways, "_TRIAL", "tests.no_such_module")
    ways._tried.cache_clear()
    assert ways.way() is CompileWay.PUBLIC
    assert ways.known_way() is CompileWay.PUBLIC
    ways._tried.cache_clear()


def test_an_unknown_way_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ways.COMPILER, "best")
    with pytest.raises(ValueError, match="HEXTUI_COMPILER is refined or public, not 'best'"):
        ways.way()


def test_damaged_code_is_compiled_again(tmp_path: Path) -> None:
    env = {"HEXTUI_COMPILER": CompileWay.REFINED, "HEXTUI_CHECKED": "0"}
    first = run(WORK, tmp_path, **env)
    files = list(tmp_path.rglob("*.code"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:-100])
    again = run(WORK, tmp_path, **env)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "damaged; it is compiled again" in again.stderr
    third = run(WORK, tmp_path, **env)
    assert (third.stdout, third.stderr) == (first.stdout, "")


def test_the_first_call_says_once_that_it_compiles(caplog: pytest.LogCaptureFixture) -> None:
    refined.say_that_it_compiles.cache_clear()
    with caplog.at_level(logging.WARNING, "hextui"):
        refined.say_that_it_compiles()
        refined.say_that_it_compiles()
    assert [record.name for record in caplog.records] == ["hextui"]
    assert np.all(["compiling" in record.getMessage() for record in caplog.records])


@pytest.mark.parametrize("kind", ["empty", "cut", "bytes", "folder", "pipe"])
def test_a_damaged_outcome_is_tried_again_and_written_anew(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ways.COMPILER, raising=False)
    outcome = tmp_path / "way"
    monkeypatch.setattr(ways, "_outcome_file", lambda: outcome)
    if kind == "folder":
        (outcome / "inside").mkdir(parents=True)
    elif kind == "pipe":
        os.mkfifo(outcome)
    else:
        outcome.write_bytes({"empty": b"", "cut": b"refi", "bytes": b"\xff\xfe"}[kind])
    assert ways.known_way() is None
    ways._write(outcome, CompileWay.PUBLIC)
    assert ways.known_way() is CompileWay.PUBLIC


@pytest.mark.parametrize("how", ["trusted", "loose folder", "loose top", "another user's file"])
def test_numba_unpickles_nothing_that_others_could_have_written(tmp_path: Path, how: str) -> None:
    """Nor does it if everything is compiled by its public options."""
    cache = tmp_path / "cache"

    def works() -> bool:
        done = run(WORK, tmp_path, HEXTUI_COMPILER="public")
        return done.returncode == 0 and not (tmp_path / "trap").exists()

    assert works()
    for path in cache.rglob("*.nbi"):
        path.write_bytes(pickle.dumps(Planted(tmp_path / "trap")))
        if how == "another user's file":
            if os.geteuid():
                pytest.skip("only root can give files away")
            os.chown(path, 65534, -1)
        folder = {"loose folder": path.parent, "loose top": cache}.get(how)
        if folder:
            folder.chmod(0o777)
            (cache / "kernels").chmod(0o755)
    for folder in (cache / "kernels").iterdir():
        folder.chmod(0o755)
    assert works() == (how != "trusted")
