"""The notebook of examples runs, and shows what it gives now."""

from tests.notebook import EXAMPLES, read, run


def test_the_notebook_gives_what_it_shows() -> None:
    kept = read(EXAMPLES)
    for number, (then, now) in enumerate(zip(kept["cells"], run(kept)["cells"], strict=True)):
        assert then == now, f"cell {number}: python -m tests.notebook writes what it gives now"
