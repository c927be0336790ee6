"""Fetch texts from other sites: within a time limit, from the site's own host only."""

import threading
from concurrent.futures import Future
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from hextui.records.record_text import RecordError
from hextui.version import __version__

if TYPE_CHECKING:
    from urllib.error import HTTPError

FETCH_SECONDS = 15.0  # the time limit of a fetch
MOST_FETCHED = 8 << 20  # the size limit of a text; a game normally has some kilobytes
_TEMPORARY = (408, 425, 429, 500, 502, 503, 504)  # statuses that another request may not get


class FetchError(RecordError):
    """A site that gave no text.

    ``is_temporary``: another request may succeed, after ``wait`` seconds if the site names a time.
    """

    is_temporary = False
    wait = 0.0


def fetched_text(site: str, address: str, what: str, seconds: float = FETCH_SECONDS) -> str:
    """Return the text at an address of a site, ``what`` in error messages. Raises FetchError."""
    answer: Future[str] = Future()

    def fetch() -> None:
        try:
            answer.set_result(_fetched(site, address, what, seconds))
        except RecordError as error:
            answer.set_exception(error)

    # It enforces the time limit, because name resolution has none of its own.
    threading.Thread(target=fetch, name="fetch", daemon=True).start()
    try:
        return answer.result(seconds)
    except TimeoutError:
        raise _temporary(site, f"no answer in {seconds:g} s") from None


def _temporary(site: str, what: str, wait: float = 0.0) -> FetchError:
    error = FetchError(what, source=site)
    error.is_temporary = True
    error.wait = wait
    return error


def _fetched(site: str, address: str, what: str, seconds: float) -> str:
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
    request = urllib.request.Request(address, headers=headers)
    try:
        opener = urllib.request.build_opener(OwnHostOnly)
        with opener.open(request, timeout=seconds) as answer:
            data: bytes = answer.read(MOST_FETCHED + 1)
            missing = answer.length  # bytes that were announced and have not come
    except urllib.error.HTTPError as error:
        raise _refusal(site, what, error) from None
    except (OSError, ValueError, HTTPException) as error:
        cause = getattr(error, "reason", None) or error
        reason = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        raise _temporary(site, f"cannot be reached: {reason}") from None
    if len(data) > MOST_FETCHED:
        raise FetchError(f"{what} has more than {MOST_FETCHED >> 20} MiB", source=site)
    if missing:
        raise _temporary(
            site, f"the answer ends after {len(data):,} bytes, {missing:,} are missing"
        )
    return data.decode("utf-8", "surrogateescape")


def _refusal(site: str, what: str, error: "HTTPError") -> FetchError:
    """Return the error for a status that is no success."""
    if where := error.headers.get("Location"):
        reason = f"it redirects to {where}; only https to the same host is followed"
        return FetchError(reason, source=site)
    if error.code in _TEMPORARY:
        wait = _seconds_asked(error.headers.get("Retry-After", ""))
        return _temporary(site, f"it answered {error}", wait)
    reason = f"there is no {what}" if error.code == 404 else f"it answered {error}"
    return FetchError(reason, source=site)


def _seconds_asked(text: str) -> float:
    """Return the seconds of a Retry-After header, a number or a date; 0 for anything else.

    Source: RFC 9110, section 10.2.3.
    """
    if text.strip().isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
