"""Compiled code on disk: no damaged or foreign file ends a command or runs."""

import hashlib
import os
import pickle
import random
import shutil
import stat
import subprocess
import sys

import pytest

from tests.engine.test_compiling import WORK
from tests.engine.test_compiling import run as run_program
from tests.samples import some

SCRIPT = """
import sys
from pathlib import Path
from numba import njit
from hextui.engine.kernels.compiling import CodeCache

def add(a, b):
    return a + b

for folder in sys.argv[1:]:
    compiled = njit(add)
    compiled._cache = CodeCache(add, Path(folder))
    print(compiled(2, 3), compiled(0.5, 1.5), sum(compiled.stats.cache_hits.values()))
"""


def run(*folders, umask=-1):
    """Add in a child, once a folder; return how many of the two codes each had, and stderr."""
    command = [sys.executable, "-c", SCRIPT, *folders]
    done = subprocess.run(command, capture_output=True, text=True, check=True, umask=umask)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:2] for line in lines] == [["5", "2.0"]] * len(folders)
    return [int(found) for _, _, found in lines], done.stderr


def flipped(data):
    at = random.Random(len(data)).randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def sealed(code):
    return hashlib.sha256(code).digest() + code


DAMAGES = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "flipped": flipped,
    "longer": lambda data: data + b"\0",
    "random": lambda data: random.Random(1).randbytes(len(data)),
    "a wrong pickle": lambda data: b"\x80\x04}.",
    "a digest over something else": lambda data: sealed(pickle.dumps([1, 2, 3])),
}
IN_ITS_PLACE = {
    "folder": lambda path: (path / "inside").mkdir(parents=True),
    "pipe": os.mkfifo,
    "link to nowhere": lambda path: path.symlink_to(path.parent / "nowhere"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "kernels"
    assert run(folder) == ([0], "")
    assert run(folder) == ([2], "")
    return folder


def test_code_that_cannot_be_loaded_is_compiled_again_with_one_line(whole, tmp_path):
    folders = [shutil.copytree(whole, tmp_path / name) for name in (*DAMAGES, *IN_ITS_PLACE)]
    for folder in folders:
        for path in list(folder.iterdir()):
            if folder.name in DAMAGES:
                path.write_bytes(DAMAGES[folder.name](path.read_bytes()))
            else:
                path.unlink()
                IN_ITS_PLACE[folder.name](path)
    found, said = run(*folders)
    assert found == [0] * len(folders)
    assert said.splitlines() == [
        f"hextui: {folder}: compiled code was damaged; it is compiled again" for folder in folders
    ]
    assert run(*folders) == ([2] * len(folders), "")
    assert [len(list(folder.iterdir())) for folder in folders] == [2] * len(folders)


def test_code_that_cannot_be_read_is_compiled_again(whole, tmp_path):
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in folder.iterdir():
        path.chmod(0)
    told = f"hextui: {folder}: compiled code was damaged; it is compiled again\n"
    root = os.geteuid() == 0  # reads everything
    assert run(folder) == (([2], "") if root else ([0], told))
    assert run(folder) == ([2], "")


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "kernels").write_text("")
    assert run(tmp_path / "kernels") == ([0], "")
    assert run(tmp_path / "kernels") == ([2], "")


def test_code_that_cannot_be_kept_is_reported_once(tmp_path):
    (tmp_path / "file").write_text("")
    found, said = run(tmp_path / "file" / "kernels")
    assert found == [0]
    assert said.startswith(f"hextui: {tmp_path}/file/kernels: compiled code cannot be kept: ")
    assert said.count("\n") == 1


def test_two_programs_that_compile_at_once_keep_both_works(tmp_path):
    children = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, tmp_path / "k"], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [child.communicate()[0].split()[:2] for child in children] == [[b"5", b"2.0"]] * 2
    assert run(tmp_path / "k") == ([2], "")


def test_a_program_with_damaged_kernels_compiles_them_again(tmp_path):
    env = {"HEXTUI_COMPILER": "refined", "HEXTUI_CHECKED": "0"}
    first = run_program(WORK, tmp_path, **env)
    files = list(tmp_path.rglob("*.code"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:-100])
    again = run_program(WORK, tmp_path, **env)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "damaged; it is compiled again" in again.stderr
    third = run_program(WORK, tmp_path, **env)
    assert (third.stdout, third.stderr) == (first.stdout, "")


def modes(folder):
    return {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}


def test_code_is_for_the_user_alone_whatever_the_umask(tmp_path):
    assert run(tmp_path / "new" / "kernels", umask=0) == ([0], "")
    assert modes(tmp_path / "new") == {0o700, 0o600}


def test_code_that_others_could_only_read_is_loaded(whole, tmp_path):
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in folder.iterdir():
        path.chmod(0o644)
    assert run(folder) == ([2], "")
    assert modes(folder) - {stat.S_IMODE(folder.stat().st_mode)} == {0o600}


class Planted:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def linked(path):
    path.rename(path.parent.parent / path.name)
    path.symlink_to(path.parent.parent / path.name)


EXPOSED = {
    "to nobody": lambda path: None,  # the trap works
    "to the group": lambda path: path.chmod(0o620),
    "to all": lambda path: path.chmod(0o606),
    "folder": lambda path: path.parent.chmod(0o777),
    "another user's": lambda path: os.chown(path, 65534, -1),
    "another user's folder": lambda path: os.chown(path.parent, 65534, -1),
    "link": linked,
}


@pytest.mark.parametrize("how", some(EXPOSED, 3))
def test_code_that_others_could_have_written_is_not_loaded(whole, tmp_path, how):
    if "another" in how and os.geteuid():
        pytest.skip("only root can give files away")
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in list(folder.iterdir()):
        path.write_bytes(sealed(pickle.dumps(Planted(tmp_path / "trap"))))
        EXPOSED[how](path)
    found, said = run(folder)
    assert found == [0]
    assert said.startswith(f"hextui: {folder}: compiled code ")
    assert said.count("\n") == 1 + ("folder" in how)  # and it is not kept there
    assert (tmp_path / "trap").exists() == (how == "to nobody")


@pytest.mark.parametrize(
    "how", some(("loose folder", "trusted", "loose top", "another user's file"), 1)
)
def test_numba_unpickles_nothing_that_others_could_have_written(tmp_path, how):
    """Nor does it if everything is compiled by its public options."""
    cache = tmp_path / "cache"

    def works() -> bool:
        done = run_program(WORK, tmp_path, HEXTUI_COMPILER="public")
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
