"""Imports point down: ui -> analysis, library, studies -> engines -> records -> engine."""

import ast
import contextlib
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import hextui

ROOT = Path(hextui.__file__).parent
KERNELS = "hextui.engine.kernels"
LEVELS = [
    {"engine.kernels"},
    {"engine"},
    {"records"},
    {"engines"},
    {"analysis", "library", "studies"},
    {"ui"},
    {"commands"},
    {"cli"},
]


def level_of(module: str) -> int | None:
    names = module.removeprefix("hextui.")
    found = [
        i
        for i, rooms in enumerate(LEVELS)
        for room in rooms
        if names == room or names.startswith(f"{room}.")
    ]
    return min(found, default=None)


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    module = "hextui." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
    own = level_of(module)
    if own is None:
        return
    for name in imports_of(path):
        other = level_of(name) if name.startswith("hextui.") else None
        assert other is None or other <= own, f"{module} imports {name}"
        if own <= level_of("hextui.analysis"):
            assert name.partition(".")[0] not in ("textual", "rich"), f"{module} imports {name}"


def compiled_functions(path: Path) -> set[object]:
    """Return the functions of the compiled room that a module names."""
    tree = ast.parse(path.read_text())
    found, modules = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(KERNELS):
            for alias in node.names:
                with contextlib.suppress(ModuleNotFoundError):
                    importlib.import_module(f"{node.module}.{alias.name}")
                thing = getattr(importlib.import_module(node.module), alias.name)
                if inspect.ismodule(thing):
                    modules[alias.asname or alias.name] = thing
                found.add(thing)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(getattr(modules.get(node.value.id), node.attr, None))
    return {thing for thing in found if hasattr(thing, "py_func")}


def test_python_calls_no_parts_of_kernels() -> None:
    called = {
        function
        for path in (ROOT / "engine").rglob("*.py")
        if "kernels" not in path.parts
        for function in compiled_functions(path)
    }
    assert len(called) >= 9
    assert not [f.__name__ for f in called if "no_cpython_wrapper" in f.targetoptions]


def test_the_engine_runs_without_the_screen() -> None:
    code = (
        "import hextui.engine.evaluators, sys;"
        "print([m for m in sys.modules if m.partition('.')[0] in ('textual', 'rich')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
