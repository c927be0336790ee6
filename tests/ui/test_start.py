import subprocess
import sys

IMPORTED = """
import sys
import hextui.commands.workstation, hextui.ui.app, hextui.settings.engine_tables
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
