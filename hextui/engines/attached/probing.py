"""Tries an engine out, and says in words what was found: what it is, its boards, its speed."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.attached.configured import AttachedConfig, Dialect
from hextui.engines.attached.conversation import Conversation, EngineGoneError, RefusedError
from hextui.engines.attached.examining import Examine, Examined
from hextui.engines.attached.placed_stones import SIZE_SECONDS, PlacedStones
from hextui.engines.attached.searches import htp_search, kata_search
from hextui.engines.attached.traffic import Traffic
from hextui.words.names import counted

SIDES = (3, 5, 7, 9, 11, 13, 14, 15, 17, 19)
USUAL = 11
SEARCH_SECONDS = 2.0
FIRST_SECONDS = 30.0
"""So long one more search may take where nothing came of the first: a network may be loaded."""


def probe(
    config: AttachedConfig, begun_with: Callable[[Conversation], None] = lambda talk: None
) -> Iterator[str]:
    """Yield what is found, a line each; raises EngineGoneError and RefusedError where it fails.

    ``begun_with`` gets the conversation, so that somebody else can hang up.
    """
    begun = time.monotonic()
    talk = Conversation(config, Traffic())
    try:
        begun_with(talk)
        known = talk.begin()
        seconds = time.monotonic() - begun
        name, version = talk.ask("name"), _version(talk)
        yield f"{name} {version}".strip() + f" answered after {seconds:.1f} s"
        yield f"it knows {counted(len(known), 'command')}"
        sides = [side for side in SIDES if _takes(talk, side)]
        yield _boards(sides)
        fitting = [side for side in sides if config.smallest <= side <= config.largest]
        if fitting:
            side = USUAL if USUAL in fitting else fitting[-1]
            yield from _search(talk, Board(side, side), known)
    except EngineGoneError:
        talk.kill()
        raise
    finally:
        talk.close()


def _version(talk: Conversation) -> str:
    try:
        return talk.ask("version")
    except RefusedError:
        return ""


def _takes(talk: Conversation, side: int) -> bool:
    try:
        talk.ask(f"boardsize {side} {side}", SIZE_SECONDS)
    except RefusedError:
        return False
    return True


def _boards(sides: list[int]) -> str:
    if not sides:
        return f"it takes no board of {', '.join(map(str, SIDES))} rows"
    refused = [str(side) for side in SIDES if side not in sides]
    but = f"; it refuses {', '.join(refused)}" if refused else ""
    return f"it takes boards of {', '.join(map(str, sides))} rows{but}"


def _search(talk: Conversation, board: Board, known: frozenset[str]) -> Iterator[str]:
    position = Position.empty(board)
    PlacedStones(talk.config.dialect).bring(talk, position)
    begun, first, found = time.monotonic(), 0.0, Examined(position, talk.config.name)

    def never() -> bool:
        return False

    def enough() -> bool:
        return bool(first) and time.monotonic() - begun - first >= SEARCH_SECONDS

    for seconds, stop in ((SEARCH_SECONDS, never), (FIRST_SECONDS, enough)):
        question, limit = Examine(position), Limit(seconds)
        if talk.config.dialect is Dialect.HTP:
            search = htp_search(talk, question, limit, stop, known)
        else:
            search = kata_search(talk, question, limit, stop)
        with closing(search):
            for found in search:
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
