"""What a user can choose: written in the settings file, or kept from one run to the next.

Both files hold the same tables: ``screen``, ``analysis``, ``solver``, ``lines``, ``library``,
``puzzles`` and ``train``.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from hextui.engine.board import Color
from hextui.engine.search.lines import LineSettings
from hextui.engines.limits import GAME_SECONDS
from hextui.locations import PRIVATE, make_private_folder, named_path
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    document_of,
    read_json,
    read_tables,
)
from hextui.text import Names
from hextui.ui.app.layout import Activity
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import ALL_NUMBERS, DisplayOptions, Overlay

_SETTINGS, _RECENT = "settings.json", "recent.json"
RECENT_FILES = 20


@dataclass(frozen=True)
class Settings:
    """What was chosen; None where nothing was."""

    players: Annotated[Names | None, "screen.players"] = None
    theme: Annotated[str | None, "screen.theme"] = None
    activity: Annotated[Activity | None, "screen.activity"] = None
    panel: Annotated[str | None, "screen.panel"] = None
    zoom: Annotated[Zoom | None, "screen.zoom"] = None
    zooms: Annotated[Mapping[str, Zoom] | None, "screen.zooms"] = None
    view: Annotated[View | None, "screen.view"] = None
    picture: Annotated[bool | None, "screen.picture"] = None
    overlay: Annotated[Overlay | None, "screen.overlay"] = None
    move_numbers: Annotated[bool | None, "screen.move-numbers"] = None
    numbered_moves: Annotated[int | None, "screen.numbered-moves"] = None
    autoplay_seconds: Annotated[int | None, "screen.autoplay-seconds"] = None
    must_play: Annotated[bool | None, "screen.must-play"] = None
    inferior: Annotated[bool | None, "screen.inferior"] = None
    analysis: Annotated[bool | None, "analysis.on"] = None
    evaluators: Annotated[tuple[str, ...] | None, "analysis.evaluators"] = None
    focus: Annotated[str | None, "analysis.focus"] = None
    analysis_side: Annotated[Color | None, "analysis.side"] = None
    win_probability_of: Annotated[Color | None, "analysis.win-probability-of"] = None
    solver: Annotated[bool | None, "solver.live"] = None
    solver_seconds: Annotated[int | None, "solver.seconds"] = None
    game_seconds: Annotated[int | None, "solver.game-seconds"] = None
    solver_threads: Annotated[int | None, "solver.threads"] = None
    solver_table: Annotated[int | None, "solver.table-mb"] = None
    solver_disk: Annotated[int | None, "solver.disk-mb"] = None
    lines_by: Annotated[str | None, "lines.evaluator"] = None
    minimax_by: Annotated[str | None, "lines.minimax"] = None
    line_widths: Annotated[tuple[int, ...] | None, "lines.widths"] = None
    line_count: Annotated[int | None, "lines.count"] = None
    player: Annotated[str | None, "library.player"] = None
    collection: Annotated[str | None, "puzzles.collection"] = None
    as_red: Annotated[bool | None, "puzzles.as-red"] = None
    play: Annotated[Mapping[str, str] | None, "train.play"] = None

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

    @property
    def review_seconds(self) -> float:
        """The solver's CPU time for the review of a game, in seconds."""
        return GAME_SECONDS if self.game_seconds is None else float(self.game_seconds)

    def shown(self) -> DisplayOptions:
        """Return what the board shows at first."""
        default = DisplayOptions()
        return replace(
            default,
            overlay=self.overlay or default.overlay,
            evaluator=self.focus or default.evaluator,
            numbers=(self.numbered_moves or ALL_NUMBERS) if self.move_numbers else 0,
            last_numbers=self.numbered_moves or default.last_numbers,
            must_play=self.must_play or False,
            inferior=self.inferior or False,
            names=self.players or default.names,
            win_probability_of=self.win_probability_of,
        )


@dataclass
class PuzzleOptions:
    """The file or folder of the puzzles to solve, '' for the built-in collection.

    ``as_red``: all are shown with Red to move, top to bottom.
    """

    collection: str = ""
    as_red: bool = False


class UserState:
    """Keeps the settings last chosen and the files last used in a folder, if there is one.

    A broken file is dropped. ``problem`` says in one line what was dropped or could not be kept.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._kept: Settings | None = None
        self._used = ""
        self.problem = ""

    def settings(self) -> Settings:
        """Return the settings last kept; whether the analysis was on is not kept."""
        self._kept = Settings()
        try:
            settings = read_tables(Settings, self._load(_SETTINGS, {}))
            self._kept = replace(settings, analysis=None)
        except SettingError as error:
            self._drop(_SETTINGS, str(error))
        return self._kept

    def keep(self, settings: Settings) -> None:
        """Keep settings, if they differ from those kept last."""
        if settings != self._kept:
            self._kept = settings
            self._save(_SETTINGS, document_of(settings))

    def recent(self) -> list[str]:
        """Return the files last used, the newest first."""
        names: list[Any] = self._load(_RECENT, [])
        if not all(isinstance(name, str) for name in names):
            self._drop(_RECENT, "it is not a list of names")
            return []
        return names

    def recent_files(self) -> list[str]:
        """Return those of them that still exist."""
        return [name for name in self.recent() if os.path.isfile(name)]

    def use(self, path: Path) -> None:
        """Put a file in front of those last used."""
        name = str(named_path(str(path)).absolute())
        if name != self._used:
            self._used = name
            names = [name, *(other for other in self.recent() if other != name)]
            self._save(_RECENT, names[:RECENT_FILES])

    def _load(self, name: str, empty: Any) -> Any:
        """Return the document of a file; ``empty`` if there is none, or one of another kind."""
        if self._folder is None:
            return empty
        try:
            document = read_json(self._folder / name)
        except ConfigError as error:
            self._drop(name, error.what)
            return empty
        if document is None:
            return empty
        if not isinstance(document, type(empty)):
            self._drop(name, f"it is not a {'list' if empty == [] else 'table'}")
            return empty
        return document

    def _drop(self, name: str, what: str) -> None:
        self.problem = f"{self._folder}/{name} was dropped: {what}"

    def _save(self, name: str, document: Any) -> None:
        if self._folder is None:
            return
        try:
            make_private_folder(self._folder)
            save_file(self._folder / name, json.dumps(document, indent=1) + "\n", PRIVATE)
        except RecordError as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{self._folder / name}: {error.strerror or error}"
