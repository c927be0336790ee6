"""Makes the pictures of the README: the program as it is, with its analysis, on the sample game.

Run: ``python -m tests.make_screenshots``, with a folder to put them elsewhere.
"""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path

import resvg_py
from textual import constants
from textual.pilot import Pilot
from textual.widgets import Static

from hextui.analysis import stored_analysis
from hextui.analysis.analyst import Analyst
from hextui.engine.search.lines import DEFAULT_SEARCH, LIVE_EVALUATORS
from hextui.engines.limits import SolverBudget
from hextui.engines.process import EngineProcess
from hextui.ui.app.app import HextuiApp
from hextui.ui.app.config import Config
from hextui.ui.app.main_screen import MainScreen
from hextui.ui.app.workspace import Services
from hextui.ui.record.files import SAMPLE_PLY, open_session

ROOT = Path(__file__).parent.parent
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screenshots"
SAMPLE = ROOT / "hextui" / "samples" / "sample.sgf"
OPENING_PLY = 9  # where connections are short and many cells contribute
FULL, SMALL = (140, 45), (80, 24)
WHY = "w"  # the key that looks for a proof
MONOSPACED, TITLE = "DejaVu Sans Mono", "DejaVu Sans"
PIXELS = 1400  # width of a PNG of 140 columns


async def analysed(pilot: Pilot[None]) -> None:
    """Wait until the analysis of the position has ended and is on the screen."""
    main = pilot.app.screen_stack[0]
    assert isinstance(main, MainScreen)
    while True:
        await pilot.pause(0.3)
        snapshot = main.workspace.live.of(main.workspace.session.position)
        if snapshot is not None and snapshot.final:
            break
    await pilot.pause(0.5)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, one after the other, and let what they cause happen: a proof takes a while."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        if key == WHY:
            note = pilot.app.screen_stack[0].query_one("ExplainPanel .note", Static)
            while "wins, proved" not in str(note.content):
                await pilot.pause(0.3)


async def picture(
    name: str, size: tuple[int, int], *keys: str, ply: int = SAMPLE_PLY, theme: str = "hextui-dark"
) -> None:
    """Save what the program shows at a ply of the sample after some keys, as SVG and PNG."""
    session = open_session(str(SAMPLE))
    stored_analysis.sign(session.record)
    session.first()
    session.forward(ply)
    engine = EngineProcess(Path(os.devnull))
    analyst = partial(
        Analyst,
        open_lane=engine.lane,
        evaluators=LIVE_EVALUATORS,
        lines_by=DEFAULT_SEARCH,
        budget=SolverBudget(),
    )
    app = HextuiApp(session, Config(), Services(engine.lane, analyst))
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await analysed(pilot)
        await press(pilot, *keys)
        await analysed(pilot)
        app.clear_notifications()
        await pilot.pause(0.3)
        svg = app.export_screenshot(title="hextui")
    engine.close()
    (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
    width = PIXELS * size[0] // FULL[0]
    for family, ours in (("Fira Code", MONOSPACED), ("arial", TITLE)):  # a browser has those
        svg = svg.replace(family, ours)
    (FOLDER / f"{name}.png").write_bytes(resvg_py.svg_to_bytes(svg, width=width))


async def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    vars(constants)["COLOR_SYSTEM"] = "truecolor"
    await picture("main-140x45", FULL)
    await picture("main-80x24", SMALL)
    derivation = ("2", "f6", "f", "down", *["down", "enter"] * 3, "up", "up")
    await picture("connection-140x45", FULL, *derivation, ply=OPENING_PLY)
    await picture("contribution-140x45", FULL, "o", "3", ply=OPENING_PLY)
    await picture("solver-140x45", FULL, "w", "right", "down")
    await picture("light-140x45", FULL, theme="hextui-light")


if __name__ == "__main__":
    asyncio.run(main())
