"""Compiled code on disk: whatever lies there, no command ends with it."""

import os
import random
import shutil
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

compiled = njit(add)
compiled._cache = SealedCache(add, Path(sys.argv[1]))
print(compiled(2, 3), compiled(0.5, 1.5), sum(compiled.stats.cache_hits.values()))
"""


def run(folder):
    """Add in a process of its own; returns how many of the two functions were on disk, and
    what was said."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)], capture_output=True, text=True, check=True
    )
    three, two, found = done.stdout.split()
    assert (three, two) == ("5", "2.0")
    return int(found), done.stderr


def flipped(data):
    at = random.Random(len(data)).randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


DAMAGES = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "flipped": flipped,
    "longer": lambda data: data + b"\0",
    "random": lambda data: random.Random(1).randbytes(len(data)),
    "a wrong pickle": lambda data: b"\x80\x04}.",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "kernels"
    assert run(folder) == (0, "")
    assert run(folder) == (2, "")
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "kernels")


def heals(folder):
    found, said = run(folder)
    assert found == 0
    assert said == f"hextui: {folder}: compiled code was damaged; it is compiled again\n"
    assert run(folder) == (2, "")
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code_is_compiled_again_with_one_line(folder, damage):
    for path in folder.iterdir():
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    heals(folder)


def test_a_digest_over_something_else_altogether(folder):
    import hashlib
    import pickle

    for path in folder.iterdir():
        code = pickle.dumps([1, 2, 3])
        path.write_bytes(hashlib.sha256(code).digest() + code)
    heals(folder)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to nowhere", "unreadable"])
def test_something_else_in_the_place_of_a_file(folder, kind):
    for path in list(folder.iterdir()):
        if kind == "unreadable":
            path.chmod(0)
            continue
        path.unlink()
        if kind == "folder":
            (path / "inside").mkdir(parents=True)
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(folder / "nowhere")
    if kind == "unreadable" and os.geteuid() == 0:
        assert run(folder) == (2, "")  # the superuser reads all
    else:
        heals(folder)


def test_a_file_in_the_place_of_the_folder(whole, tmp_path):
    (tmp_path / "kernels").write_text("")
    assert run(tmp_path / "kernels") == (0, "")
    assert run(tmp_path / "kernels") == (2, "")


def test_code_that_cannot_be_kept_is_told_of_once(tmp_path):
    (tmp_path / "file").write_text("")
    found, said = run(tmp_path / "file" / "kernels")
    assert found == 0
    assert said.startswith(f"hextui: {tmp_path}/file/kernels: compiled code cannot be kept: ")
    assert said.count("\n") == 1


def test_two_programs_that_compile_at_once_keep_both_works(tmp_path):
    children = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, tmp_path / "k"], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [child.communicate()[0].split()[:2] for child in children] == [[b"5", b"2.0"]] * 2
    assert run(tmp_path / "k") == (2, "")
