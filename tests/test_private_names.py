"""No private names of other libraries, except in two files that say what each is for."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeGuard

import hextui

PACKAGE = Path(hextui.__file__).parent
TEXTUAL_FIXES = "ui/textual_fixes.py"
COMPILING = "engine/kernels/compiling.py"
PUBLIC = {"_replace", "_asdict", "_fields", "_exit", "_getvalue"}
"""Documented names: of named tuples, of `os`, of struct proxies in extensions of numba."""
NUMBA = re.compile(r"numba\.core(?!\.(cgutils|errors)\b)")
FILES = {str(path.relative_to(PACKAGE)): path.read_text() for path in PACKAGE.rglob("*.py")}
TREES = {name: ast.parse(text) for name, text in FILES.items()}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def is_foreign(name: str) -> bool:
    return is_private(name) and name not in own_names() | PUBLIC


def is_of_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    of = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(of, ast.Name) and of.id in ("self", "cls")


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the full names of what a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def own_names() -> set[str]:
    """Return every private name that the package itself defines."""
    found = set()
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif is_of_self(node) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
    return {name for name in found if is_private(name)}


@cache
def names_of(base: type) -> frozenset[str]:
    """Return the private names that a class of a library defines or sets on itself."""
    set_on_self = re.findall(r"\bself\.(_[a-z]\w*)\b[^=\n]*=", inspect.getsource(base))
    return frozenset(name for name in (*vars(base), *set_on_self) if is_private(name))


def foreign_names(tree: ast.ClassDef, made: type) -> Iterator[str]:
    """Yield the private names that a class takes from, or overrides in, its Textual bases."""
    bases = [base for base in made.__mro__ if base.__module__.split(".")[0] == "textual"]
    foreign = frozenset().union(*map(names_of, bases))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in foreign:
            yield f"def {node.name}"
        elif is_of_self(node) and node.attr in foreign:
            yield f"self.{node.attr}"


def private_names(name: str) -> set[str]:
    """Return the private names of other libraries that a file uses."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Attribute) and not is_of_self(node) and is_foreign(node.attr):
            found.add(ast.unparse(node))
    if name.startswith("ui/"):
        module = import_module(f"hextui.{name.removesuffix('.py').replace('/', '.')}")
        for node in TREES[name].body:
            if isinstance(node, ast.ClassDef):
                found.update(foreign_names(node, vars(module)[node.name]))
    return found


def test_private_names_of_libraries_are_in_one_file_for_each_library() -> None:
    found = {name: used for name in FILES if (used := private_names(name))}
    fixes = found.pop(TEXTUAL_FIXES, set())
    found.pop(COMPILING, None)
    assert not found
    assert len(fixes) <= 5
    assert len(FILES[TEXTUAL_FIXES].splitlines()) <= 150


def test_private_modules_of_textual_are_not_imported() -> None:
    found = {name for name, tree in TREES.items() for i in imports(tree) if "textual._" in i}
    assert found <= {TEXTUAL_FIXES}


def test_the_inside_of_numba_is_imported_in_one_file() -> None:
    found = {name for name, tree in TREES.items() for i in imports(tree) if NUMBA.match(i)}
    assert found <= {COMPILING}
