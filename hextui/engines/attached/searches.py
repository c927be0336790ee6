"""How engines are had to search: KataHex until it is told to stop, Benzene until it answers.

Both generators yield what is known so far, and leave the engine quiet however they are ended.
"""

import itertools
import math
import time
from collections.abc import Callable, Generator

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.attached.configured import Dialect
from hextui.engines.attached.conversation import (
    ANSWER_SECONDS,
    Conversation,
    EngineGoneError,
    RefusedError,
    SilentError,
)
from hextui.engines.attached.examining import Examine, Examined, ExaminedMove
from hextui.engines.attached.replies import EngineReply, Graphics, Report
from hextui.engines.attached.search_reports import (
    read_bounds,
    read_graphics,
    read_points,
    read_report,
    read_scores,
    read_values,
    with_best,
    with_proofs,
)
from hextui.engines.attached.vertices import cell_of, vertex
from hextui.engines.engine import Stop
from hextui.records.text import shorten

REPORT_CENTISECONDS = 20
"""So often KataHex reports; without an interval it never would."""
ALWAYS = 1000
"""Plies: more than any game has."""
INTERRUPT_SECONDS = 0.1
"""So often a search that has not answered an interrupt gets another one."""
_NO_CELL = ("none", "pass", "resign", "swap-pieces", "swap-sides")
ANALYSIS, BOUNDS = "gogui-gfx-analyze", "dfpn-get-bounds"
"""Commands that show lines as they improve, and that tell what a solver knows of moves."""
STOP_SECONDS = 10.0
"""An engine that has been told to stop is quiet in this time, or it hangs."""


def kata_search(
    talk: Conversation, question: Examine, limit: Limit, stop: Stop
) -> Generator[Examined, None, None]:
    """Yield what KataHex reports; raises RefusedError and EngineGoneError."""
    position, dialect = question.position, talk.config.dialect
    begun = time.monotonic()
    end = begun + (math.inf if limit.seconds is None else limit.seconds)
    often = min(REPORT_CENTISECONDS, max(1, int(50 * (limit.seconds or 1.0))))
    number = talk.send(f"{_analyze(question, dialect, often)}")
    patience = talk.patience(ANSWER_SECONDS)
    running = True
    try:
        while running and not stop():
            said = talk.hear(min(end - time.monotonic(), patience.pause))
            match said:
                case EngineReply(its, ok, text) if its == number:
                    running = False
                    if not ok:
                        raise RefusedError(text)
                case Report(its, line) if its == number:
                    patience = talk.patience(ANSWER_SECONDS)
                    found = _reported(position, talk.config.name, dialect, line, begun)
                    yield found
                    if limit.nodes is not None and found.visits >= limit.nodes:
                        return
            if time.monotonic() >= end:
                return
            patience.look()
            if patience.over:
                raise EngineGoneError(f"reported nothing for {ANSWER_SECONDS:g} s", talk.last_words)
    finally:
        if running:
            _quieten(talk)


def _quieten(talk: Conversation) -> None:
    """Stop an analysis: a last report may come, then its answer ends, then ours comes."""
    talk.answer_to(talk.send("stop"), STOP_SECONDS, "stop")


def _analyze(question: Examine, dialect: Dialect, often: int) -> str:
    position = question.position
    mover, scope = str(position.to_move)[0], question.scope
    words = [f"kata-analyze {mover} {often} ownership true"]
    inside = [c for c in position.empties if scope.allows(c, first=False)]
    outside = set(position.empties).difference(inside)
    # one list a colour: it takes no "allow" beside another list
    avoided = [(color, outside, ALWAYS) for color in "bw"]
    avoided.append((mover, {c for c in inside if not scope.allows(c, first=True)}, 1))
    for color, cells, plies in avoided:
        if cells:
            points = ",".join(vertex(dialect, position.board, cell) for cell in sorted(cells))
            words.append(f"avoid {color} {points} {plies}")
    return " ".join(words)


def _reported(position: Position, name: str, dialect: Dialect, line: str, begun: float) -> Examined:
    moves, ownership = read_report(line, _reader(position, dialect))
    moves = _legal(position, moves)
    return Examined(
        position,
        name,
        moves,
        sum(move.visits for move in moves if move.copy_of is None),
        time.monotonic() - begun,
        ownership if len(ownership) == position.board.cells else (),
    )


def _reader(position: Position, dialect: Dialect) -> Callable[[str], int | None]:
    return lambda word: cell_of(dialect, position.board, word)


def _legal(position: Position, moves: tuple[ExaminedMove, ...]) -> tuple[ExaminedMove, ...]:
    """Return the moves that can be played: an engine may tell of another position, or be wrong."""
    return tuple(move for move in moves if position.stones[move.cell] == 0)


def htp_search(
    talk: Conversation, question: Examine, limit: Limit, stop: Stop, known: frozenset[str]
) -> Generator[Examined, None, None]:
    """Yield what an engine shows while it searches, and then what it has found.

    ``known`` are the commands that it knows: without one that shows an analysis it is asked to
    choose a move. Raises RefusedError and EngineGoneError.
    """
    position, name = question.position, talk.config.name
    read = _reader(position, talk.config.dialect)
    begun = time.monotonic()
    end = begun + (math.inf if limit.seconds is None else limit.seconds)
    shows = ANALYSIS in known and not question.choose
    number = talk.send(f"{ANALYSIS if shows else 'reg_genmove'} {position.to_move}")
    found = Examined(position, name)
    answer = ""
    try:
        while not answer:
            full = limit.nodes is not None and found.visits >= limit.nodes
            if stop() or full or time.monotonic() >= end:
                answer = _interrupted(talk, number)
                break
            said = talk.hear(None if math.isinf(end) else end - time.monotonic())
            match said:
                case EngineReply(its, ok, text) if its in (number, ""):
                    if not ok:
                        raise RefusedError(text)
                    answer = text.strip() or "none"
                case Graphics(lines):
                    moves = _legal(position, read_graphics(lines, read))
                    visits = sum(move.visits for move in moves)
                    found = Examined(position, name, moves, visits, time.monotonic() - begun)
                    yield found
    except GeneratorExit:
        if not answer:
            _interrupted(talk, number)
        raise
    if stop():
        return
    if not shows:
        _check_legal(position, answer, read(answer))
    winner: Color | None = position.to_move.opponent if answer == "resign" else None
    judged = found.moves if shows else _judged(talk, known, read, answer)
    moves = _legal(position, with_proofs(judged, _proved(talk, known, read, position)))
    visits = sum(move.visits for move in moves)
    yield Examined(position, name, moves, visits, time.monotonic() - begun, winner=winner)


def _check_legal(position: Position, answer: str, cell: int | None) -> None:
    """Raise RefusedError for an answer that is neither a legal move nor one of the other words."""
    legal = answer.lower() in _NO_CELL if cell is None else position.stones[cell] == 0
    if not legal:
        raise RefusedError(f"{shorten(answer, 40)!r}, which is no legal move on {position.board}")


def _interrupted(talk: Conversation, number: str) -> str:
    """Have a search answer now, and return what it says; leave no interrupt for the next one.

    Benzene loses an interrupt that comes before the search has begun: it is sent again and again.
    What is asked in the end is read behind all of them.
    """
    patience = talk.patience(STOP_SECONDS)
    for again in itertools.count():
        talk.put("# interrupt")
        try:
            answer = talk.answer_to(number, INTERRUPT_SECONDS, "# interrupt")
        except SilentError:
            patience.look()
            if patience.over:
                raise SilentError(
                    f"did not answer '# interrupt' in {STOP_SECONDS:g} s", talk.last_words
                ) from None
            continue
        if again:
            talk.ask("name")
        return answer.strip() or "none"
    raise AssertionError("it counts for ever")


def _proved(
    talk: Conversation,
    known: frozenset[str],
    read: Callable[[str], int | None],
    position: Position,
) -> dict[int, bool]:
    """Return which moves an engine's solver has proved to win or to lose."""
    if BOUNDS not in known:
        return {}
    return read_bounds(_if_any(talk, f"{BOUNDS} {position.to_move}"), read)


def _judged(
    talk: Conversation, known: frozenset[str], read: Callable[[str], int | None], answer: str
) -> tuple[ExaminedMove, ...]:
    """Return what an engine says of the moves that it has searched, its choice first."""
    moves: tuple[ExaminedMove, ...] = ()
    line: tuple[int, ...] = ()
    for command, reader in (("mohex-values", read_values), ("wolve-scores", read_scores)):
        if command in known:
            moves = reader(_if_any(talk, command), read)
    for command in ("mohex-get-pv", "wolve-get-pv"):
        if command in known:
            line = read_points(_if_any(talk, command), read)
    return with_best(moves, read(answer), line)


def _if_any(talk: Conversation, command: str) -> str:
    """Return the answer to a command, '' where it is refused: nothing was searched."""
    try:
        return talk.ask(command)
    except RefusedError:
        return ""
