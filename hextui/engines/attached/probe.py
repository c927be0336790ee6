"""Tests an engine, and reports in words its name, its boards and its speed."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines import limits
from hextui.engines.attached.engine_config import AttachedConfig
from hextui.engines.attached.engine_session import EngineSession, RefusedError
from hextui.engines.attached.searches import search
from hextui.engines.questions import Examine
from hextui.engines.snapshot import Examined
from hextui.engines.supervisor import EngineGoneError
from hextui.words.names import counted

SIDES = (3, 5, 7, 9, 11, 13, 14, 15, 17, 19)
USUAL = 11
SEARCH_SECONDS = 2.0
FIRST_SECONDS = 30.0
"""Of a second search where the first gave no result: a network may still be loaded."""


def probe(
    config: AttachedConfig, begun_with: Callable[[EngineSession], None] = lambda session: None
) -> Iterator[str]:
    """Yield the findings, a line each; raises EngineGoneError and RefusedError where it fails.

    ``begun_with`` gets the session, so that another thread can kill the engine.
    """
    begun = time.monotonic()
    session = EngineSession(config)
    try:
        begun_with(session)
        session.begin()
        seconds = time.monotonic() - begun
        name, version = session.ask("name"), _version(session)
        yield f"{name} {version}".strip() + f" answered after {seconds:.1f} s"
        yield f"it knows {counted(len(session.commands), 'command')}"
        sides = [side for side in SIDES if _takes(session, side)]
        yield _boards(sides)
        fitting = [side for side in sides if config.smallest <= side <= config.largest]
        if fitting:
            side = USUAL if USUAL in fitting else fitting[-1]
            yield from _search(session, Board(side, side))
    except EngineGoneError:
        session.bury()
        raise
    finally:
        session.close()


def last_lines(error: EngineGoneError) -> str:
    """Return the last lines of an engine's standard error under a heading, '' if there are none."""
    if not error.last_lines:
        return ""
    head = f"its last {counted(len(error.last_lines), 'line')} on standard error:"
    return "\n".join([head, *(f"  {line}" for line in error.last_lines)])


def _version(session: EngineSession) -> str:
    try:
        return session.ask("version")
    except RefusedError:
        return ""


def _takes(session: EngineSession, side: int) -> bool:
    try:
        session.ask(f"boardsize {side} {side}", limits.LOAD)
    except RefusedError:
        return False
    return True


def _boards(sides: list[int]) -> str:
    if not sides:
        return f"it takes no board of {', '.join(map(str, SIDES))} rows"
    refused = [str(side) for side in SIDES if side not in sides]
    but = f"; it refuses {', '.join(refused)}" if refused else ""
    return f"it takes boards of {', '.join(map(str, sides))} rows{but}"


def _search(session: EngineSession, board: Board) -> Iterator[str]:
    position = Position.empty(board)
    session.set_position(position)
    begun, first, found = time.monotonic(), 0.0, Examined(position, session.config.name)

    def never() -> bool:
        return False

    def enough() -> bool:
        return bool(first) and time.monotonic() - begun - first >= SEARCH_SECONDS

    for seconds, stop in ((SEARCH_SECONDS, never), (FIRST_SECONDS, enough)):
        with closing(search(session, Examine(position), Limit(seconds), stop)) as results:
            for found in results:
                if found.moves and not first:
                    first = time.monotonic() - begun
        if found.moves:
            break
    if not found.moves:
        yield f"on {board} it named no legal move in {time.monotonic() - begun:.0f} s"
        return
    yield f"first analysis of {board} after {first:.1f} s"
    if found.visits and found.seconds:
        yield f"{found.visits / found.seconds:,.0f} visits a second"
    best = found.moves[0]
    winrate = "" if best.winrate is None else f", win rate {best.winrate:.0%}"
    yield f"it would open with {board.name(best.cell)}{winrate}"
