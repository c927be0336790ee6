"""On a machine that never ran the engine: what is compiled is not counted as thinking."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_limit_of_time_does_not_pay_for_compilation(tmp_path: Path) -> None:
    code = "import hextui; print(*hextui.solve(hextui.position('4x4'), seconds=5).winning_moves)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HEXTUI_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["d1", "c2", "b3", "a4"]


@pytest.mark.slow
def test_a_command_compiles_before_its_clock_starts(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hextui", "solve", "#4,", "--seconds", "5"],
        env={**os.environ, "HEXTUI_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "winning moves  d1 c2 b3 a4" in done.stdout


@pytest.mark.slow
def test_the_example_runs_where_only_the_package_is_installed(tmp_path: Path) -> None:
    target, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    install = ["pip", "install", "--quiet", "--no-deps", "--target", str(target), str(ROOT)]
    subprocess.run([sys.executable, "-m", *install], check=True)
    code = f"import hextui; print(hextui.__file__)\n{(ROOT / 'docs/example.py').read_text()}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(target)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(target))
    assert "black wins; winning moves: e1 d2 b3 d3 e3" in done.stdout
    assert not list(empty.iterdir())


@pytest.mark.parametrize("package", ["numba", "llvmlite", "numpy"])
@pytest.mark.parametrize("words", [[], ["rank", "#3,"]])
def test_a_system_without_the_compiler_gets_one_line(package: str, words: list[str]) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; sys.argv[1:] = {words}\n"
    code += "from hextui.__main__ import start; sys.exit(start())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"hextui: {package} is not installed")
