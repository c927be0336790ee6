"""Imports point down: commands -> ui -> words -> analysis -> runs -> engines -> records.

Analysis, library and matches are peers: none imports another. So are ui and htp. Only the command
``study`` imports studies, and nothing imports research. There are no cycles.
"""

import ast
import contextlib
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from hextui.engine.kernels.compiling import Part

from .imports import ROOT, cycles, graph, imports_in, imports_of, modules

KERNELS = "hextui.engine.kernels"
LEVELS = [
    {"text"},
    {"version", "children", "guardian", "entry_points"},  # used by all
    {"locations"},
    {"kept_files"},
    {"signing"},
    {"engine.kernels"},
    {"engine"},
    {"records"},
    {"settings"},
    {"engines"},
    {"runs"},
    {"analysis", "library", "matches"},
    {"words"},
    {"studies", "train"},
    {"ui", "htp"},
    {"commands", "api"},
    {"__main__", ""},
]
SCREEN = ("textual", "rich")


def place_of(module: str) -> tuple[int, str]:
    """Return the level of a module of hextui, and its package."""
    inside = module.partition(".")[2]
    for level, rooms in enumerate(LEVELS):
        for room in rooms:
            if inside == room or (room and inside.startswith(f"{room}.")):
                return level, room
    raise AssertionError(f"{module} is in no package of LEVELS")


BELOW_THE_SCREEN = [name for name in modules() if place_of(name)[0] < place_of("hextui.ui")[0]]


def test_imports_point_down() -> None:
    for name in modules():
        level, room = place_of(name)
        for other in imports_of(name) & modules().keys():
            its_level, its_room = place_of(other)
            assert its_level < level or its_room == room, f"{name} imports {other}"


def test_what_is_below_the_screen_names_no_library_of_it() -> None:
    for name in BELOW_THE_SCREEN:
        found = {other.partition(".")[0] for other in imports_of(name)}
        assert not found & set(SCREEN), name


def test_what_is_below_the_screen_loads_no_library_of_it() -> None:
    code = f"""
import importlib, sys
for name in {BELOW_THE_SCREEN}:
    importlib.import_module(name)
    found = [module for module in {SCREEN} if module in sys.modules]
    assert not found, f"{{name}} loads {{found}}"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_experiments_are_apart() -> None:
    for name in modules():
        packages = {".".join(other.split(".")[:2]) for other in imports_of(name)}
        assert "research" not in {package.partition(".")[0] for package in packages}, name
        if not name.startswith("hextui.studies") and name != "hextui.commands.study":
            assert "hextui.studies" not in packages, name


def test_no_imports_go_in_circles() -> None:
    assert cycles(graph()) == []


def test_circles_are_found() -> None:
    assert cycles({"a": "b", "b": "c", "c": "a", "d": "ae", "e": ""}) == [{"a", "b", "c"}]
    assert cycles({"a": "bc", "b": "c", "c": ""}) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import hextui.records.tree", "hextui.records.tree"),
        ("import hextui.records.tree as t", "hextui.records.tree"),
        ("from hextui.records.tree import Node", "hextui.records.tree"),
        ("from hextui.records import tree as t", "hextui.records.tree"),
        ("from hextui.records import nothing", "hextui.records"),
        ("from hextui import ui", "hextui.ui"),
        ("from . import tree", "hextui.records.tree"),
        ("from .tree import Node", "hextui.records.tree"),
        ("from ..records import formats", "hextui.records.formats"),
        ("from .. import records", "hextui.records"),
        ("def f():\n    from . import tree", "hextui.records.tree"),
        ("if TYPE_CHECKING:\n    import hextui.records.tree", "hextui.records.tree"),
        ("import_module('hextui.records.tree')", "hextui.records.tree"),
        ("importlib.import_module('.tree', 'hextui.records')", "hextui.records.tree"),
        ("importlib.import_module('.tree', __package__)", "hextui.records.tree"),
        ("__import__('hextui.records.tree')", "hextui.records.tree"),
        ("import textual.app", "textual.app"),
    ],
)
def test_every_spelling_of_an_import_is_seen(source: str, found: str) -> None:
    assert imports_in(source, "hextui.records.record") == {found}


def test_an_import_by_a_name_that_is_made_up_is_seen_or_refused() -> None:
    found = imports_in("import_module(f'hextui.records.{name}')", "hextui.records.record")
    assert "hextui.records.formats" in found
    assert "hextui.engine.board" not in found
    with pytest.raises(ValueError, match=r"hextui\.records\.record, line 1"):
        imports_in("import_module(name)", "hextui.records.record")


SAME_MEANING = {
    "Record": "the public API's, which can save itself, and the one below it",
    "Solver": "the public API's, and the engine's below it",
}
"""Names that two public classes may share, and why."""


def test_classes_of_different_meaning_have_different_names() -> None:
    homes: dict[str, list[str]] = {}
    for name, path in modules().items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(name)
    assert {name for name, found in homes.items() if len(found) > 1} == SAME_MEANING.keys()


NAMED_AFTER_ANOTHER = {"commands", "kernels", "explaining", "words", "parts"}
"""Packages whose files are named after what they tell, compile, explain or act on."""


def test_files_have_names_of_their_own() -> None:
    own = [
        path.name
        for path in modules().values()
        if not path.name.startswith("__")
        and not NAMED_AFTER_ANOTHER & set(path.relative_to(ROOT).parts)
    ]
    assert len(own) > 150
    assert len(set(own)) == len(own)


def compiled_functions(path: Path) -> set[object]:
    """Return the kernels and parts that a module names."""
    tree = ast.parse(path.read_text())
    found, modules = [], {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(KERNELS):
            for alias in node.names:
                with contextlib.suppress(ModuleNotFoundError):
                    importlib.import_module(f"{node.module}.{alias.name}")
                thing = getattr(importlib.import_module(node.module), alias.name)
                if inspect.ismodule(thing):
                    modules[alias.asname or alias.name] = thing
                found.append(thing)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.append(getattr(modules.get(node.value.id), node.attr, None))
    return {thing for thing in found if hasattr(thing, "py_func")}


def test_python_calls_no_parts_of_kernels() -> None:
    called = {
        function
        for path in (ROOT / "engine").rglob("*.py")
        if "kernels" not in path.relative_to(ROOT).parts
        for function in compiled_functions(path)
    }
    assert len(called) >= 9
    assert not [f for f in called if isinstance(f, Part)]
