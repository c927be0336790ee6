"""Searches of attached engines: KataHex's until it is stopped, Benzene's until it answers.

Both generators yield improving results, and leave the engine idle however they end. `probe` tests
an engine: its name, boards and speed.
"""

import itertools
import math
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines import limits
from hextui.engines.engine import EngineGoneError, Stop
from hextui.engines.engine_config import AttachedConfig, Dialect
from hextui.engines.engine_session import EngineSession, RefusedError, SilentError
from hextui.engines.questions import SearchMoves
from hextui.engines.snapshot import ReportedMove, SearchReport
from hextui.engines.text_protocols import (
    EngineReply,
    Graphics,
    Report,
    cell_of,
    read_bounds,
    read_graphics,
    read_points,
    read_report,
    read_scores,
    read_values,
    vertex,
    with_best,
    with_proofs,
)
from hextui.records.text import shorten
from hextui.words.names import counted

SIDES = (3, 5, 7, 9, 11, 13, 14, 15, 17, 19)
USUAL = 11
SEARCH_SECONDS = 2.0
FIRST_SECONDS = 30.0
"""Of a second search where the first gave no result: a network may still be loaded."""
_ALL_PLIES = 1000  # more than any game has
_NO_CELL = ("none", "pass", "resign", "swap-pieces", "swap-sides")
_ANALYSIS, _BOUNDS = "gogui-gfx-analyze", "dfpn-get-bounds"
"""Commands that show lines as they improve, and that report which moves a solver has decided."""


def search(
    session: EngineSession, question: SearchMoves, limit: Limit, stop: Stop
) -> Generator[SearchReport, None, None]:
    """Yield what an engine reports of a position; raises RefusedError and EngineGoneError."""
    session.set_position(question.position)
    search = _search_htp if session.config.dialect is Dialect.HTP else _search_kata
    yield from search(session, question, limit, stop)


def _search_kata(
    session: EngineSession, question: SearchMoves, limit: Limit, stop: Stop
) -> Generator[SearchReport, None, None]:
    position, dialect = question.position, session.config.dialect
    begun = time.monotonic()
    end = begun + (math.inf if limit.seconds is None else limit.seconds)
    interval = min(limits.REPORT, max(0.01, 0.5 * (limit.seconds or 1.0)))
    number = session.send(_analyze(question, dialect, round(100 * interval)))
    timeout = limits.Timeout(limits.ANSWER)
    running = True
    try:
        while running and not stop():
            match session.hear(min(end - time.monotonic(), timeout.step)):
                case EngineReply(its, ok, text) if its == number:
                    running = False
                    if not ok:
                        raise RefusedError(text)
                case Report(its, line) if its == number:
                    timeout = limits.Timeout(limits.ANSWER)
                    found = _reported(position, session.config.name, dialect, line, begun)
                    yield found
                    if limit.nodes is not None and found.visits >= limit.nodes:
                        return
            if time.monotonic() >= end:
                return
            if not timeout.left:
                silence = f"reported nothing for {limits.ANSWER:g} s"
                raise EngineGoneError(silence, session.last_lines)
    finally:
        if running:
            session.ask("stop")  # before its reply a last report may come, and the end of the first


def _analyze(question: SearchMoves, dialect: Dialect, centiseconds: int) -> str:
    position = question.position
    mover, scope = str(position.to_move)[0], question.scope
    words = [f"kata-analyze {mover} {centiseconds} ownership true"]
    inside = [c for c in position.empties if scope.allows(c, first=False)]
    outside = set(position.empties).difference(inside)
    # one list for each colour: "allow" excludes other lists
    avoided = [(color, outside, _ALL_PLIES) for color in "bw"]
    avoided.append((mover, {c for c in inside if not scope.allows(c, first=True)}, 1))
    for color, cells, plies in avoided:
        if cells:
            points = ",".join(vertex(dialect, position.board, cell) for cell in sorted(cells))
            words.append(f"avoid {color} {points} {plies}")
    return " ".join(words)


def _reported(
    position: Position, name: str, dialect: Dialect, line: str, begun: float
) -> SearchReport:
    moves, ownership = read_report(line, _reader(position, dialect))
    moves = _legal(position, moves)
    return SearchReport(
        position,
        name,
        moves,
        sum(move.visits for move in moves if move.copy_of is None),
        time.monotonic() - begun,
        ownership if len(ownership) == position.board.cells else (),
    )


def _reader(position: Position, dialect: Dialect) -> Callable[[str], int | None]:
    return lambda word: cell_of(dialect, position.board, word)


def _legal(position: Position, moves: tuple[ReportedMove, ...]) -> tuple[ReportedMove, ...]:
    """Return the moves that are legal: an engine may report another position, or be wrong."""
    return tuple(move for move in moves if position.stones[move.cell] == 0)


def _search_htp(
    session: EngineSession, question: SearchMoves, limit: Limit, stop: Stop
) -> Generator[SearchReport, None, None]:
    """Yield what an engine shows while it searches, and then its results.

    One without a command that shows an analysis is asked to choose a move.
    """
    position, name = question.position, session.config.name
    read = _reader(position, session.config.dialect)
    begun = time.monotonic()
    end = begun + (math.inf if limit.seconds is None else limit.seconds)
    shows = _ANALYSIS in session.commands and not question.choose
    number = session.send(f"{_ANALYSIS if shows else 'reg_genmove'} {position.to_move}")
    found = SearchReport(position, name)
    answer = ""
    try:
        while not answer:
            full = limit.nodes is not None and found.visits >= limit.nodes
            if stop() or full or time.monotonic() >= end:
                answer = _interrupted(session, number)
                break
            match session.hear(None if math.isinf(end) else end - time.monotonic()):
                case EngineReply(its, ok, text) if its in (number, ""):
                    if not ok:
                        raise RefusedError(text)
                    answer = text.strip() or "none"
                case Graphics(lines):
                    moves = _legal(position, read_graphics(lines, read))
                    visits = sum(move.visits for move in moves)
                    found = SearchReport(position, name, moves, visits, time.monotonic() - begun)
                    yield found
    except GeneratorExit:
        if not answer:
            _interrupted(session, number)
        raise
    if stop():
        return
    if not shows:
        _check_legal(position, answer, read(answer))
    winner: Color | None = position.to_move.opponent if answer == "resign" else None
    judged = found.moves if shows else _moves(session, read, answer)
    moves = _legal(position, with_proofs(judged, _proved(session, read, position)))
    visits = sum(move.visits for move in moves)
    yield SearchReport(position, name, moves, visits, time.monotonic() - begun, winner=winner)


def _check_legal(position: Position, answer: str, cell: int | None) -> None:
    """Raise RefusedError for an answer that is neither a legal move nor one of the other words."""
    legal = answer.lower() in _NO_CELL if cell is None else position.stones[cell] == 0
    if not legal:
        raise RefusedError(f"{shorten(answer, 40)!r}, which is no legal move on {position.board}")


def _interrupted(session: EngineSession, number: str) -> str:
    """Interrupt a search and return its reply.

    Benzene loses an interrupt that arrives before the search has begun, so it is repeated. The
    reply to a last command shows that none is left for the next search.
    """
    timeout = limits.Timeout(limits.ANSWER)
    for again in itertools.count():
        session.put("# interrupt")
        try:
            answer = session.reply_to(number, limits.INTERRUPT, "# interrupt")
        except SilentError:
            if not timeout.left:
                silence = f"did not answer '# interrupt' in {limits.ANSWER:g} s"
                raise SilentError(silence, session.last_lines) from None
            continue
        if again:
            session.ask("name")
        return answer.strip() or "none"
    raise AssertionError("it counts for ever")


def _proved(
    session: EngineSession, read: Callable[[str], int | None], position: Position
) -> dict[int, bool]:
    """Return which moves an engine's solver has proved to win or to lose."""
    if _BOUNDS not in session.commands:
        return {}
    return read_bounds(_if_any(session, f"{_BOUNDS} {position.to_move}"), read)


def _moves(
    session: EngineSession, read: Callable[[str], int | None], answer: str
) -> tuple[ReportedMove, ...]:
    """Return the moves that an engine has searched, its choice first."""
    moves: tuple[ReportedMove, ...] = ()
    line: tuple[int, ...] = ()
    for command, reader in (("mohex-values", read_values), ("wolve-scores", read_scores)):
        if command in session.commands:
            moves = reader(_if_any(session, command), read)
    for command in ("mohex-get-pv", "wolve-get-pv"):
        if command in session.commands:
            line = read_points(_if_any(session, command), read)
    return with_best(moves, read(answer), line)


def _if_any(session: EngineSession, command: str) -> str:
    """Return the reply to a command, '' where it is refused because nothing was searched."""
    try:
        return session.ask(command)
    except RefusedError:
        return ""


# The test of an engine


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
        yield _list_boards(sides)
        fitting = [side for side in sides if config.smallest <= side <= config.largest]
        if fitting:
            side = USUAL if USUAL in fitting else fitting[-1]
            yield from _test_search(session, Board(side, side))
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


def _list_boards(sides: list[int]) -> str:
    if not sides:
        return f"it takes no board of {', '.join(map(str, SIDES))} rows"
    refused = [str(side) for side in SIDES if side not in sides]
    but = f"; it refuses {', '.join(refused)}" if refused else ""
    return f"it takes boards of {', '.join(map(str, sides))} rows{but}"


def _test_search(session: EngineSession, board: Board) -> Iterator[str]:
    position = Position.empty(board)
    session.set_position(position)
    begun, first, found = time.monotonic(), 0.0, SearchReport(position, session.config.name)

    def never() -> bool:
        return False

    def enough() -> bool:
        return bool(first) and time.monotonic() - begun - first >= SEARCH_SECONDS

    for seconds, stop in ((SEARCH_SECONDS, never), (FIRST_SECONDS, enough)):
        with closing(search(session, SearchMoves(position), Limit(seconds), stop)) as results:
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
