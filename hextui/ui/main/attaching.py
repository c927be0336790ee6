"""Other people's engines: shown, changed, and had to rank moves."""

from typing import TYPE_CHECKING

from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engines.attached.engine_config import engine_in
from hextui.locations import config_file
from hextui.ui.main.desk import Desk

if TYPE_CHECKING:
    from hextui.engines.attached.attached_engines import AttachedEngines


class Attaching:
    """Shows the attached engines; without them there is nothing to show."""

    def __init__(self, desk: Desk, engines: "AttachedEngines | None" = None) -> None:
        self._desk = desk
        self._engines = engines

    async def show(self) -> None:
        """Show the engines, and have those rank that the user checked."""
        if self._engines is None:
            self._desk.complain("There are no other engines in this run")
            return
        from hextui.ui.screens.engines_screen import EnginesScreen

        live, position = self._desk.live, self._desk.session.position
        screen = EnginesScreen(self._engines, config_file(), live.evaluators)
        chosen = await self._desk.ask(screen)
        if chosen is not None:
            live.choose_evaluators(chosen, position)
        if engine_in(live.lines_by) and live.lines_by not in self._engines.evaluators:
            live.choose_lines_by(DEFAULT_SEARCH, position)
        if screen.changed:
            live.look_again(position)
        self._desk.show()
