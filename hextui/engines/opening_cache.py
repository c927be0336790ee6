"""The evaluations of first moves on disk.

They are in one JSON file beside that of solved positions, which may be deleted at any time. It
names the network and the settings of the search; results of others are dropped, and so is a
damaged file.
"""

import json
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_weights
from hextui.engine.search.judged_openings import JudgedOpening, judged_openings
from hextui.engine.search.tree_growth import TreeSettings
from hextui.engine.search.win_probability import FIRST_WEIGHT, NETWORK_STRETCH, STRETCH
from hextui.engine.solver import solution_cache
from hextui.engine.solver.opening_map import OpeningMap
from hextui.records.errors import RecordError
from hextui.records.saving import save_text

VERSION = 1
"""To be raised when the search gives other results with the same settings."""

_Judged = dict[str, dict[str, list[Any]]]
"""By board and nodes: the win probability of each first move, and whether it is proved."""


@cache
def judged_by() -> str:
    """Return a text that identifies the network and the settings of the search."""
    numbers = f"{STRETCH} {NETWORK_STRETCH} {FIRST_WEIGHT}"
    return f"{VERSION} {zlib.crc32(shipped_weights()):08x} {TreeSettings()} {numbers}"


class OpeningCache:
    """The evaluations on disk.

    If the file cannot be used, nothing is found or kept, and ``problem`` says why in one line.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or solution_cache.default_path().with_name("judged.json")
        self.problem = ""

    def get(self, board: Board, nodes: int) -> list[JudgedOpening]:
        """Return the first moves of a board that were searched with so many nodes each."""
        name = f"{board} {nodes}"
        return _openings(name, self._read().get(name, {}))

    def put(self, board: Board, nodes: int, judged: JudgedOpening) -> None:
        """Keep a first move."""
        known = self._read()
        moves = known.setdefault(f"{board} {nodes}", {})
        moves[board.name(judged.cell)] = [judged.chance, judged.proved]
        text = json.dumps(known)
        document = {"by": judged_by(), "checksum": zlib.crc32(text.encode()), "judged": text}
        try:
            locations.make_private_folder(self._path.parent)
            save_text(self._path, json.dumps(document) + "\n", locations.PRIVATE)
        except (RecordError, OSError) as error:
            self.problem = f"judged first moves are not kept: {error}"

    def _read(self) -> _Judged:
        """Return the contents of the file, nothing if it is missing or of another search."""
        try:
            with locations.open_private_file(self._path) as file:
                document = json.load(file)
            if document["by"] != judged_by():
                return {}
            if zlib.crc32(document["judged"].encode()) != document["checksum"]:
                raise ValueError("it does not match its checksum")
            found: _Judged = json.loads(document["judged"])
            for name, moves in found.items():
                _openings(name, moves)
            return found
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.problem = f"{self._path}: dropped, it was damaged"
        except locations.UntrustedError as error:
            self.problem = f"{self._path}: dropped: {error.strerror}"
        except OSError as error:
            self.problem = f"{self._path}: judged first moves are not read: {error.strerror}"
        return {}


def _openings(name: str, moves: Mapping[str, list[Any]]) -> list[JudgedOpening]:
    """Return the first moves under a name of the file.

    Raises ValueError, TypeError or AttributeError if they are damaged.
    """
    board = Board.parse(name.partition(" ")[0])
    found = []
    for cell, (chance, proved) in moves.items():
        if not (0 <= chance <= 1 and isinstance(proved, bool)):
            raise ValueError(f"{cell}: no probability, or no truth")
        found.append(JudgedOpening(board.cell(cell), chance, proved))
    return found


def judge_or_recall(
    found: OpeningMap,
    limit: Limit,
    cache: OpeningCache,
    stop: Callable[[], bool] = lambda: False,
    judged: Collection[int] = (),
) -> Iterator[JudgedOpening]:
    """Yield the results of `judged_openings`, those on disk first.

    A search with a limit in seconds differs each time, so it is not kept.
    """
    board, nodes = found.board, limit.nodes if limit.seconds is None else None
    known = [] if nodes is None else cache.get(board, nodes)
    recalled = [one for one in known if one.cell not in judged and found[one.cell].winner is None]
    yield from recalled
    for one in judged_openings(found, limit, stop, {*judged, *(each.cell for each in recalled)}):
        if nodes is not None and found[one.cell].winner is None:
            cache.put(board, nodes, one)
        yield one
