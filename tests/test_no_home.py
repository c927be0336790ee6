"""A user without a home, or with one that cannot be used: commands work and keep nothing."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hextui import locations

pytestmark = pytest.mark.skipif(os.name != "posix", reason="HOME is of POSIX")
GAME = "(;GM[11]SZ[5];B[d4])"
# the system does not know the user; whoever runs the tests is known
UNKNOWN = """
import pwd
def unknown(number): raise KeyError(number)
pwd.getpwuid = unknown
"""
FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
RUN = "import sys\nfrom hextui.commands import main\nsys.exit(main(sys.argv[1:]))"
HOMES = {"none": None, "empty": "", "relative": "some/where", "a file": "/etc/passwd"}
COMMANDS = [
    ("info", GAME),
    ("export", GAME),
    ("engine", "list"),
    ("library", "import", "game.sgf"),
    ("library", "games"),
    ("puzzles", "list"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a game; the rest of the system stays as it is."""
    (tmp_path / "here").mkdir()
    (tmp_path / "tmp").mkdir()
    (tmp_path / "here" / "game.sgf").write_text(GAME)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def ended(
    home: str | None, words: tuple[str, ...], before: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in an environment that has hardly more than a home."""
    environment = {"PATH": os.environ["PATH"], "TMPDIR": "../tmp"}
    if home is not None:
        environment["HOME"] = home
    command = [sys.executable, "-c", before + RUN, *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("home", HOMES)
def test_commands_work_without_a_home(home: str, words: tuple[str, ...], folder: Path) -> None:
    done = ended(HOMES[home], words, UNKNOWN)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.count("\n") == done.stderr.count("nothing is kept") <= 1
    assert "library" not in words or "nothing is kept" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["game.sgf"]
    assert list((folder.parent / "tmp").iterdir()) == []


def test_the_folder_of_a_program_that_was_killed_is_removed_by_the_next(folder: Path) -> None:
    """But not that of one that runs, nor a new one, which may not be locked yet."""
    fcntl = pytest.importorskip("fcntl")
    places = {
        name: folder.parent / "tmp" / f"hextui-home-{name}" for name in ("old", "used", "new")
    }
    for name, place in places.items():
        (place / "state").mkdir(parents=True)
        if name != "new":
            os.utime(place, (0, 0))
    used = os.open(places["used"], os.O_RDONLY)
    fcntl.flock(used, fcntl.LOCK_EX)
    assert ended(None, ("library", "games"), UNKNOWN).returncode == 0
    os.close(used)
    assert {name for name, place in places.items() if place.exists()} == {"used", "new"}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_on_a_full_disk_say_it_in_one_line(words: tuple[str, ...], folder: Path) -> None:
    home = folder.parent / "home"
    home.mkdir()
    done = ended(str(home), words, FULL)
    assert done.returncode in ((0, 1) if "library" in words else (0,))
    assert done.stderr.count("\n") <= 1
    assert done.stdout or done.returncode


@pytest.mark.parametrize("kind", ["data", "cache", "state"])
def test_a_home_that_cannot_be_written_is_not_used(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEXTUI_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HEXTUI_TEMPORARY_HOME", str(tmp_path / "temporary"))
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    folder = getattr(locations, f"{kind}_folder")
    assert tmp_path in folder().parents
    monkeypatch.setattr(os, "access", lambda place, mode: False)  # root may write anywhere
    locations._is_usable.cache_clear()
    assert folder() == tmp_path / "temporary" / kind
    assert "temporary" not in locations.config_file().parts  # it is only read
    monkeypatch.undo()


def test_relative_folders_of_the_system_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEXTUI_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HEXTUI_TEMPORARY_HOME", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert locations.cache_folder().is_absolute()


def test_the_temporary_folder_is_private_and_for_children_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os; from hextui.children import user_environment; from hextui import locations; "
        "print(locations.cache_folder().parent, os.stat(locations.cache_folder().parent).st_mode, "
        "'HEXTUI_TEMPORARY_HOME' in user_environment(), locations.data_folder().parent)"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": "", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    made, mode, is_users, again = done.stdout.split()
    assert Path(made).parent == tmp_path
    assert (stat.S_IMODE(int(mode)), is_users, again) == (0o700, "False", made)
    assert list(tmp_path.iterdir()) == []
