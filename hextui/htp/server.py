"""Reads commands, has them done one after the other, and answers.

A thread reads, so that ``# interrupt`` and the end of the input are seen during a search. An
interrupt ends every command that came before it: each answers with the best that it has. At the
end of the input what was asked is still answered, as long as anybody reads the answers.
"""

import os
import queue
import select
import threading
import traceback
from collections import deque
from collections.abc import Callable

from hextui.htp.htp_requests import (
    INTERRUPT,
    HtpError,
    HtpRequest,
    answer,
    comment_of,
    graphics,
    lines_of,
    parse,
    refusal,
)
from hextui.htp.htp_session import HtpSession
from hextui.htp.vocabulary import COMMANDS, analyze_commands, handler

WATCH_SECONDS = 0.1
"""So often it is asked whether anybody still reads, once the input has ended."""


class InputError(Exception):
    """The input cannot be read; ``str()`` says why."""


class HtpServer:
    """Answers what comes in at one open file on another, both by number.

    ``log`` takes lines for people.
    """

    def __init__(self, questions: int, answers: int, log: Callable[[str], None]) -> None:
        self._questions = questions
        self._answers = answers
        self._log = log
        self._session = HtpSession(self._show, log)
        self._lock = threading.Lock()
        self._unanswered: deque[HtpRequest] = deque()
        self._waiting: queue.SimpleQueue[HtpRequest | None] = queue.SimpleQueue()
        self._done = threading.Event()
        self._unread: OSError | None = None

    def run(self) -> None:
        """Answer until ``quit`` or the end of the input.

        Raises InputError if the input cannot be read, OSError if the answers cannot be written.
        """
        threading.Thread(target=self._read, name="htp-questions", daemon=True).start()
        try:
            while (request := self._waiting.get()) is not None:
                self._write(self._answer(request))
                with self._lock:
                    self._unanswered.popleft()
                if request.name == "quit":
                    return
        finally:
            self._done.set()
            self._session.close()
        if self._unread is not None:
            raise InputError(self._unread.strerror or str(self._unread))

    def _read(self) -> None:
        """Take commands and interrupts until the input ends."""
        try:
            for line in lines_of(self._questions):
                self._take(line)
        except OSError as error:
            self._unread = error
        self._waiting.put(None)
        self._watch()

    def _take(self, line: bytes) -> None:
        if comment_of(line) == INTERRUPT:
            self._interrupt()
        elif request := parse(line):
            with self._lock:
                self._unanswered.append(request)
            self._waiting.put(request)

    def _watch(self) -> None:
        """End what is being done once nobody reads the answers any more."""
        if not hasattr(select, "poll"):
            return
        reader = select.poll()
        reader.register(self._answers, 0)  # errors are always told
        while not self._done.wait(WATCH_SECONDS):
            if reader.poll(0):
                self._interrupt()
                return

    def _interrupt(self) -> None:
        with self._lock:
            for request in self._unanswered:
                request.stopping.set()

    def _answer(self, request: HtpRequest) -> bytes:
        """Do a command; whatever goes wrong is an answer too."""
        try:
            return answer(request, self._do(request))
        except ValueError as error:
            return refusal(request, str(error).split("\n")[0])
        except Exception as error:
            self._log(traceback.format_exc())
            return refusal(request, f"{type(error).__name__}: {error}")

    def _do(self, request: HtpRequest) -> str:
        match request.name:
            case "quit":
                return ""
            case "":
                raise HtpError("no command")
            case "list_commands":
                return "\n".join(COMMANDS)
            case "known_command":
                (name,) = request.take(1)
                return "true" if name in COMMANDS else "false"
            case "hexgui-analyze_commands":
                return analyze_commands()
        do = handler(request.name)
        if do is None:
            raise HtpError(f"unknown command: {request.name[:80]}")
        return do(self._session, request)

    def _show(self, kind: str, lines: str) -> None:
        self._write(graphics(kind, lines))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._answers, data) :]
