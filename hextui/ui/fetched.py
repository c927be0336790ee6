"""Games of other sites for the screen, which does not wait for them, not even at its end."""

import asyncio
import threading
from contextlib import suppress

from hextui.records.errors import RecordError
from hextui.ui import files
from hextui.ui.session import Session


async def fetched_session(link: str) -> Session:
    """Open the game that a link leads to; raises RecordError.

    A thread of its own fetches it: the end of the program waits for those of the loop.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Session] = loop.create_future()

    def take(session: Session | None, error: RecordError | None) -> None:
        if found.done():  # given up
            return
        if error is not None:
            found.set_exception(error)
        elif session is not None:
            found.set_result(session)

    def fetch() -> None:
        session, problem = None, None
        try:
            session = files.open_session(link)
        except RecordError as error:
            problem = error
        with suppress(RuntimeError):  # the program has ended
            loop.call_soon_threadsafe(take, session, problem)

    threading.Thread(target=fetch, name="open-link", daemon=True).start()
    return await found
