"""What the program keeps for the user, by names: where it is, how large, and how to remove it."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hextui import locations


@dataclass(frozen=True)
class KeptFiles:
    """Files of one kind: what they hold, their folder, and how their names begin.

    Without a ``prefix`` they are all that no other kind has of the folder.
    """

    text: str
    folder: Callable[[], Path]
    prefix: str

    def paths(self) -> list[Path]:
        """Return the files and folders of this kind that are there, sorted."""
        folder = self.folder()
        if not folder.is_dir():
            return []
        names = sorted(path.name for path in folder.iterdir())
        if self.prefix:
            return [folder / name for name in names if name.startswith(self.prefix)]
        # some systems give settings, data and state one folder
        others = tuple(kind.prefix for kind in KEPT.values() if kind.prefix)
        return [folder / name for name in names if not name.startswith(others)]

    @property
    def bytes(self) -> int:
        """Return the size of all of them."""
        return sum(_size(path) for path in self.paths())

    def remove(self) -> None:
        """Remove them, and their folder once it is empty; raises OSError."""
        for path in self.paths():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        with suppress(OSError):  # it is not empty, or never was there
            self.folder().rmdir()


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    if path.is_symlink() or not path.is_dir():
        return path.lstat().st_size
    return sum(_size(child) for child in path.iterdir())


def _config_folder() -> Path:
    return locations.config_file().parent


KEPT = {
    "settings": KeptFiles("your settings and engines", _config_folder, "config"),
    "library": KeptFiles("the games that you imported", locations.data_folder, "library"),
    "puzzles": KeptFiles("your puzzles and your mistakes", locations.data_folder, "puzzles"),
    "studies": KeptFiles("results of matches and studies", locations.data_folder, "studies"),
    "games": KeptFiles("your games against the program", locations.state_folder, "games."),
    "training": KeptFiles("puzzles solved, puzzles due", locations.state_folder, "training."),
    "reviews": KeptFiles("reviews of games", locations.state_folder, "reviews."),
    "session": KeptFiles("recent files, unsaved edits, logs", locations.state_folder, ""),
    "cache": KeptFiles("what can be computed again", locations.cache_folder, ""),
}
"""What is kept, by its name."""
