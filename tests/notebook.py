"""Runs a notebook's code cells in order, without Jupyter: what it prints, shows and draws.

As a program it writes what the cells of the notebooks in docs give now into them:
python -m tests.notebook
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs").glob("*.ipynb"))

Document = dict[str, Any]


def read(path: Path) -> Document:
    """Return the notebook as it is kept."""
    document: Document = json.loads(path.read_text(encoding="utf-8"))
    return document


def run(document: Document) -> Document:
    """Return the notebook with the outputs that its cells give when run from the top."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = _outputs("".join(cell["source"]), names, count)
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**document, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[Document]:
    """Run one cell; its last expression is shown, as a picture if it can be."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {count}", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    outputs: list[Document] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": _shown(value),
            }
        )
    return outputs


def _shown(value: object) -> Document:
    draw = getattr(value, "_repr_svg_", None)
    if draw is not None:
        return {"image/svg+xml": draw().splitlines(keepends=True), "text/plain": ["a picture"]}
    return {"text/plain": repr(value).splitlines(keepends=True)}


def write(path: Path, document: Document) -> None:
    """Keep a notebook as Jupyter does."""
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for notebook in NOTEBOOKS:
        write(notebook, run(read(notebook)))
