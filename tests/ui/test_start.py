import subprocess
import sys

from .helpers import running

IMPORTED = """
import sys
import hextui.commands.workstation, hextui.ui.app.app, hextui.settings.engine_tables
print(*sys.modules)
"""
LATER = {
    "numba",
    "networkx",
    "numpy",
    "hextui.engine.solver",
    "hextui.engines.questions",
    "hextui.engines.attached_engine",
    "hextui.records.codecs.diagrams",
}
"""What no first screen shows: some are slow to import, of some there are many small parts."""


def test_the_first_screen_waits_for_nothing_that_it_does_not_show():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED], check=True, capture_output=True, text=True
    )
    assert not LATER & set(done.stdout.split())


async def test_what_was_left_out_of_the_settings_is_reported_once():
    problems = ("screen.theme: 'pink' is not one of " + "many, " * 50, "a: b", "c: d", "e: f")
    async with running(problems=problems) as pilot:
        (note,) = pilot.app.notes
        first, *others = note.split("\n")
        assert first.startswith("screen.theme: 'pink' is not one of ")
        assert len(first) == 100
        assert others == ["a: b", "c: d", "and 1 more"]
