"""What was fetched from other sites into a library, and when: a file of notes beside it."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hextui.locations import PRIVATE, open_file
from hextui.records.saving import save_file

SITE_NAMES = ("playhex", "littlegolem")
"""The sites whose players' games can be fetched, as users name them."""


@dataclass(frozen=True)
class Sync:
    """What was fetched of a player's games.

    ``last``: when a sync was complete, in UTC, '' if none was. ``mark``: the site's place for what
    is new. ``passed``: the ids of games that were fetched and are not in the library as such,
    because it has the same moves or cannot hold them.
    """

    site: str
    id: str
    name: str
    last: str = ""
    mark: str = ""
    passed: frozenset[str] = field(default_factory=frozenset)


def syncs_of(library: Path) -> list[Sync]:
    """Return what was fetched into a library, the latest first; a damaged note counts as none."""
    syncs = []
    unusable = (OSError, ValueError, TypeError, AttributeError)
    with suppress(*unusable), open_file(_notes_of(library)) as file:
        syncs = [_sync_of(entry) for entry in json.loads(file.read())]
    return sorted(syncs, key=lambda sync: sync.last, reverse=True)


def _sync_of(entry: dict[str, Any]) -> Sync:
    """Return a sync from its note. Raises TypeError or AttributeError for anything else."""
    passed = frozenset(map(str, entry.pop("passed")))
    texts = {name: str(value) for name, value in entry.items()}
    return Sync(passed=passed, **texts)


def _notes_of(library: Path) -> Path:
    return library.with_suffix(".syncs")


def noted_sync(library: Path, sync: Sync) -> Sync:
    """Return what is noted of the same player, or the sync itself."""
    for noted in syncs_of(library):
        if (noted.site, noted.id) == (sync.site, sync.id):
            return noted
    return sync


def note_sync(library: Path, sync: Sync) -> None:
    """Note what was fetched of a player. Raises RecordError if that cannot be saved."""
    others = [s for s in syncs_of(library) if (s.site, s.id) != (sync.site, sync.id)]
    entries = [asdict(s) | {"passed": sorted(s.passed)} for s in (*others, sync)]
    save_file(_notes_of(library), json.dumps(entries), PRIVATE)
