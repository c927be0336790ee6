"""Fetch games of other sites by number or link (see ``Codec.site``).

A fetch ends within its time limit, whatever the network does. Errors are one line.
"""

import threading
from typing import Any

from hextui.records import codecs
from hextui.records.codecs.codec import Site
from hextui.records.errors import RecordError
from hextui.version import __version__

SECONDS = 15.0
"""The time limit of a fetch."""
MOST_BYTES = 8 << 20
"""The size limit of a game, which normally has some kilobytes."""


def _found(text: str, bare: bool = False) -> tuple[Site, str] | None:
    """Return the site and the name of a game from its link; with ``bare`` also from its name."""
    text = text.strip()
    for site in (codec.site for codec in codecs.CODECS if codec.site):
        if match := site.link.fullmatch(text) or (bare and site.bare.fullmatch(text)):
            return site, match[1].lower()
    return None


def is_game_link(text: str) -> bool:
    """Whether a text is a link to a game that can be fetched."""
    return _found(text) is not None


def fetch_game(text: str, seconds: float = SECONDS) -> str:
    """Return the text of a record by its link, number (Little Golem) or id (PlayHex).

    Raises RecordError.
    """
    found = _found(text, bare=True)
    if found is None:
        known = " or ".join(codec.site.name for codec in codecs.CODECS if codec.site)
        raise RecordError(f"no link to a game of {known}", source=text)
    return _fetch(*found, seconds)


def _fetch(site: Site, game: str, seconds: float) -> str:
    """Return the record of a game from a site; raises RecordError.

    A thread enforces the time limit, because name resolution has none of its own.
    """
    found: list[str | RecordError] = []

    def fetch() -> None:
        try:
            found.append(_read(site, game, seconds))
        except RecordError as error:
            found.append(error)

    thread = threading.Thread(target=fetch, name="fetch", daemon=True)
    thread.start()
    thread.join(seconds)
    answer = found[0] if found else RecordError(f"no answer in {seconds:g} s", source=site.name)
    if isinstance(answer, RecordError):
        raise answer
    return answer


def _read(site: Site, game: str, seconds: float) -> str:
    import urllib.error  # here: it takes longer to import than most commands do
    import urllib.request
    from http.client import HTTPException
    from urllib.parse import urlsplit

    class OwnHostOnly(urllib.request.HTTPRedirectHandler):
        def redirect_request(
            self, req: urllib.request.Request, *answer: Any
        ) -> urllib.request.Request | None:
            to = urlsplit(answer[-1])
            if to.scheme != "https" or to.netloc.lower() != req.host.lower():
                return None  # the redirect itself is the answer
            return super().redirect_request(req, *answer)

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
