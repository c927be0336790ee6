"""The finished games of a player at playhex.org and littlegolem.net, asked for politely.

PlayHex lists games in JSON, up to 50 at once, with their moves. Little Golem lists the numbers of
all games on one page; each game is a file of its own.
"""

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, ClassVar, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from hextui.engine.limit import StoppedError
from hextui.records.codecs.codec import Site
from hextui.records.codecs.json_games import JsonGames
from hextui.records.codecs.littlegolem import LittleGolem
from hextui.records.codecs.sgf import write_sgf
from hextui.records.fetching import FetchError, fetched_text
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.text import counted

T = TypeVar("T")

PAUSE_SECONDS = 1.0
"""Between two requests to a site."""
BACK_OFF = (5.0, 20.0, 60.0)
"""Seconds before each further attempt, unless the site asks for more."""
LONGEST_WAIT = 300.0  # seconds that a site may ask for; a sync ends where it asks for more
_STEP = 0.1  # seconds between two looks whether to stop
_PAGE_GAMES = 50  # the most that PlayHex lists at once
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PLAYED = re.compile(rf"playhex\.org/games/({_UUID.pattern})")
_NUMBERED = re.compile(r"(?:[?&]gid=|game #)([0-9]{1,12})(?![0-9])")
_PLAYER_LINK = re.compile(r"""player\.jsp\?plid=([0-9]{1,10})["']\s*>([^<]*)</a>""")
_PLAYER_NUMBER = re.compile(r"(?:.*[?&]plid=)?([0-9]{1,10})(?![0-9]).*")
_KEPT = ("publicId", "boardsize", "moves", "winner", "outcome", "startedAt", "hostedGameToPlayers")
"""What is kept of a game of PlayHex, under its name there."""


class SitePlayer(NamedTuple):
    """A player of a site: the id there, and the name."""

    id: str
    name: str


@dataclass(frozen=True)
class FetchedGame:
    """A game of a site by its id there; ``record`` is the error if it cannot be read."""

    id: str
    record: Record | RecordError


@dataclass(frozen=True)
class Portion:
    """The games of one request; ``left`` more are to be fetched, None if that is not known.

    A sync that begins at ``mark`` gets what follows, '' where the site has no such mark.
    """

    games: Sequence[FetchedGame]
    left: int | None
    mark: str = ""


class Asker:
    """Asks one site for texts: one at a time, with pauses, again after an error that may pass.

    ``tell`` gets a line while the site is waited for, ``stopped`` ends it by StoppedError.
    ``patient``: it asks again.
    """

    def __init__(
        self,
        site: Site,
        tell: Callable[[str], None],
        stopped: Callable[[], bool],
        *,
        patient: bool = True,
    ) -> None:
        self._site = site
        self._patient = patient
        self._tell = tell
        self._stopped = stopped
        self._next = 0.0  # the time from which the site may be asked

    def ask(self, path: str, what: str, read: Callable[[str], T]) -> T:
        """Return what ``read`` makes of a text. Raises FetchError for the last of all attempts.

        A ValueError of ``read`` counts as an error that may pass.
        """
        address = "/".join(self._site.address.split("/", 3)[:3]) + path
        pauses = BACK_OFF if self._patient else ()
        for pause in (*pauses, None):
            self._wait_until(self._next)
            try:
                return self._read(fetched_text(self._site.name, address, what), what, read)
            except FetchError as error:
                wait = self._pause_after(error, pause)
                self._tell(f"{error}; next attempt in {wait:.0f} s")
                self._next = time.monotonic() + wait
            finally:
                self._next = max(self._next, time.monotonic() + PAUSE_SECONDS)
        raise AssertionError("the last attempt returns or raises")

    def _read(self, text: str, what: str, read: Callable[[str], T]) -> T:
        try:
            return read(text)
        except ValueError:
            error = FetchError(f"what it answered is not {what}", source=self._site.name)
            error.is_temporary = True
            raise error from None

    def _pause_after(self, error: FetchError, pause: float | None) -> float:
        """Return how long to wait after an error, which is raised if that is of no use."""
        if error.wait > LONGEST_WAIT:
            what = f"{error.what}: it asks to wait {error.wait:,.0f} s"
            raise FetchError(what, source=self._site.name) from None
        if pause is None or not error.is_temporary:
            raise error
        return max(pause, error.wait)

    def _wait_until(self, moment: float) -> None:
        while not self._stopped():
            left = moment - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _STEP))
        raise StoppedError


class SyncSite(ABC):
    """A site whose players' games can be fetched."""

    name: ClassVar[str]
    mark_in_text: ClassVar[str]
    """What occurs in the text of each game of the site in a library."""

    @property
    @abstractmethod
    def site(self) -> Site:
        """Its name and addresses."""

    @abstractmethod
    def id_in(self, text: str) -> str:
        """Return the id of a game from its text in a library, '' if it has none."""

    @abstractmethod
    def player(self, text: str, asker: Asker) -> SitePlayer:
        """Return the player whom a user calls so. Raises RecordError."""

    @abstractmethod
    def portions(
        self, player: SitePlayer, mark: str, stored: Container[str], asker: Asker
    ) -> Iterator[Portion]:
        """Yield the finished games after a mark whose ids are not stored. Raises RecordError."""


class PlayHex(SyncSite):
    """Finds players by their names or ids; lists games from the first to the last that ended.

    Source: the routes /api/players and /api/games of playhex.org's program.
    """

    name = "playhex"
    mark_in_text = "playhex.org/games/"

    @property
    def site(self) -> Site:
        """Its name and addresses."""
        assert JsonGames.site is not None
        return JsonGames.site

    def id_in(self, text: str) -> str:
        """Return the id of a game from its text in a library, '' if it has none."""
        match = _PLAYED.search(text)
        return match[1] if match else ""

    def player(self, text: str, asker: Asker) -> SitePlayer:
        """Return the player whom a user calls so. Raises RecordError."""
        name = text.strip().rstrip("/").rpartition("/")[2].lstrip("@")  # of a link, too
        path = f"/api/players/{name.lower()}"
        if not _UUID.fullmatch(name.lower()):
            slug = "-".join(re.findall(r"[^\W_]+", name.lower()))
            path = f"/api/players?slug={quote(slug)}"
        return asker.ask(path, f"player {name}", _player_of)

    def portions(
        self, player: SitePlayer, mark: str, stored: Container[str], asker: Asker
    ) -> Iterator[Portion]:
        """Yield the finished games whose ids are not stored. Raises RecordError."""
        begin = {"fromEndedAt": mark} if mark else {}
        before = None
        number = 0
        while True:
            query = {
                "states[0]": "ended",
                "players[0][publicId]": player.id,
                "endedAtSort": "asc",
                **begin,
                "paginationPageSize": _PAGE_GAMES,
                "paginationPage": number,
            }
            games = asker.ask(f"/api/games?{urlencode(query)}", "a list of games", _games_of)
            if games and games == before:
                raise FetchError("it lists the same games again and again", source=self.site.name)
            mark = games[-1]["endedAt"] if games else mark
            fetched = [_game_of(game) for game in games if game["publicId"] not in stored]
            is_last = len(games) < _PAGE_GAMES
            yield Portion(fetched, 0 if is_last else None, mark)
            if is_last:
                return
            before = games
            number += 1


def _player_of(text: str) -> SitePlayer:
    """Return the player of an answer. Raises ValueError for anything else."""
    answer = json.loads(text)
    if not (isinstance(answer, dict) and _UUID.fullmatch(str(answer.get("publicId")))):
        raise ValueError("not a player")
    return SitePlayer(answer["publicId"], str(answer.get("pseudo")))


def _games_of(text: str) -> list[dict[str, Any]]:
    """Return the games of an answer. Raises ValueError for anything else."""
    games = json.loads(text)
    if not isinstance(games, list) or not all(isinstance(game, dict) for game in games):
        raise ValueError("not a list of games")
    for game in games:
        is_game = _UUID.fullmatch(str(game.get("publicId")))
        if not (is_game and isinstance(game.get("endedAt"), str)):
            raise ValueError("not a game that has ended")
    return games


def _game_of(game: dict[str, Any]) -> FetchedGame:
    kept = {name: game[name] for name in _KEPT if name in game}
    # as the site's export of all games calls them
    kept |= {"allowSwap": game.get("swapRule"), "rated": game.get("ranked")}
    try:
        record = read_record(json.dumps(kept), strict=True)
        return FetchedGame(game["publicId"], read_record(write_sgf(record)))
    except RecordError as error:
        return FetchedGame(game["publicId"], error)


class LittleGolemPlayers(SyncSite):
    """Finds players by their numbers or names; fetches games one by one, the newest first."""

    name = "littlegolem"
    mark_in_text = "littlegolem"

    @property
    def site(self) -> Site:
        """Its name and addresses."""
        return LittleGolem.site

    def id_in(self, text: str) -> str:
        """Return the id of a game from its text in a library, '' if it has none."""
        match = _NUMBERED.search(text)
        return match[1] if match else ""

    def player(self, text: str, asker: Asker) -> SitePlayer:
        """Return the player whom a user calls so. Raises RecordError."""
        name = text.strip()
        if match := _PLAYER_NUMBER.fullmatch(name):
            return SitePlayer(match[1], match[1])
        path = f"/jsp/info/player_list.jsp?{urlencode({'filter': name})}"
        for number, listed in _PLAYER_LINK.findall(asker.ask(path, "a list of players", str)):
            if unescape(listed).strip().casefold() == name.casefold():
                return SitePlayer(number, name)
        raise FetchError(f"there is no player {name}", source=self.site.name)

    def portions(
        self, player: SitePlayer, mark: str, stored: Container[str], asker: Asker
    ) -> Iterator[Portion]:
        """Yield the finished games whose ids are not stored. Raises RecordError."""
        path = f"/jsp/info/player_game_list.jsp?gtid=hex&plid={player.id}"
        page = asker.ask(path, f"player {player.name}", str)
        listed = {int(number) for number in re.findall(r"game\.jsp\?gid=([0-9]{1,12})", page)}
        if not listed:
            what = f"it lists no finished game of player {player.name}"
            raise FetchError(what, source=self.site.name)
        wanted = [str(n) for n in sorted(listed, reverse=True) if str(n) not in stored]
        yield Portion([], len(wanted))
        failed = 0
        for done, number in enumerate(wanted, start=1):
            game = FetchedGame(number, self._record(number, asker))
            failed = failed + 1 if isinstance(game.record, RecordError) else 0
            yield Portion([game], len(wanted) - done)
            if failed == 3:  # the site has a problem, not the game
                what = f"{counted(failed, 'game')} in a row could not be read: {game.record}"
                raise FetchError(what, source=self.site.name)

    def _record(self, number: str, asker: Asker) -> Record | RecordError:
        path = f"/servlet/sgf/{number}/game{number}.hsgf"
        try:
            text = asker.ask(path, f"game {number}", str)
        except FetchError as error:
            if error.is_temporary:
                raise
            return error
        if not text.lstrip("\ufeff \r\n\t").startswith("("):
            return RecordError(f"there is no game {number}", source=self.site.name)
        try:
            record = read_record(text, strict=True)
            if not record.info("PC"):
                link = f"https://littlegolem.net/jsp/game/game.jsp?gid={number}"
                record.set_texts(record.root, {"PC": link})
            return read_record(write_sgf(record))
        except RecordError as error:
            return error.in_source(f"{self.site.name}: game {number}")


SITES: dict[str, SyncSite] = {site.name: site for site in (PlayHex(), LittleGolemPlayers())}
"""The sites whose players' games can be fetched, by the names that commands take."""
