"""Which modules of hextui a module imports, however that is written."""

import ast
from collections.abc import Collection, Mapping
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import networkx

import hextui

ROOT = Path(hextui.__file__).parent
TOP = ROOT.name
_CALLS = ("import_module", "__import__")


@cache
def modules() -> dict[str, Path]:
    """Return the files of all modules of hextui by their names."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports_of(name: str) -> frozenset[str]:
    """Return all that a module of hextui imports: at its top, in functions, for types only."""
    path = modules()[name]
    return imports_in(path.read_text(), name, path.name == "__init__.py")


def imports_in(source: str, name: str, is_package: bool = False) -> frozenset[str]:
    """Return what a source imports: modules of hextui by their names, others as written.

    Raises ValueError where a name that is imported by a call cannot be read off the source.
    """
    package = name if is_package else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            found |= {_module(base, alias.name) for alias in node.names}
        elif isinstance(node, ast.Call) and _called(node.func) in _CALLS:
            found |= _named(node, name, package)
    return frozenset(found - {name})


def _module(base: str, name: str) -> str:
    """Return the module that ``from base import name`` needs."""
    return f"{base}.{name}" if f"{base}.{name}" in modules() else base


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _named(call: ast.Call, name: str, package: str) -> set[str]:
    """Return what a call imports; a text that begins with a package stands for all in it."""
    given = call.args[0] if call.args else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        anchors = [arg.value for arg in call.args[1:] if isinstance(arg, ast.Constant)]
        anchor = str(anchors[0]) if anchors else package
        return {resolve_name(given.value, anchor)}
    start = ""
    for part in given.values if isinstance(given, ast.JoinedStr) else ():
        if isinstance(part, ast.Constant):
            start += str(part.value)
        elif isinstance(part, ast.FormattedValue) and ast.unparse(part.value) == "__name__":
            start += name
        else:
            break
    inside = start.rpartition(".")[0]
    if inside not in modules():
        raise ValueError(f"{name}, line {call.lineno}: what is imported cannot be told")
    return {other for other in modules() if other.startswith(f"{inside}.")}


def graph() -> dict[str, frozenset[str]]:
    """Return which modules of hextui each of them imports."""
    return {name: imports_of(name) & modules().keys() for name in modules()}


def cycles(imports: Mapping[str, Collection[str]]) -> list[set[str]]:
    """Return the groups of modules that import each other in a circle."""
    together = networkx.strongly_connected_components(networkx.DiGraph(imports))
    return [group for group in together if len(group) > 1]
