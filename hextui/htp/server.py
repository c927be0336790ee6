"""Executes the commands of a client one after the other, and answers them.

A thread reads, so that ``# interrupt`` and the end of the input are seen during a search. An
interrupt ends every command received before it: each answers with its best result so far. After
the end of the input all commands are still answered, as long as somebody reads the answers.
"""

import os
import queue
import select
import threading
import traceback
from collections.abc import Callable
from dataclasses import replace

from hextui.children import read_lines
from hextui.engine.evaluators import names
from hextui.htp import analysis_commands, board_commands, htp_requests, search_commands
from hextui.htp.htp_requests import HtpError, HtpRequest
from hextui.htp.htp_session import Handler, HtpSession

_MENU = """\
string/Solve/dfpn-solve-state %m
plist/Winning moves/dfpn-solver-find-winning %m
var/Solver PV/dfpn-get-pv %m
pspairs/Solver bounds/dfpn-get-bounds %m
string/Solver state/dfpn-get-state %m
none/Forget what was solved/dfpn-clear-tt
inferior/Must-play + inferior/vc-build %m
plist/Must-play/hextui-mustplay %m
inferior/Inferior cells/compute-inferior %m
inferior/Fill-in/compute-fillin %m
vc/Full connections/vc-between-cells-full %c %P
vc/Semi connections/vc-between-cells-semi %c %P
plist/Connected to/vc-connected-to-full %c %p
plist/Common to full connections/vc-intersection-full %c %P
plist/Common to semi connections/vc-intersection-semi %c %P
group/Group/group-get %p
string/Resistances/eval-resist %m
string/Explain best move/hextui-explain %m
string/Explain move/hextui-explain %m %p
move/Generate/genmove %m
plist/Legal moves/all_legal_moves %m
string/Final score/final_score
string/Board/showboard
param/Game/param_game
param/Solver/param_dfpn
param/Settings/param_hextui"""
_OF_EVALUATOR = (
    "gfx/{0} heat/hextui-heat {0} %m",
    "pspairs/{0} values/hextui-values {0} %m",
    "var/{0} PV/hextui-pv {0} %m",
)


def analyze_commands() -> str:
    """Return the menu of HexGui: type, label and command, one a line."""
    lines = [line.format(name) for name in names() for line in _OF_EVALUATOR]
    return "\n".join([*_MENU.split("\n"), *lines])


def known_command(session: HtpSession, request: HtpRequest) -> str:
    """Return whether there is a command of this name."""
    (name,) = request.take(1)
    return "true" if name in COMMANDS else "false"


COMMANDS: dict[str, Handler] = {
    **board_commands.COMMANDS,
    **search_commands.COMMANDS,
    **analysis_commands.COMMANDS,
    "quit": lambda session, request: "",
    "known_command": known_command,
    "list_commands": lambda session, request: "\n".join(sorted(COMMANDS)),
    "hexgui-analyze_commands": lambda session, request: analyze_commands(),
}


WATCH_SECONDS = 0.1  # between two checks of whether anybody still reads, after the end of the input


class InputError(Exception):
    """The input cannot be read; ``str()`` says why."""


class HtpServer:
    """Reads ``questions`` and writes ``answers``, file descriptors; ``log`` is for people."""

    def __init__(self, questions: int, answers: int, log: Callable[[str], None]) -> None:
        self._questions = questions
        self._answers = answers
        self._log = log
        self._session = HtpSession(self._show, log)
        self._interrupted = threading.Event()  # of the commands since the last interrupt
        self._waiting: queue.SimpleQueue[HtpRequest | None] = queue.SimpleQueue()
        self._done = threading.Event()
        self._unread: OSError | None = None

    def run(self) -> None:
        """Answer until ``quit`` or the end of the input; raises InputError, OSError."""
        threading.Thread(target=self._read, name="htp-questions", daemon=True).start()
        try:
            while (request := self._waiting.get()) is not None:
                self._write(self._answer(request))
                if request.name == "quit":
                    return
        finally:
            self._done.set()
            self._session.close()
        if self._unread is not None:
            raise InputError(self._unread.strerror or str(self._unread))

    def _read(self) -> None:
        """Read commands and interrupts until the input ends."""
        try:
            for line in read_lines(self._questions, htp_requests.LONGEST):
                if htp_requests.comment_of(line) == htp_requests.INTERRUPT:
                    self._interrupted.set()
                    self._interrupted = threading.Event()
                elif request := htp_requests.parse(line):
                    self._waiting.put(replace(request, stopped=self._interrupted.is_set))
        except OSError as error:
            self._unread = error
        self._waiting.put(None)
        self._watch()

    def _watch(self) -> None:
        """End all commands once nobody reads the answers any more."""
        if not hasattr(select, "poll"):
            return
        reader = select.poll()
        reader.register(self._answers, 0)  # errors are always reported
        while not self._done.wait(WATCH_SECONDS):
            if reader.poll(0):
                self._interrupted.set()
                return

    def _answer(self, request: HtpRequest) -> bytes:
        """Execute a command; errors are answers too."""
        try:
            if not request.name:
                raise HtpError("no command")
            if request.name not in COMMANDS:
                raise HtpError(f"unknown command: {request.name[:80]}")
            return htp_requests.answer(request, COMMANDS[request.name](self._session, request))
        except ValueError as error:
            return htp_requests.refusal(request, str(error).split("\n")[0])
        except Exception as error:
            self._log(traceback.format_exc())
            return htp_requests.refusal(request, f"{type(error).__name__}: {error}")

    def _show(self, kind: str, lines: str) -> None:
        self._write(htp_requests.graphics(kind, lines))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._answers, data) :]
