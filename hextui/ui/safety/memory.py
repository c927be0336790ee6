"""What one run leaves to the next: the settings last chosen and the files last used."""

import json
from pathlib import Path
from typing import Any

from hextui.locations import named_path
from hextui.records.errors import RecordError
from hextui.records.saving import save_text
from hextui.ui.settings import Settings, document_of, read_settings

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
        try:
            self._kept = read_settings(document)
        except (ValueError, AttributeError, TypeError) as error:
            self._drop(self._settings_file, error)
            self._kept = Settings()
        return self._kept

    def keep(self, settings: Settings) -> None:
        """Keep settings, if they differ from those kept last."""
        if settings != self._kept:
            self._kept = settings
            self._save(self._settings_file, document_of(settings))

    def recent(self) -> list[str]:
        """Return the files last used, the newest first."""
        names = self._load(self._recent_file, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._drop(self._recent_file, ValueError("not a list of names"))
            return []
        return names

    def use(self, path: Path) -> None:
        """Put a file in front of those last used."""
        name = str(named_path(str(path)).absolute())
        before = self.recent()
        if before[:1] != [name]:
            names = [name, *(other for other in before if other != name)]
            self._save(self._recent_file, names[:RECENT_FILES])

    def _load(self, path: Path, default: Any) -> Any:
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return default
        except (OSError, ValueError, RecursionError) as error:
            self._drop(path, error)
            return default

    def _drop(self, path: Path, error: Exception) -> None:
        what = " ".join(str(error).split())
        self.problem = f"{path} was dropped: {what}"

    def _save(self, path: Path, document: Any) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_text(path, json.dumps(document, indent=1) + "\n")
        except RecordError as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{path}: {error.strerror or error}"
