"""Plant faults into a copy of the program, one at a time, and report which ones the tests find.

    python -m tests.plant_faults --faults 20 --seed 1        # in a checkout with its tests

Faults are drawn among all comparisons, conditions, numbers, calculations and calls of the package
outside the kernels. For each one run the tests of its package, then the quick tests, up to the
first failure. Run it before and after a change of the tests: what was found must be found again.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "hextui"
KERNELS = "hextui/engine/kernels/"

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
CALCULATIONS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Div: "*",
    ast.Mod: "+",
}


@dataclass(frozen=True)
class Fault:
    """A piece of a source file, by its offsets in bytes, and the text to put in its place."""

    path: str
    start: int
    end: int
    text: str

    def planted_in(self, source: bytes) -> bytes:
        """Return a source text with this fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def described_in(self, source: bytes) -> str:
        """Return the file, the line and both texts."""
        line = source.count(b"\n", 0, self.start) + 1
        before = " ".join(source[self.start : self.end].decode().split())
        return f"{self.path}:{line}: {before} -> {self.text}"


def faults_of(path: Path) -> Iterator[Fault]:
    """Yield the faults that can be planted in a file."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        for changed, text in _changes(node):
            start = starts[changed.lineno - 1] + changed.col_offset
            end = starts[(changed.end_lineno or 0) - 1] + (changed.end_col_offset or 0)
            yield Fault(path.relative_to(ROOT).as_posix(), start, end, text)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions of a node to be replaced, each with its replacement."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            text = COMPARISONS[type(operator)]
            yield node, f"{_inside(left)} {text} {_inside(right)}"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in CALCULATIONS:
            yield node, f"({_inside(left)} {CALCULATIONS[type(operator)]} {_inside(right)})"
        case ast.BoolOp(op=operator, values=values):
            text = " or " if isinstance(operator, ast.And) else " and "
            yield node, f"({text.join(_inside(value) for value in values)})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, f"(not {_inside(test)})"
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield node, f"({number} + 1)"
        case ast.Expr(value=ast.Call() as call):
            yield call, "None"


def _inside(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def all_faults() -> list[Fault]:
    """Return the faults that can be planted, in the order of files and of their places."""
    files = sorted((ROOT / PACKAGE).rglob("*.py"))
    outside = [path for path in files if KERNELS not in path.as_posix()]
    return [fault for path in outside for fault in faults_of(path)]


def tests_of(path: str) -> str:
    """Return the tests of the package of a source file: a folder or a file."""
    name = path.split("/")[1].removesuffix(".py")
    places = (f"tests/{name}", f"tests/test_{name}.py")
    return next((place for place in places if (ROOT / place).exists()), "tests/test_api.py")


def is_found(fault: Fault, copy: Path) -> bool:
    """Return whether a test fails where a copy of the checkout has this fault."""
    target = copy / fault.path
    source = target.read_bytes()
    target.write_bytes(fault.planted_in(source))
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    runs = ([*pytest, tests_of(fault.path)], [*pytest, "-m", "quick"])
    environment = os.environ | {"PYTHONPATH": str(copy)}
    nowhere = subprocess.DEVNULL
    try:
        return any(
            subprocess.run(
                run, cwd=copy, env=environment, stdout=nowhere, stderr=nowhere
            ).returncode
            for run in runs
        )
    finally:
        target.write_bytes(source)


def main() -> None:
    """Plant the faults that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", metavar="K", help="the numbers of faults")
    options = parser.parse_args()
    drawn = random.Random(options.seed).sample(all_faults(), options.faults)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache"))
        for number, fault in enumerate(drawn, start=1):
            if options.only and number not in options.only:
                continue
            verdict = "found" if is_found(fault, copy) else "not found"
            line = fault.described_in((ROOT / fault.path).read_bytes())
            print(f"{number:3} {verdict:9} {line}", flush=True)


if __name__ == "__main__":
    main()
