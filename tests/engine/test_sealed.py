"""Compiled code on disk: whatever lies there, no command ends with it."""

import hashlib
import os
import pickle
import random
import shutil
import stat
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from pathlib import Path
from numba import njit
from hextui.engine.kernels.sealed import SealedCache

def add(a, b):
    return a + b

for folder in sys.argv[1:]:
    compiled = njit(add)
    compiled._cache = SealedCache(add, Path(folder))
    print(compiled(2, 3), compiled(0.5, 1.5), sum(compiled.stats.cache_hits.values()))
"""


def run(*folders, umask=-1):
    """Add in a process of its own, once a folder; returns how many of the two functions were on
    disk in each, and what was said."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *folders],
        capture_output=True,
        text=True,
        check=True,
        umask=umask,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:2] for line in lines] == [["5", "2.0"]] * len(folders)
    return [int(found) for _, _, found in lines], done.stderr


def flipped(data):
    at = random.Random(len(data)).randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def with_a_digest(data):
    code = pickle.dumps([1, 2, 3])
    return hashlib.sha256(code).digest() + code


DAMAGES = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "flipped": flipped,
    "longer": lambda data: data + b"\0",
    "random": lambda data: random.Random(1).randbytes(len(data)),
    "a wrong pickle": lambda data: b"\x80\x04}.",
    "a digest over something else": with_a_digest,
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


def test_what_cannot_be_loaded_is_compiled_again_with_one_line(whole, tmp_path):
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
    root = os.geteuid() == 0  # who reads all
    assert run(folder) == (([2], "") if root else ([0], told))
    assert run(folder) == ([2], "")


def test_a_file_in_the_place_of_the_folder(whole, tmp_path):
    (tmp_path / "kernels").write_text("")
    assert run(tmp_path / "kernels") == ([0], "")
    assert run(tmp_path / "kernels") == ([2], "")


def test_code_that_cannot_be_kept_is_told_of_once(tmp_path):
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


def modes(folder):
    return {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}


def test_code_is_for_the_user_alone_whatever_the_umask(tmp_path):
    assert run(tmp_path / "new" / "kernels", umask=0) == ([0], "")
    assert modes(tmp_path / "new") == {0o700, 0o600}


class Planted:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def plant(path, trap):
    code = pickle.dumps(Planted(trap))
    path.write_bytes(hashlib.sha256(code).digest() + code)


def linked(path):
    path.rename(path.parent.parent / path.name)
    path.symlink_to(path.parent.parent / path.name)


EXPOSED = {
    "to the group": lambda path: path.chmod(0o620),
    "to all": lambda path: path.chmod(0o606),
    "folder": lambda path: path.parent.chmod(0o777),
    "another user's": lambda path: os.chown(path, 65534, -1),
    "another user's folder": lambda path: os.chown(path.parent, 65534, -1),
    "link": linked,
}


@pytest.mark.parametrize("how", EXPOSED)
def test_code_that_others_could_have_written_is_not_loaded(whole, tmp_path, how):
    if "another" in how and os.geteuid():
        pytest.skip("only root can give files away")
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in list(folder.iterdir()):
        plant(path, tmp_path / "trap")
        EXPOSED[how](path)
    found, said = run(folder)
    assert found == [0]
    assert said.startswith(f"hextui: {folder}: compiled code ")
    assert said.count("\n") == 1 + ("folder" in how)  # and it is not kept there
    assert not (tmp_path / "trap").exists()


def test_the_trap_works(whole, tmp_path):
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in folder.iterdir():
        plant(path, tmp_path / "trap")
    run(folder)
    assert (tmp_path / "trap").exists()


def test_code_that_others_could_only_read_is_loaded(whole, tmp_path):
    folder = shutil.copytree(whole, tmp_path / "kernels")
    for path in folder.iterdir():
        path.chmod(0o644)
    assert run(folder) == ([2], "")
    assert modes(folder) - {stat.S_IMODE(folder.stat().st_mode)} == {0o600}
