"""What a user can choose: written in the settings file, or kept from one run to the next.

Both files hold the same tables, ``screen``, ``analysis``, ``solver`` and ``lines``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from hextui.engine.search.lines import LineSettings
from hextui.settings.settings_files import Key, SettingError
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import DisplayOptions, Overlay
from hextui.ui.layout import Activity
from hextui.words.names import Names


@dataclass(frozen=True)
class Settings:
    """What was chosen; None where nothing was."""

    players: Annotated[Names | None, Key("screen.players")] = None
    theme: Annotated[str | None, Key("screen.theme")] = None
    activity: Annotated[Activity | None, Key("screen.activity")] = None
    panel: Annotated[str | None, Key("screen.panel")] = None
    zoom: Annotated[Zoom | None, Key("screen.zoom")] = None
    zooms: Annotated[Mapping[str, Zoom] | None, Key("screen.zooms")] = None
    view: Annotated[View | None, Key("screen.view")] = None
    overlay: Annotated[Overlay | None, Key("screen.overlay")] = None
    move_numbers: Annotated[bool | None, Key("screen.move-numbers")] = None
    must_play: Annotated[bool | None, Key("screen.must-play")] = None
    inferior: Annotated[bool | None, Key("screen.inferior")] = None
    analysis: Annotated[bool | None, Key("analysis.on")] = None
    evaluators: Annotated[tuple[str, ...] | None, Key("analysis.evaluators")] = None
    focus: Annotated[str | None, Key("analysis.focus")] = None
    solver: Annotated[bool | None, Key("solver.live")] = None
    solver_seconds: Annotated[int | None, Key("solver.seconds")] = None
    game_seconds: Annotated[int | None, Key("solver.game-seconds")] = None
    solver_table: Annotated[int | None, Key("solver.table-mb")] = None
    solver_disk: Annotated[int | None, Key("solver.disk-mb")] = None
    lines_by: Annotated[str | None, Key("lines.evaluator")] = None
    line_widths: Annotated[tuple[int, ...] | None, Key("lines.widths")] = None
    line_count: Annotated[int | None, Key("lines.count")] = None

    def over(self, other: "Settings") -> "Settings":
        """Return what these settings say, and ``other`` where they say nothing."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return replace(other, **own)

    def lines(self) -> LineSettings:
        """Return how lines are searched. Raises SettingError."""
        default = LineSettings()
        try:
            return LineSettings(
                default.widths if self.line_widths is None else self.line_widths,
                default.count if self.line_count is None else self.line_count,
            )
        except ValueError as error:
            raise SettingError("lines", str(error)) from None

    def shown(self) -> DisplayOptions:
        """Return what the board shows at first."""
        default = DisplayOptions()
        return replace(
            default,
            overlay=self.overlay or default.overlay,
            evaluator=self.focus or default.evaluator,
            numbers=self.move_numbers or False,
            must_play=self.must_play or False,
            inferior=self.inferior or False,
            names=self.players or default.names,
        )
