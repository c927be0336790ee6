"""What a reader may rely on in every file of hextui: gates, and a table of what still fails.

The table, `readability.txt`, has a line for each file and gate that fails: how often, and behind a
``#`` why it is better so, if it is. It may only shrink: ``python -m tests.test_readability`` writes
it anew once code has become clearer, and keeps the reasons.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_name("readability.txt")
SOURCES = sorted((ROOT / "hextui").rglob("*.py"))
DENSE_BY_NATURE = ("kernels", "codecs")  # packages without the gate for complexity
MOST_PATHS = 10  # grade B of a block's cyclomatic complexity
FIELDS = 5  # values from which on a call names them
PAIRED = 2  # values that may be assigned side by side
SAYS_TOO_LITTLE = frozenset(["found", "known", "held", "seen", "one", "at", "here"])
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult)


def complexity(function: ast.AST) -> int:
    """Return the number of paths through a function, without the functions inside it."""
    paths = 1
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        paths += branches(node)
        waiting += ast.iter_child_nodes(node)
    return paths


def branches(node: ast.AST) -> int:
    """Return how many paths a node adds, by the usual count of McCabe's complexity."""
    match node:
        case ast.Try():
            return len(node.handlers) + len(node.orelse[:1])
        case ast.BoolOp():
            return len(node.values) - 1
        case ast.If() | ast.IfExp() | ast.Assert():
            return 1
        case ast.For() | ast.While() | ast.AsyncFor():
            return 1 + len(node.orelse[:1])
        case ast.comprehension():
            return 1 + len(node.ifs)
        case ast.Match():
            return sum(not is_wildcard(case.pattern) for case in node.cases)
    return 0


def is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def complex_blocks(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the functions above grade B."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and complexity(node) > MOST_PATHS:
            yield node


def is_truth_value(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("bool", "isinstance", "any")
    if isinstance(node, ast.BoolOp):
        return all(is_truth_value(value) for value in node.values)
    return isinstance(node, ast.Compare)


def truth_arithmetic(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield sums and products of truth values."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=operator) if isinstance(operator, ARITHMETIC):
                if is_truth_value(node.left) or is_truth_value(node.right):
                    yield node
            case ast.AugAssign(op=operator) if isinstance(operator, ARITHMETIC):
                if is_truth_value(node.value):
                    yield node


def unnamed_fields(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield calls of classes with many values that are not named."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        is_class = name.lstrip("_")[:1].isupper() and not name.isupper()
        starred = any(isinstance(value, ast.Starred) for value in node.args)
        values = len(node.args) + len(node.keywords)
        if is_class and len(node.args) > 1 and (values >= FIELDS or starred):
            yield node


def dense_expressions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield conditional expressions and comprehensions inside another, or on the same line."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.IfExp, *COMPREHENSIONS)):
            continue
        if node.lineno in lines or is_nested(node):
            yield node
        lines.add(node.lineno)


def is_nested(node: ast.AST) -> bool:
    """Return whether another conditional expression or comprehension is inside a node."""
    inside = list(ast.walk(node))[1:]
    return any(isinstance(other, (ast.IfExp, *COMPREHENSIONS)) for other in inside)


def tuple_assignments(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield assignments of several values side by side, but for swaps and pairs of plain values."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
            continue
        targets, values = (sorted(map(ast.unparse, side.elts)) for side in (target, value))
        plain = all(
            isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in value.elts
        )
        if targets != values and not (plain and len(values) <= PAIRED):
            yield node


def empty_names(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield variables and parameters whose names say too little."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound = name
            case ast.MatchAs(name=name) | ast.ExceptHandler(name=name):
                bound = name or ""
            case _:
                continue
        if bound in SAYS_TOO_LITTLE:
            yield node


GATES = {
    "complexity": complex_blocks,
    "truth-arithmetic": truth_arithmetic,
    "unnamed-fields": unnamed_fields,
    "dense-expression": dense_expressions,
    "tuple-assignment": tuple_assignments,
    "empty-name": empty_names,
}


def failures(path: Path) -> dict[str, list[int]]:
    """Return the lines of a file that fail each gate."""
    tree = ast.parse(path.read_text())
    lines = {}
    for gate, check in GATES.items():
        if gate == "complexity" and not set(DENSE_BY_NATURE).isdisjoint(path.parts):
            continue
        if failing := [node.lineno for node in check(tree) if hasattr(node, "lineno")]:
            lines[gate] = sorted(failing)
    return lines


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def allowed() -> Counter[tuple[str, str]]:
    """Return how often a file may fail a gate, from the table."""
    table: Counter[tuple[str, str]] = Counter()
    for line in TABLE.read_text().splitlines():
        name, gate, count = line.partition("#")[0].split()
        table[name, gate] = int(count)
    return table


def reasons() -> dict[tuple[str, str], str]:
    """Return why a file is better as it is than as a gate wants it."""
    written = {}
    for line in TABLE.read_text().splitlines():
        entry, _, reason = line.partition("#")
        name, gate, _ = entry.split()
        written[name, gate] = reason.strip()
    return written


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_file_fails_no_gate_but_as_the_table_says(path: Path) -> None:
    table = allowed()
    for gate, lines in failures(path).items():
        most = table[name_of(path), gate]
        assert len(lines) <= most, f"{gate}: {most} allowed, in lines {lines}"


def test_the_table_has_no_more_than_what_fails() -> None:
    counts = {
        (name_of(path), gate): len(lines)
        for path in SOURCES
        for gate, lines in failures(path).items()
    }
    stale = [key for key, count in allowed().items() if counts.get(key, 0) < count]
    assert not stale, "it is clearer now: python -m tests.test_readability writes the table anew"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_constant_is_defined_twice(path: Path) -> None:
    names: Counter[str] = Counter()
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                names.update(name.id for name in ast.walk(target) if isinstance(name, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names[statement.target.id] += 1
    assert not [name for name, count in names.items() if count > 1]


@pytest.mark.parametrize(
    ("gate", "fails", "passes"),
    [
        ("truth-arithmetic", "'?' * (a > b)", "'?' * count"),
        ("truth-arithmetic", "total += a is None", "total += 1"),
        ("truth-arithmetic", "1 + (not a)", "a and b"),
        ("truth-arithmetic", "n + (a < b and not c)", "n + (a or b)"),
        ("unnamed-fields", "Move(a, b, c, d, e)", "Move(a, b=b, c=c, d=d, e=e)"),
        ("unnamed-fields", "_Move(a, *fields)", "move(a, b, c, d, e)"),
        ("dense-expression", "[a if b else c for b in d]", "[a for b in d]"),
        ("dense-expression", "(a if b else c, d if e else f)", "a if b else c"),
        ("tuple-assignment", "a, b, c = 1, 2, 3", "a, b = b, a"),
        ("tuple-assignment", "a, b = f(x), 2", "low, high = 0, most"),
        ("empty-name", "for found in moves: pass", "for move in moves: pass"),
        ("empty-name", "def f(at): pass", "f(at=1)"),
        ("empty-name", "match a:\n case [found]: pass", "match a:\n case found.b: pass"),
    ],
)
def test_each_gate_finds_what_it_is_for(gate: str, fails: str, passes: str) -> None:
    assert list(GATES[gate](ast.parse(fails)))
    assert not list(GATES[gate](ast.parse(passes)))


def test_paths_are_counted_as_usual() -> None:
    source = """
def f(a):
    assert a
    for b in a:
        if b and c or d:
            return [e for e in b if e]
    try:
        pass
    except ValueError:
        pass
    def inside(x):
        if x: pass
    match a:
        case 1: pass
        case _: pass
"""
    function, inside = (n for n in ast.walk(ast.parse(source)) if isinstance(n, FUNCTIONS))
    assert complexity(function) == 1 + 1 + 1 + 3 + 2 + 1 + 1
    assert complexity(inside) == 2


if __name__ == "__main__":
    kept = reasons()
    written = []
    for path in SOURCES:
        for gate, lines in failures(path).items():
            reason = kept.get((name_of(path), gate))
            entry = f"{name_of(path)} {gate} {len(lines)}"
            written.append(f"{entry}  # {reason}" if reason else entry)
    TABLE.write_text("\n".join(written) + "\n")
