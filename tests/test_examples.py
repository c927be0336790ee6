"""The notebooks run, and show what they give now."""

from pathlib import Path

import pytest

from tests.notebook import NOTEBOOKS, read, run
from tests.samples import some


@pytest.mark.parametrize("notebook", some(NOTEBOOKS, 1), ids=lambda path: path.name)
def test_a_notebook_gives_what_it_shows(notebook: Path) -> None:
    kept = read(notebook)
    for number, (then, now) in enumerate(zip(kept["cells"], run(kept)["cells"], strict=True)):
        assert then == now, f"cell {number}: python -m tests.notebook writes what it gives now"
