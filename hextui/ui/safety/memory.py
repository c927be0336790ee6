"""What one run leaves to the next: the settings last chosen and the files last used."""

import json
from pathlib import Path
from typing import Any

from hextui.locations import PRIVATE, make_private_folder, named_path
from hextui.records.errors import RecordError
from hextui.records.saving import save_text
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    document_of,
    read_json,
    read_tables,
)
from hextui.ui.settings import Settings

RECENT_FILES = 20


class Memory:
    """Keeps settings and recent files in a folder.

    A file that is broken is dropped; ``problem`` then says so in one line, and likewise why
    something could not be kept.
    """

    def __init__(self, folder: Path) -> None:
        self._settings_file = folder / "settings.json"
        self._recent_file = folder / "recent.json"
        self._kept: Settings | None = None
        self.problem = ""

    def settings(self) -> Settings:
        """Return the settings last kept."""
        document = self._load(self._settings_file, {})
        self._kept = Settings()
        try:
            self._kept = read_tables(Settings, document)
        except SettingError as error:
            self._drop(self._settings_file, str(error))
        return self._kept

    def keep(self, settings: Settings) -> None:
        """Keep settings, if they differ from those kept last."""
        if settings != self._kept:
            self._kept = settings
            self._save(self._settings_file, document_of(settings))

    def recent(self) -> list[str]:
        """Return the files last used, the newest first."""
        names: list[Any] = self._load(self._recent_file, [])
        if not all(isinstance(name, str) for name in names):
            self._drop(self._recent_file, "it is no list of names")
            return []
        return names

    def use(self, path: Path) -> None:
        """Put a file in front of those last used."""
        name = str(named_path(str(path)).absolute())
        before = self.recent()
        if before[:1] != [name]:
            names = [name, *(other for other in before if other != name)]
            self._save(self._recent_file, names[:RECENT_FILES])

    def _load(self, path: Path, empty: Any) -> Any:
        """Return the document of a file; ``empty`` where it is not of that kind, or not there."""
        try:
            document = read_json(path)
        except ConfigError as error:
            self._drop(path, error.what)
            return empty
        if document is None:
            return empty
        if not isinstance(document, type(empty)):
            self._drop(path, f"it is no {'list' if empty == [] else 'table'}")
            return empty
        return document

    def _drop(self, path: Path, what: str) -> None:
        self.problem = f"{path} was dropped: {what}"

    def _save(self, path: Path, document: Any) -> None:
        try:
            make_private_folder(path.parent)
            save_text(path, json.dumps(document, indent=1) + "\n", PRIVATE)
        except RecordError as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{path}: {error.strerror or error}"
