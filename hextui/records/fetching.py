"""Fetch games of littlegolem.net and playhex.org by number or link.

A fetch ends within its time limit, whatever the network does. Errors are one line.
"""

import re
import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from hextui.records.errors import RecordError
from hextui.version import __version__

SECONDS = 15.0
"""The time limit of a fetch."""
MOST_BYTES = 8 << 20
"""The size limit of a game, which normally has some kilobytes."""
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass(frozen=True)
class Site:
    """A site of games: how its games are named, linked to, and where a game's record is.

    ``link`` and ``bare`` are patterns whose group 1 is the game's name; ``address`` is the
    record's, with {} for that name.
    """

    name: str
    link: re.Pattern[str]
    bare: re.Pattern[str]
    address: str


SITES = (
    Site(
        "littlegolem.net",
        re.compile(
            r"https?://(?:www\.)?littlegolem\.net/"
            r"(?:jsp/game/game\.jsp\?(?:[^#]*&)?gid=|servlet/sgf/)([0-9]{1,12})(?![0-9]).*",
            re.IGNORECASE,
        ),
        re.compile(r"([0-9]{3,12})"),
        "https://littlegolem.net/servlet/sgf/{0}/game{0}.hsgf",
    ),
    Site(
        "playhex.org",
        re.compile(rf"https?://(?:www\.)?playhex\.org/games/({_UUID})(?:[/?#].*)?", re.IGNORECASE),
        re.compile(rf"({_UUID})", re.IGNORECASE),
        "https://playhex.org/api/games/{0}",
    ),
)


def is_game_link(text: str) -> bool:
    """Whether a text is a link to a game that can be fetched."""
    return any(site.link.fullmatch(text.strip()) for site in SITES)


def fetch_link(text: str, seconds: float = SECONDS) -> str:
    """Return the text of the record that a link leads to; raises RecordError."""
    for site in SITES:
        if found := site.link.fullmatch(text.strip()):
            return _fetch(site, found[1].lower(), seconds)
    raise RecordError("no link to a game of littlegolem.net or playhex.org", source=text)


def fetch_game(text: str, seconds: float = SECONDS) -> str:
    """Return the text of a record by its link, number (Little Golem) or id (PlayHex).

    Raises RecordError.
    """
    for site in SITES:
        if found := site.bare.fullmatch(text.strip()):
            return _fetch(site, found[1].lower(), seconds)
    return fetch_link(text, seconds)


def _fetch(site: Site, game: str, seconds: float) -> str:
    """Return the record of a game from a site; raises RecordError.

    A thread enforces the time limit, because name resolution has none of its own.
    """
    heard: SimpleQueue[str | RecordError] = SimpleQueue()

    def fetch() -> None:
        try:
            heard.put(_read(site, game, seconds))
        except RecordError as error:
            heard.put(error)

    threading.Thread(target=fetch, name="fetch", daemon=True).start()
    try:
        found = heard.get(timeout=seconds)
    except Empty:
        found = RecordError(f"no answer in {seconds:g} s", source=site.name)
    if isinstance(found, RecordError):
        raise found
    return found


def _read(site: Site, game: str, seconds: float) -> str:
    import urllib.error  # here: it takes longer to import than most commands do
    import urllib.request
    from http.client import HTTPException, HTTPMessage
    from typing import IO
    from urllib.parse import urlsplit

    class OwnHostOnly(urllib.request.HTTPRedirectHandler):
        def redirect_request(
            self,
            req: urllib.request.Request,
            fp: IO[bytes],
            code: int,
            msg: str,
            headers: HTTPMessage,
            newurl: str,
        ) -> urllib.request.Request | None:
            to = urlsplit(newurl)
            if to.scheme != "https" or to.netloc.lower() != req.host.lower():
                return None  # the redirect itself is the answer
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    headers = {"User-Agent": f"hextui/{__version__}"}
    request = urllib.request.Request(site.address.format(game), headers=headers)
    try:
        opener = urllib.request.build_opener(OwnHostOnly)
        with opener.open(request, timeout=seconds) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        what = f"there is no game {game}" if error.code == 404 else f"it answers {error}"
        if where := error.headers.get("Location"):
            what = f"it redirects to {where}; only https to the same host is followed"
        raise RecordError(what, source=site.name) from None
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        what = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise RecordError(f"cannot be reached: {what}", source=site.name) from None
    if len(data) > MOST_BYTES:
        raise RecordError(f"game {game} has more than {MOST_BYTES >> 20} MiB", source=site.name)
    text = data.decode("utf-8", "surrogateescape")
    if not text.lstrip("\ufeff \r\n\t").startswith(("(", "{")):
        raise RecordError(f"there is no game {game}", source=site.name)
    return text
