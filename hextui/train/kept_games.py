"""Games against the program: kept on disk from the first move, so that they can be continued.

The games that are over are the results from which the `ladder` is made.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.engine.board import Color
from hextui.engine.entry_file import EntryFile
from hextui.records.codecs.sgf import read_sgf
from hextui.records.record import Record
from hextui.text import Names
from hextui.train.play_settings import PlaySettings, player_words


@dataclass(frozen=True)
class KeptGame:
    """A game against the program as it stands.

    ``begun``: when, in ISO format and UTC; no two games have the same. ``color`` is the user's.
    ``ply``: that of the position to move in, on the main line of the record in ``sgf``. ``start``:
    the ply from which the game was played. ``won``: whether the user won, None while the game goes
    on. ``helped``: whether the user took a move back, asked for a hint, or heard a remark of the
    coach.
    """

    begun: str
    settings: PlaySettings
    color: Color
    sgf: str = ""
    ply: int = 0
    start: int = 0
    won: bool | None = None
    helped: bool = False

    @staticmethod
    def new(settings: PlaySettings, color: Color, start: int = 0) -> "KeptGame":
        """Return a game that begins now."""
        begun = datetime.now(UTC).isoformat()
        return KeptGame(begun=begun, settings=settings, color=color, ply=start, start=start)

    @property
    def words(self) -> str:
        """Opponent, board and ply."""
        settings = self.settings
        return f"{player_words(settings.opponent)}, {settings.size}, ply {self.ply}"

    def record(self) -> Record:
        """Return the record. Raises RecordError."""
        return read_sgf(self.sgf)

    def rematch(self) -> PlaySettings:
        """Return the settings of the next game: the same with colours exchanged."""
        return replace(self.settings, color=self.color.opponent)


class GameStore(EntryFile):
    """The games on disk; see `EntryFile`."""

    TABLE = "games"
    ENTRIES = "games against the program"
    VERSION = 1
    IS_CACHE = False

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or locations.games_file(), most_bytes=256 << 20)

    def keep(self, game: KeptGame) -> bool:
        """Write a game as it stands; return whether it is on disk."""
        texts = game.settings.texts(Names.BLACK_WHITE)
        entry = {**asdict(game), "settings": texts, "color": str(game.color)}
        self.put_entry(game.begun.encode(), entry)
        return self.get_entry(game.begun.encode(), _game) == game

    def games(self) -> list[KeptGame]:
        """Return all games, in the order in which they were begun."""
        return sorted(self.all_entries(_game), key=lambda game: game.begun)


def unfinished(games: Iterable[KeptGame]) -> list[KeptGame]:
    """Return the games that go on, the newest first; ``games`` in the order of their begin."""
    return [game for game in games if game.won is None][::-1]


def _game(entry: Any) -> KeptGame:
    settings = PlaySettings.read(entry["settings"])
    game = KeptGame(**{**entry, "settings": settings, "color": Color.parse(entry["color"])})
    datetime.fromisoformat(game.begun)
    if not isinstance(game.sgf, str) or type(game.ply) is not int or type(game.start) is not int:
        raise TypeError("a game has a record and plies")
    return game
