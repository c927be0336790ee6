"""Completes the name of a file while it is typed."""

import os
from collections.abc import Sequence

from textual.suggester import Suggester

from hextui.locations import named_path


class PathSuggester(Suggester):
    """Suggests a file used before, else the first name in the folder that goes on as typed."""

    def __init__(self, recent: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._recent = recent

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole text with what completes it, if anything does."""
        if not value:
            return None
        for name in self._recent:
            if name.startswith(value) and name != value:
                return name
        folder, _, begin = value.rpartition("/")
        if not begin:
            return None
        place = named_path(folder + "/" if "/" in value else ".")
        try:
            with os.scandir(place) as entries:
                found = sorted(
                    entry.name + "/" * entry.is_dir()
                    for entry in entries
                    if entry.name.startswith(begin)
                )
        except (OSError, ValueError):  # no folder, or no name of one
            return None
        return value + found[0][len(begin) :] if found and found[0] != begin else None
