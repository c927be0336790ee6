import subprocess
import sys

IMPORTED = """
import sys
import hextui.ui.app
print([name for name in ("numba", "networkx", "numpy") if name in sys.modules])
"""


def test_the_screen_starts_without_the_engines_libraries():
    done = subprocess.run([sys.executable, "-c", IMPORTED], check=True, capture_output=True)
    assert done.stdout.strip() == b"[]"
