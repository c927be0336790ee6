"""How kernels are compiled: both compilers, checked kernels, folders, parts."""

import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hextui
from hextui.engine.kernels import compiling, folders
from hextui.engine.kernels.connections.updates import play_stones
from hextui.engine.kernels.folders import Compiler
from hextui.engine.kernels.memory import int_view
from tests.compiling import use_home


def run(code: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a child with a home of its own; numba needs a file."""
    env = {**os.environ, "HEXTUI_HOME": str(home), **env}
    program = home / "program.py"
    program.write_text(code)
    return subprocess.run([sys.executable, program], env=env, capture_output=True, text=True)


@pytest.mark.parametrize("part", [play_stones, int_view], ids=lambda part: part.__name__)
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


@pytest.mark.parametrize("compiler", Compiler)
def test_importing_changes_nothing_for_its_host(tmp_path: Path, compiler: Compiler) -> None:
    done = run(IMPORTS, tmp_path, HEXTUI_COMPILER=compiler)
    assert not done.returncode, done.stderr


WORK = """
import numpy as np
from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import int_view, make_handle, real_view, word_view

@part
def _twice(memory, place):
    return 2 * int_view(memory)[place]

@kernel
def fill(memory):
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
    for i in range(4):
        ints[i + 4] = _twice(memory, i)
    words[0] = np.uint64(len(memory) - 2)
    reals[1] = 0.5
    return ints[7] + 1

ints, words = np.arange(8, dtype=np.int32), np.zeros(2, np.uint64)
print(fill(make_handle(ints, words, 2)), ints, words)
"""


def test_both_compilers_and_checked_kernels_give_the_same_answers(tmp_path: Path) -> None:
    for compiler, checked in ((Compiler.REFINED, 0), (Compiler.PUBLIC, 0), (Compiler.REFINED, 1)):
        for _ in range(2):  # compiled, then from disk
            done = run(WORK, tmp_path, HEXTUI_COMPILER=compiler, HEXTUI_CHECKED=str(checked))
            assert done.stdout.startswith("7 [0 1 2 3 0 2 4 6] [  "), done.stderr


OUTSIDE = """
import numpy as np
from hextui.engine.kernels.compiling import kernel
from hextui.engine.kernels.memory import int_view, make_handle, real_view, word_view

@kernel
def read(memory, place):
    return int_view(memory)[place], word_view(memory)[place], real_view(memory)[place]

@kernel
def write(memory, place):
    word_view(memory)[place] |= np.uint64(1)

@kernel
def beyond(array, place):
    return array[place]

memory = make_handle(np.zeros(4, np.int32), np.zeros(4, np.uint64), 1)
read(memory, 3), write(memory, 3)
for place in (-1, 4, 1 << 40, -(1 << 40)):
    for call in (lambda: read(memory, place), lambda: write(memory, place),
                 lambda: beyond(np.zeros(4), place if place > 0 else -5)):
        try:
            call()
        except IndexError:
            print("refused")
"""


def test_checked_kernels_refuse_what_lies_outside(tmp_path: Path) -> None:
    done = run(OUTSIDE, tmp_path, HEXTUI_COMPILER=Compiler.REFINED, HEXTUI_CHECKED="1")
    assert done.stdout.split() == 12 * ["refused"], done.stderr


def test_the_first_call_warns_once_that_it_compiles(caplog: pytest.LogCaptureFixture) -> None:
    compiling.warn_of_compiling.cache_clear()
    with caplog.at_level(logging.WARNING, "hextui"):
        compiling.warn_of_compiling()
        compiling.warn_of_compiling()
    [record] = caplog.records
    assert record.name == "hextui"
    assert "compiling" in record.getMessage()


@pytest.mark.parametrize(
    ("version", "compiler"),
    [("0.68.0", Compiler.REFINED), ("0.68.9", Compiler.REFINED), ("0.69.0", Compiler.PUBLIC)],
)
def test_private_names_are_used_with_tested_versions_of_numba_alone(
    version: str, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(folders.COMPILER, raising=False)
    monkeypatch.setattr("importlib.metadata.version", lambda package: version)
    folders._tested_compiler.cache_clear()
    assert folders.compiler() is compiler
    folders._tested_compiler.cache_clear()


def test_an_unknown_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.COMPILER, "best")
    with pytest.raises(ValueError, match="HEXTUI_COMPILER is refined or public, not 'best'"):
        folders.compiler()


NAMES = """
from hextui.engine.kernels.folders import compiled_folder, solver_folder
print(compiled_folder(), solver_folder(), sep="\\n")
"""


def names_of(place: Path, compiler: str = "refined") -> list[str]:
    """Return the folders of the kernels, and of the solver's, of the sources at a place."""
    env = {**os.environ, "PYTHONPATH": str(place), "HEXTUI_COMPILER": compiler}
    command = [sys.executable, "-c", NAMES]
    return subprocess.check_output(command, cwd=place, env=env, text=True).splitlines()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    shutil.copytree(Path(hextui.__file__).parent, tmp_path / "hextui")
    return tmp_path


def test_the_same_sources_elsewhere_share_their_compiled_code(elsewhere: Path) -> None:
    here = Path(hextui.__file__).parents[1]
    assert names_of(elsewhere) == names_of(here)
    # numba's own cache depends on the path of the source
    assert not set(names_of(elsewhere, "public")) & set(names_of(here, "public"))


@pytest.mark.parametrize("name", ["memory", "connections/and_rule", "solver/dfpn"])
def test_a_change_of_a_kernel_names_another_folder(elsewhere: Path, name: str) -> None:
    before = names_of(elsewhere)
    with (elsewhere / f"hextui/engine/kernels/{name}.py").open("a") as source:
        source.write("\n# changed\n")
    after = names_of(elsewhere)
    assert (after[0] == before[0]) == (name == "solver/dfpn")
    assert after[1] != before[1]


def test_only_folders_that_are_unused_for_weeks_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(monkeypatch, tmp_path)
    kernels = tmp_path / "cache" / "kernels"
    old = time.time() - folders.KEPT_SECONDS - 60
    for name, used in (("old", old), ("recent", time.time() - 3600)):
        (kernels / name).mkdir(parents=True)
        (kernels / name / "kernel").write_bytes(b"code")
        (kernels / name / folders.USED).touch()
        os.utime(kernels / name / folders.USED, (used, used))
    (kernels / "no-stamp").mkdir()
    os.utime(kernels / "no-stamp", (old, old))
    mine = kernels / "mine"
    folders.note_use(mine)
    os.utime(mine / folders.USED, (old, old))
    folders.note_use(mine)
    folders.drop_unused_folders()
    assert {folder.name for folder in kernels.iterdir()} == {"recent", "mine"}
