"""A running engine of somebody else's: its process, commands and replies, the board, the log.

Threads read its output and its standard error. One thread at a time may send commands; `wake` and
`kill` may be called from any.
"""

import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import IO

from hextui.children import (
    KILL,
    describe_exit,
    end_group,
    read_lines,
    signal_group,
    start_group,
    user_environment,
)
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engines import limits
from hextui.engines.engine import EngineGoneError
from hextui.engines.text_protocols import EngineNames, EngineReply, Noise, ReplyReader, Said
from hextui.records.record_text import shorten
from hextui.settings.engine_config import AttachedConfig, Dialect

LAST_LINES = 20  # lines of standard error that are shown of an engine that has died
MOST_UNDONE = 8  # where more moves were to be undone, the position is set up on an empty board
HEXGUI_COMMANDS = frozenset({"boardsize", "clear_board", "play", "undo", "genmove"})
"""The commands that HexGui needs: those of an engine that does not list its own."""
LOG_LINES = 2000
LOG_CHARACTERS = 400  # a longer line is cut in the log

_LONGEST = 1 << 24  # bytes of a line: a report has a hundred thousand


class SilentError(EngineGoneError):
    """The engine runs, but has not answered in time."""


class RefusedError(Exception):
    """The engine has refused a command; ``str()`` is its reply."""


class Direction(StrEnum):
    """The origin of a line: sent, received, standard error, or a note of ours."""

    SENT = ">"
    SAID = "<"
    COMPLAINED = "!"
    NOTED = "*"


@dataclass(frozen=True)
class TrafficLine:
    """A line, ``seconds`` after the log was begun."""

    seconds: float
    direction: Direction
    text: str


class Traffic:
    """The log: the last lines sent and received. Any thread may use it."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._lock = threading.Lock()
        self._lines: deque[TrafficLine] = deque(maxlen=LOG_LINES)
        self.count = 0  # the number of lines since the beginning

    def add(self, direction: Direction, text: str) -> None:
        """Add a line."""
        kept = text[:LOG_CHARACTERS] + (" ..." if len(text) > LOG_CHARACTERS else "")
        with self._lock:
            self.count += 1
            self._lines.append(TrafficLine(time.monotonic() - self._begun, direction, kept))

    def lines(self, direction: Direction | None = None) -> tuple[TrafficLine, ...]:
        """Return the lines that are kept, those of one direction or all."""
        with self._lock:
            return tuple(line for line in self._lines if direction in (None, line.direction))


class _Notice(Enum):
    """What is heard besides lines: the end of standard output, and a call of `wake`."""

    GONE = "gone"
    WOKEN = "woken"


class EngineSession:
    """A process of an engine, from its start to its end.

    Only KataHex gets commands with ids: engines written for HexGui, which sends none, reject them.

    ``name`` and ``commands``, those that it knows, are empty before `begin` has returned.
    ``answer_seconds``: how long a command that starts no search may take, and the stop of a search.
    ``search_silence``: how long a search may report nothing, in seconds.
    ``noise``: its last lines that belong to no reply.
    """

    def __init__(
        self,
        config: AttachedConfig,
        traffic: Traffic | None = None,
        *,
        silence: float | None = None,
    ) -> None:
        """Start it; raises EngineGoneError if it cannot be started.

        ``silence``: after so many seconds it counts as hung, by default `limits.LOAD` while it
        loads, `limits.ANSWER` later.
        """
        self.config = config
        self.name = ""
        self.commands: frozenset[str] = frozenset()
        self.noise: deque[str] = deque(maxlen=LAST_LINES)
        self._load_silence = limits.LOAD if silence is None else silence
        self.answer_seconds = limits.ANSWER if silence is None else silence
        self.search_silence = self.answer_seconds
        self._traffic = traffic or Traffic()
        self._numbers = 0
        self._heard: queue.SimpleQueue[Said | _Notice] = queue.SimpleQueue()
        self._active = time.monotonic()  # when it last wrote anything that counts
        self._complaints = 0  # lines of standard error since the last reply
        self._errors: deque[str] = deque(maxlen=LAST_LINES)
        self._board: Board | None = None  # None: unknown
        self._played: list[tuple[Color, int]] | None = []  # None: unknown
        self._traffic.add(Direction.NOTED, " ".join(config.command))
        try:
            self.process = start_group(
                config.command,
                errors=subprocess.PIPE,
                environment={**user_environment(), **config.environment},
                folder=config.folder,
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            name = getattr(error, "filename", None) or config.command[0]
            raise EngineGoneError(f"cannot be started: {name}: {reason}") from None
        self._readers = [
            threading.Thread(target=read, name=name, daemon=True)
            for read, name in ((self._read_output, "engine-out"), (self._read_errors, "engine-err"))
        ]
        for reader in self._readers:
            reader.start()

    # Commands and replies

    def begin(self) -> None:
        """Wait for its first reply, send the start commands, and list the commands it knows."""
        self._wait_for_name()
        for command in self.config.start:
            try:
                self.ask(command)
            except RefusedError as error:
                raise RefusedError(f"{error} (to the start command {command!r})") from None
        if self.config.dialect is not Dialect.HTP:
            self.commands = frozenset(self.ask("list_commands").split())
        else:  # some engines leave an unknown command without a reply
            self.send("list_commands")
            self.commands = frozenset(self.sync().split()) or HEXGUI_COMMANDS

    def _wait_for_name(self) -> None:
        """Wait for the reply to ``name``, which may take long as long as the engine is active."""
        number = self.send("name")
        begun = time.monotonic()
        while True:
            active = self._active
            now = time.monotonic()
            left = min(active + self._load_silence, begun + limits.START) - now
            try:
                self.name = self.reply_to(number, left, "name")
                return
            except SilentError:
                seconds = time.monotonic() - begun
                if self._active == active or seconds >= limits.START:
                    raise self._silent("name", seconds) from None

    def ask(self, text: str, seconds: float | None = None) -> str:
        """Return the reply to a command; raises RefusedError and EngineGoneError."""
        return self.reply_to(self.send(text), seconds or self.answer_seconds, text)

    def accepts(self, board: Board) -> bool:
        """Return whether it accepts a board, for which it may load a network."""
        text = f"boardsize {board.columns} {board.rows}"
        return self.ask_if_known(text, self._load_silence) is not None

    def ask_if_known(self, text: str, seconds: float | None = None) -> str | None:
        """Return the reply to a command, None if it is refused; raises EngineGoneError."""
        return self.reply_if_known(self.send(text), seconds or self.answer_seconds, text)

    def send(self, text: str) -> str:
        """Send a command and return its id, '' for none; raises EngineGoneError."""
        if self.config.dialect is Dialect.HTP:
            self.put(text)
            return ""
        self._numbers += 1
        self.put(f"{self._numbers} {text}")
        return str(self._numbers)

    def put(self, line: str) -> None:
        """Send a line as it is; raises EngineGoneError."""
        assert self.process.stdin is not None
        self._traffic.add(Direction.SENT, line)
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def reply_to(self, number: str, seconds: float, what: str) -> str:
        """Wait for the reply to a command; raises RefusedError, SilentError, EngineGoneError."""
        timeout = limits.Timeout(seconds)
        while timeout.update():
            match self.hear(timeout.next_wait()):
                case EngineReply(its, True, text) if its in (number, ""):
                    return text
                case EngineReply(its, False, text) if its in (number, ""):
                    raise RefusedError(text)
        raise self._silent(what, seconds)

    def reply_if_known(self, number: str, seconds: float, what: str) -> str | None:
        """Wait for a reply and return it, None if the command is refused."""
        with suppress(RefusedError):
            return self.reply_to(number, seconds, what)
        return None

    def sync(self) -> str:
        """Wait until commands without ids are answered; return the last answer, '' if refused."""
        number = self.send("name")
        last = ""
        timeout = limits.Timeout(self.answer_seconds)
        while timeout.update():
            answer = self.reply_if_known(number, timeout.update(), "name") or ""
            if answer == self.name:
                return last
            last = answer
        raise self._silent("name", self.answer_seconds)

    def hear(self, seconds: float | None) -> Said | _Notice | None:
        """Return what comes next; None if nothing comes for so long. Raises EngineGoneError."""
        try:
            said = self._heard.get(timeout=seconds and max(seconds, 0.0))
        except queue.Empty:
            return None
        if said is _Notice.GONE:
            self._heard.put(said)
            raise self._gone()
        return said

    def wake(self) -> None:
        """Have `hear` return at once, now or when it is called next."""
        self._heard.put(_Notice.WOKEN)

    def _silent(self, what: str, seconds: float) -> SilentError:
        silence = f"did not answer {what!r} in {round(seconds, 1):g} s"
        if self.noise:
            silence += f", but wrote {shorten(self.noise[-1], 40)!r}, which is not a reply"
        return SilentError(silence, self.last_lines)

    # The board

    def set_position(self, position: Position) -> None:
        """Play the stones of a position as they lie; raises RefusedError and EngineGoneError."""
        commands = list(self._commands_to(position))
        self._board = None  # until all is done
        for command in commands:
            try:
                self.ask(command, self._load_silence)
            except RefusedError:
                if command != "undo":
                    raise
                self.commands -= {command}
                self._board, self._played = position.board, None
                self.set_position(position)
                return
        self._board = position.board

    def moved(self, color: Color, cell: int | None) -> None:
        """Note a move that it has played by itself; None for anything else that it has done."""
        if cell is None or self._played is None or cell in [there for _, there in self._played]:
            self._played = None
        else:
            self._played.append((color, cell))

    def _commands_to(self, position: Position) -> Iterator[str]:
        board = position.board
        wanted = {cell: Color(stone) for cell, stone in enumerate(position.stones) if stone}
        if self._board != board:
            yield f"boardsize {board.columns} {board.rows}"
            self._played = None
        played = yield from self._take_off(wanted)
        names = EngineNames(self.config.dialect, board)
        there = {cell for _, cell in played}
        for cell, color in wanted.items():
            if cell not in there:
                played.append((color, cell))
                yield f"play {color} {names.name(cell)}"
        self._played = played

    def _take_off(
        self, wanted: Mapping[int, Color]
    ) -> Generator[str, None, list[tuple[Color, int]]]:
        """Yield the commands that take off what is not wanted; return the moves that stay."""
        if self._played is not None:
            right = [wanted.get(cell) is color for color, cell in self._played]
            kept = [*right, False].index(False)
            undone = len(right) - kept
            most = MOST_UNDONE if "undo" in self.commands else 0
            if undone <= most:
                yield from ["undo"] * undone
                return self._played[:kept]
        yield "clear_board"
        return []

    # The end

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        return tuple(self._errors)

    def close(self, *, at_once: bool = False) -> None:
        """Have it quit, and end it if it does not within a few seconds, or at once."""
        if at_once:
            self.kill()
        else:
            with suppress(EngineGoneError):
                self.put("# interrupt")
                self.put("quit")
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        for number in (signal.SIGTERM, KILL, None):
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(limits.END)
                break
            if number is not None:
                signal_group(self.process, number)
        end_group(self.process)  # what it has started may still run
        for reader in self._readers:
            reader.join(limits.END)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def kill(self) -> None:
        """End it at once, with all that it has started; whoever waits for it learns that."""
        signal_group(self.process)

    def _gone(self) -> EngineGoneError:
        try:
            code = self.process.wait(limits.END)
        except subprocess.TimeoutExpired:
            return EngineGoneError("has closed its standard output", self.last_lines)
        self._readers[1].join(limits.END)
        return EngineGoneError(describe_exit(code), self.last_lines)

    # The threads that read

    def _read_output(self) -> None:
        reader = ReplyReader()
        assert self.process.stdout is not None
        for line in _lines(self.process.stdout):
            self._traffic.add(Direction.SAID, line)
            for said in reader.take(line):
                if isinstance(said, Noise):
                    self.noise.append(said.line)
                else:
                    self._active = time.monotonic()
                    self._complaints = 0
                    self._heard.put(said)
        self._heard.put(_Notice.GONE)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in _lines(self.process.stderr):
            self._traffic.add(Direction.COMPLAINED, line)
            self._complaints += 1
            if self._complaints <= limits.FLOOD_LINES:
                self._active = time.monotonic()
            self._errors.append(line)


def _lines(pipe: IO[bytes]) -> Iterator[str]:
    with suppress(OSError, ValueError):  # it is closed under us at the end
        for line in read_lines(pipe.fileno(), _LONGEST):
            yield line.decode("utf-8", "replace").rstrip("\r")
