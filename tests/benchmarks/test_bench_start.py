"""From the start of the process to the first screen, imports included, without a terminal."""

import subprocess
import sys

START = """
import asyncio
from hextui.ui.app import HextuiApp

async def main():
    async with HextuiApp().run_test(size=(140, 45)):
        pass

asyncio.run(main())
"""


def test_first_screen(benchmark):
    benchmark.pedantic(
        lambda: subprocess.run([sys.executable, "-c", START], check=True), rounds=5, iterations=1
    )
