"""Where compiled kernels are kept: named by all sources, dropped only when long unused."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hextui
from hextui.engine.kernels import folders
from tests.compiling import use_home

NAMES = """
from hextui.engine.kernels.folders import compiled_folder, solver_folder
print(compiled_folder(), solver_folder(), sep="\\n")
"""


def names_of(place: Path, way: str = "refined") -> tuple[str, str]:
    env = {**os.environ, "PYTHONPATH": str(place), "HEXTUI_COMPILER": way}
    out = subprocess.run(
        [sys.executable, "-c", NAMES],
        cwd=place,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    kernels, solver = out.splitlines()
    return kernels, solver


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    shutil.copytree(Path(hextui.__file__).parent, tmp_path / "hextui")
    return tmp_path


def test_the_same_sources_elsewhere_share_their_compiled_code(elsewhere: Path) -> None:
    assert names_of(elsewhere) == names_of(Path(hextui.__file__).parents[1])


def test_of_code_compiled_the_public_way_every_place_has_its_own(elsewhere: Path) -> None:
    # numba keeps it by the path of the source
    here = names_of(Path(hextui.__file__).parents[1], "public")
    assert not set(names_of(elsewhere, "public")) & set(here)


@pytest.mark.parametrize("name", ["bits", "connections/and_rule", "paths/masks"])
def test_a_change_of_any_kernel_names_another_folder(elsewhere: Path, name: str) -> None:
    before = names_of(elsewhere)
    with (elsewhere / f"hextui/engine/kernels/{name}.py").open("a") as source:
        source.write("\n# changed\n")
    after = names_of(elsewhere)
    assert after[0] != before[0]
    assert after[1] != before[1]


def test_a_change_of_the_solver_leaves_the_other_kernels(elsewhere: Path) -> None:
    before = names_of(elsewhere)
    with (elsewhere / "hextui/engine/kernels/solver/dfpn.py").open("a") as source:
        source.write("\n# changed\n")
    after = names_of(elsewhere)
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_only_folders_that_nobody_used_for_weeks_are_dropped(
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
