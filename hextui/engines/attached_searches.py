"""Searches of attached engines: KataHex's until it is stopped, Benzene's until it answers.

Both yield improving results, and leave the engine idle however they end. `probe` tests an engine:
its name, boards and speed.
"""

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines import limits
from hextui.engines import text_protocols as protocol
from hextui.engines.engine import EngineGoneError, Stop
from hextui.engines.engine_session import EngineSession, RefusedError, SilentError
from hextui.engines.questions import SearchMoves
from hextui.engines.snapshot import Progress, ReportedMove, SearchReport
from hextui.engines.text_protocols import EngineReply, Graphics, Report
from hextui.records.record_text import shorten
from hextui.settings.engine_config import AttachedConfig, Dialect
from hextui.text import counted

SIDES = (3, 5, 7, 9, 11, 13, 14, 15, 17, 19)
USUAL = 11
SEARCH_SECONDS = 2.0
FIRST_SECONDS = 30.0  # of a search without a result so far: a network may still be loaded
SETTLED = 0.01  # results are settled while the win probability of the best move differs by less
_ALL_PLIES = 1000  # more than any game has
SWAPS = ("swap", "swap-pieces", "swap-sides")
_NO_CELL = ("none", "pass", "resign", *SWAPS)
_CHOOSES, _PLAYS = "reg_genmove", "genmove"
"""Commands that choose a move; the second plays it, which HexGui wants, and every engine knows."""
_ANALYSIS, _BOUNDS = "gogui-gfx-analyze", "dfpn-get-bounds"
"""Commands that show lines as they improve, and that report which moves a solver has decided."""


Reports = Generator[SearchReport, None, None]


def search(session: EngineSession, question: SearchMoves, limit: Limit, stop: Stop) -> Reports:
    """Yield what an engine reports of a position; raises RefusedError and EngineGoneError."""
    session.set_position(question.position)
    search = _EngineSearch(session, question, limit, stop)
    yield from search.htp() if session.config.dialect is Dialect.HTP else search.kata()


class _EngineSearch:
    """A search of the position that an engine has on its board."""

    def __init__(
        self, session: EngineSession, question: SearchMoves, limit: Limit, stop: Stop
    ) -> None:
        self._session = session
        self._question = question
        self._position = question.position
        self._is_kata = session.config.dialect is not Dialect.HTP
        self._names = protocol.EngineNames(session.config.dialect, question.position.board)
        self._limit = limit
        self._stop = stop
        self._begun = time.monotonic()
        self._end = self._begun + (math.inf if limit.seconds is None else limit.seconds)
        self._best: tuple[int, float] | None = None  # the best move and its win probability
        self._since = self._begun  # when they last changed

    def _report(
        self, moves: Sequence[ReportedMove] = (), winner: Color | None = None
    ) -> SearchReport:
        """Return a report of the legal moves: an engine may be wrong, or at another position."""
        position = self._position
        legal = tuple(move for move in moves if position.stones[move.cell] == 0)
        return SearchReport(
            position=position,
            engine=self._session.config.name,
            moves=legal,
            visits=sum(move.visits for move in legal if not move.is_copy),
            seconds=time.monotonic() - self._begun,
            winner=winner,
        )

    def _listen(self, command: str) -> Generator[SearchReport, None, tuple[str, SearchReport]]:
        """Yield the reports of a search until its end; return its answer and the last report."""
        number = self._session.send(command)
        reply: EngineReply | None = None
        answer = ""
        try:
            reply, report = yield from self._until_reply(number)
        finally:
            if reply is None:
                answer = self._end_search(number)
            elif reply.ok:
                answer = reply.text.strip()
            if command.startswith(_PLAYS):
                self._session.moved(self._position.to_move, self._names.cell(answer))
        if reply is not None and not reply.ok:
            raise RefusedError(reply.text)
        return answer or "none", report

    def _until_reply(
        self, number: str
    ) -> Generator[SearchReport, None, tuple[EngineReply | None, SearchReport]]:
        """Yield the reports of a search; return its reply and the last report.

        There is no reply from a search that still runs when it is to stop.
        """
        session = self._session
        report = self._report()
        reports = protocol.ReportReader(self._names)
        # KataHex reports all the time; from others nothing may come before the answer
        timeout = limits.Timeout(session.search_silence if self._is_kata else math.inf)
        while not self._is_to_end(report):
            left = self._end - time.monotonic()
            match session.hear(min(left, timeout.next_wait())):
                case EngineReply() as reply if self._is_answer(reply, number):
                    return reply, report
                case Report(its, line) if its == number:
                    timeout = limits.Timeout(session.search_silence)
                    report = self._report(reports.take(line))
                    yield report
                case Graphics(lines):
                    report = self._report(protocol.read_graphics(lines, self._names))
                    yield report
            if not timeout.update():
                silence = f"reported nothing for {session.search_silence:g} s"
                raise EngineGoneError(silence, session.last_lines)
        return None, report

    def _is_to_end(self, report: SearchReport) -> bool:
        """Whether a search is stopped, or its last report has reached a limit or is settled."""
        most_visits = math.inf if self._limit.visits is None else self._limit.visits
        if self._stop() or report.visits >= most_visits or time.monotonic() >= self._end:
            return True
        return self._is_settled(report)

    def _is_answer(self, reply: EngineReply, number: str) -> bool:
        """Whether a reply is that to the search with this id, which only KataHex repeats."""
        return reply.id == number or not (reply.id or self._is_kata)

    def _end_search(self, number: str) -> str:
        """End a search that still runs; return its answer, '' if it gives none."""
        if not self._is_kata:
            return self._interrupted(number)
        # before its reply a last report may come, and the end of the first reply
        self._session.ask("stop")
        return ""

    def _is_settled(self, report: SearchReport) -> bool:
        """Whether the best move and its win probability have not changed for long enough."""
        settled = self._session.config.settled
        now = time.monotonic()
        if settled is None or self._question.choose or not report.moves:
            return False
        best = report.moves[0].cell, report.winrate or 0.0
        before = self._best
        if before is None or before[0] != best[0] or abs(before[1] - best[1]) >= SETTLED:
            self._best, self._since = best, now
        return now - self._since >= settled

    # KataHex

    def kata(self) -> Reports:
        """Yield reports until a limit or a stop."""
        interval = min(limits.REPORT, max(0.01, 0.5 * (self._limit.seconds or 1.0)))
        yield from self._listen(self._analyze(round(100 * interval)))

    def _analyze(self, centiseconds: int) -> str:
        position, scope = self._position, self._question.scope
        mover = str(position.to_move)[0]
        words = [f"kata-analyze {mover} {centiseconds}"]
        inside = [c for c in position.empties if scope.allows(c, first=False)]
        outside = set(position.empties).difference(inside)
        # one list for each colour: "allow" excludes other lists
        avoided = [(color, outside, _ALL_PLIES) for color in "bw"]
        avoided.append((mover, {c for c in inside if not scope.allows(c, first=True)}, 1))
        for color, cells, plies in avoided:
            if cells:
                points = map(self._names.name, sorted(cells))
                words.append(f"avoid {color} {','.join(points)} {plies}")
        return " ".join(words)

    # Benzene

    def htp(self) -> Reports:
        """Yield what an engine shows while it searches, if it can, and then its results."""
        position = self._position
        commands = self._session.commands
        shows = _ANALYSIS in commands and not self._question.choose
        shown = self._listen(f"{_ANALYSIS} {position.to_move}") if shows else self._choose()
        answer, report = yield from shown
        if self._stop():
            return
        moves, word = report.moves, ""
        if not shows:
            cell = self._names.cell(answer)
            word = "" if cell is not None or answer == "none" else answer
            legal = answer.lower() in _NO_CELL if cell is None else position.stones[cell] == 0
            if not legal:
                what = f"{shorten(answer, 40)!r}, which is not a legal move on {position.board}"
                raise RefusedError(what)
            moves = self._moves(cell, report.moves)
        bounds = self._if_any(_BOUNDS, f" {position.to_move}")
        proved = protocol.read_bounds(bounds, self._names)
        moves = protocol.with_proofs(moves, proved, self._names)
        winner = position.to_move.opponent if word.lower() == "resign" else None
        yield replace(self._report(moves, winner=winner), word=word)

    def _choose(self) -> Generator[SearchReport, None, tuple[str, SearchReport]]:
        """Have the engine choose a move, like `_listen`.

        One that does not list its commands may refuse the first: then the other one is tried.
        """
        commands, color = self._session.commands, self._position.to_move
        if _CHOOSES in commands:
            return (yield from self._listen(f"{_CHOOSES} {color}"))
        try:
            return (yield from self._listen(f"{_PLAYS} {color}"))
        except RefusedError as refused:
            if "list_commands" in commands:
                raise
            try:
                chosen = yield from self._listen(f"{_CHOOSES} {color}")
            except RefusedError:
                raise refused from None
        self._session.commands = commands | {_CHOOSES}
        return chosen

    def _interrupted(self, number: str) -> str:
        """Interrupt a search and return its reply.

        Benzene loses an interrupt that arrives before the search has begun, so it is repeated.
        Others answer it, as if it were a command.
        """
        session = self._session
        timeout = limits.Timeout(session.answer_seconds)
        while True:
            session.put("# interrupt")
            try:
                answer = session.reply_to(number, limits.INTERRUPT, "# interrupt")
                break
            except SilentError:
                if not timeout.update():
                    silence = f"did not answer '# interrupt' in {session.answer_seconds:g} s"
                    raise SilentError(silence, session.last_lines) from None
        session.sync()
        return answer.strip()

    def _moves(
        self, best: int | None, reported: tuple[ReportedMove, ...]
    ) -> tuple[ReportedMove, ...]:
        """Return the moves that an engine has searched, its choice first."""
        values = self._if_any("mohex-values")
        scores = self._if_any("wolve-scores")
        shown = self._if_any("mohex-get-pv") or self._if_any("wolve-get-pv")
        moves = protocol.read_scores(scores, self._names)
        moves = moves or protocol.read_values(values, self._names) or reported
        if best is None:
            return moves
        line = self._names.line(shown.split())
        if line.numbers[:1] != (best,):  # the engine changed its mind
            line = self._names.alone(best)
        return protocol.with_best(moves, line)

    def _if_any(self, command: str, arguments: str = "") -> str:
        """Return the reply to a command, '' if it is unknown or refused: nothing was searched."""
        is_offered = command in self._session.commands
        return (self._session.ask_if_known(command + arguments) or "") if is_offered else ""


# The test of an engine


class EngineTestError(Exception):
    """An engine fails the test; the first line says why, its last ones on standard error follow."""


def probe(
    config: AttachedConfig, begun_with: Callable[[EngineSession], None] = lambda session: None
) -> Iterator[str | Progress]:
    """Yield the findings, a line each, and how far the test is; raises EngineTestError.

    ``begun_with`` gets the session, so that another thread can kill the engine.
    """
    begun = time.monotonic()
    session = None
    try:
        session = EngineSession(config, silence=limits.TEST)
        begun_with(session)
        yield from _test(session, begun)
    except RefusedError as error:
        raise EngineTestError(f"{config.name} answers: {error}") from None
    except EngineGoneError as error:
        if session is not None:
            session.kill()
        raise EngineTestError(_last_words(config, error)) from None
    finally:
        if session is not None:
            session.close()


def _last_words(config: AttachedConfig, error: EngineGoneError) -> str:
    """Return why an engine is gone, and then its last lines on standard error, if any."""
    lines = [f"{config.name} {error}"]
    if error.last_lines:
        lines.append(f"its last {counted(len(error.last_lines), 'line')} on standard error:")
        lines += (f"  {line}" for line in error.last_lines)
    return "\n".join(lines)


def _test(session: EngineSession, begun: float) -> Iterator[str | Progress]:
    """Test an engine whose start was ``begun`` at a time of ``monotonic``."""
    session.begin()
    seconds = time.monotonic() - begun
    version = session.ask_if_known("version") or ""
    yield f"{session.name} {version}".strip() + f" answered after {seconds:.1f} s"
    if "list_commands" in session.commands:
        yield f"supports {counted(len(session.commands), 'command')}"
    sides = yield from _test_boards(session)
    config = session.config
    fitting = [side for side in sides if config.smallest <= side <= config.largest]
    if fitting:
        side = USUAL if USUAL in fitting else fitting[-1]
        yield from _test_search(session, Board(side, side))
    yield from _lacks(session)


def _test_boards(session: EngineSession) -> Generator[str | Progress, None, list[int]]:
    """Yield which boards an engine accepts; return their sides."""
    sides = []
    for done, side in enumerate(SIDES):
        yield Progress(done, len(SIDES), f"trying {side} rows")
        if session.accepts(Board(side, side)):
            sides.append(side)
    taken = "accepts no square board"
    if sides:
        taken = f"accepts boards of {', '.join(map(str, sides))} rows"
    refused = ", ".join(str(side) for side in SIDES if side not in sides)
    yield f"{taken}; rejects {refused}" if refused else taken
    return sides


def _test_search(session: EngineSession, board: Board) -> Iterator[str | Progress]:
    position = Position.empty(board)
    yield Progress(len(SIDES), len(SIDES), f"setting up {board}")
    session.set_position(position)
    is_htp = session.config.dialect is Dialect.HTP  # it may name a move only at its limit
    begun = time.monotonic()
    first = 0.0
    report = SearchReport(position, session.config.name)
    longest = _longest_search(session)

    def enough() -> bool:
        return not is_htp and bool(first) and time.monotonic() - begun - first >= SEARCH_SECONDS

    yield Progress(len(SIDES), len(SIDES), f"analysing {board}")
    with closing(search(session, SearchMoves(position), Limit(longest), enough)) as results:
        for report in results:
            if report.moves and not first:
                first = time.monotonic() - begun
    seconds = time.monotonic() - begun
    if not report.moves:
        yield f"on {board} it named no legal move in {seconds:.0f} s"
        return
    yield f"first analysis of {board} after {first:.1f} s"
    yield from _result(report)
    if is_htp and seconds > longest + limits.REPORT * 10:
        yield f"ignores '# interrupt': it answered {seconds - longest:.0f} s late"
    session.set_position(position)  # which takes a move back that it has played


def _longest_search(session: EngineSession) -> float:
    """Return the seconds after which the search of a test is stopped."""
    if session.config.dialect is not Dialect.HTP:
        return FIRST_SECONDS
    if _CHOOSES in session.commands:
        return SEARCH_SECONDS
    return max(SEARCH_SECONDS, session.config.seconds)  # often it cannot be interrupted either


def _result(report: SearchReport) -> Iterator[str]:
    """Yield how fast a search was, and which opening move it has chosen."""
    if report.visits and report.seconds:
        yield f"{report.visits / report.seconds:,.0f} visits a second"
    best = report.moves[0]
    winrate = "no win probability"
    if best.winrate is not None:
        winrate = f"win probability {best.winrate:.0%}"
    yield f"opening move {report.position.board.name(best.cell)}, {winrate}"


def _lacks(session: EngineSession) -> Iterator[str]:
    """Yield what an engine lacks, and what is done about it."""
    if session.config.dialect is Dialect.HTP:
        commands = session.commands
        if "list_commands" not in commands:
            yield "has no list_commands: it gets only the commands that HexGui needs"
        if _CHOOSES not in commands:
            yield f"has no {_CHOOSES}: genmove is used and its move is taken back"
        if "undo" not in commands:
            yield "has no undo: positions are set up again instead"
    if session.noise:
        line = shorten(session.noise[-1].strip(), 40)
        yield f"writes lines that are not replies, which are skipped: {line!r}"
