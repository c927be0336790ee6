"""Child processes: ours have no current directory on their path, engines the user's environment.

``python -m`` and ``python -c`` put the current directory first on the path of modules, and a folder
that somebody sent may hold a ``hextui`` or a ``multiprocessing`` of its own.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

_ROOT = str(Path(__file__).parent.parent)
# the child runs this very package, even where only the parent's path leads to it
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
PROGRESS_SECONDS = "HEXTUI_PROGRESS_SECONDS"
"""The variable that names the seconds between lines of progress to a child, for its reader."""
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that no program outlives; Windows ends a program at SIGTERM."""
_START_SECONDS = 1.0  # a program that the system starts for longer gets no signal
_own_variables: set[str] = set()


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of ours as a program in a Python child.

    >>> python_command("hextui", "warm")[-2:]
    ['hextui', 'warm']
    """
    return [sys.executable, "-P", "-c", _START, _ROOT, module, *arguments]


def set_own_variable(name: str, value: str) -> None:
    """Set an environment variable for this process and its own children, unless the user has."""
    if name not in os.environ:
        os.environ[name] = value
        _own_variables.add(name)


def user_environment() -> dict[str, str]:
    """Return the environment without the variables that we have set for ourselves."""
    return {name: value for name, value in os.environ.items() if name not in _own_variables}


@contextmanager
def safe_path_for_workers() -> Iterator[None]:
    """Keep the current directory off the path of workers, which then call `take_environment`."""
    set_own_variable("PYTHONSAFEPATH", "1")
    try:
        yield
    finally:
        if "PYTHONSAFEPATH" in _own_variables:
            _own_variables.remove("PYTHONSAFEPATH")
            del os.environ["PYTHONSAFEPATH"]


@contextmanager
def outside_current_folder() -> Iterator[None]:
    """Be in a folder of ours for a moment, so that a library that is imported finds no settings.

    It is the current folder of all threads.
    """
    try:
        before = os.getcwd()
    except OSError:  # the folder is gone
        yield
        return
    os.chdir(Path(__file__).parent)
    try:
        yield
    finally:
        with suppress(OSError):  # it is gone by now
            os.chdir(before)


def take_environment(user: Mapping[str, str]) -> None:
    """Note in a worker that its parent has set all variables but the user's."""
    _own_variables.update(os.environ.keys() - user.keys())


def take_standard_streams() -> tuple[int, int]:
    """Return standard input and output for our use alone, as file descriptors.

    Whatever else reads finds nothing, and whatever else prints writes to standard error.
    """
    taken = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return taken


class _Groups:
    """The process groups that this process has started and that have not ended; for any thread.

    A process of ours kills those that may outlive this one, once this one is gone (`guardian`).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._guardian: subprocess.Popen[bytes] | None = None

    def start(
        self, start: "Callable[[], subprocess.Popen[bytes]]", *, guarded: bool
    ) -> "subprocess.Popen[bytes]":
        """Start the first process of a group and note the group."""
        with self._lock:
            process = start()
            self._processes.add(process)
            if guarded and hasattr(os, "killpg"):
                self._guardian = self._guardian or _start_guardian()
                self._tell_guardian(f"+{process.pid}\n")
        return process

    def remove(self, process: "subprocess.Popen[bytes]") -> None:
        """Forget a group."""
        with self._lock:
            self._processes.discard(process)
            self._tell_guardian(f"-{process.pid}\n")

    def all(self) -> "list[subprocess.Popen[bytes]]":
        """Return the first process of each group, also of one that another thread just starts."""
        is_complete = self._lock.acquire(timeout=_START_SECONDS)
        try:
            return list(self._processes)
        finally:
            if is_complete:
                self._lock.release()

    def _tell_guardian(self, line: str) -> None:
        if self._guardian is not None and self._guardian.stdin is not None:
            with suppress(OSError):  # somebody has ended it
                self._guardian.stdin.write(line.encode())
                self._guardian.stdin.flush()


_groups = _Groups()


def _start_guardian() -> "subprocess.Popen[bytes] | None":
    import subprocess

    with suppress(OSError):
        return subprocess.Popen(
            python_command("hextui.guardian"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
    return None


def start_group(
    command: Sequence[str],
    *,
    errors: int | IO[bytes],
    environment: Mapping[str, str],
    output: int | None = None,
    folder: str | None = None,
    guarded: bool = True,
) -> "subprocess.Popen[bytes]":
    """Start a program in a process group of its own, with pipes for its input and output.

    Call `end_group` in the end. ``errors``: a file for its standard error, or ``subprocess.PIPE``;
    ``output`` instead of a pipe: ``subprocess.DEVNULL``.
    ``guarded``: it need not end when its input is closed, so it is killed if this process is.
    Raises OSError, ValueError.
    """
    import subprocess  # 5 ms that commands without a child save

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if output is None else output,
            stderr=errors,
            cwd=folder,
            env=environment,
            process_group=0,
        )

    return _groups.start(start, guarded=guarded)


def lower_priority(process: int, niceness: int) -> None:
    """Let other processes come first, on systems that know priorities; ``niceness``: 0 to 19."""
    if sys.platform != "win32":
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, process, niceness)


def read_lines(number: int, longest: int) -> Iterator[bytes]:
    """Yield the lines of a pipe, by its file descriptor, as they arrive.

    Of a line with more bytes than ``longest``, one more and at most 64 KiB of the rest are kept.
    """
    rest = bytearray()
    while data := os.read(number, 1 << 16):
        rest += data
        if b"\n" in data:
            *lines, rest = rest.split(b"\n")
            yield from map(bytes, lines)
        del rest[longest + 1 :]
    if rest:
        yield bytes(rest)


def signal_group(process: "subprocess.Popen[bytes]", number: int = KILL) -> None:
    """Send a signal to a program that `start_group` has started, and to all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of the group of a program, which may have ended, and forget the group."""
    signal_group(process)
    _groups.remove(process)


def signal_all_groups(number: int = KILL) -> None:
    """Send a signal to all programs that `start_group` has started, and to theirs."""
    for process in _groups.all():
        signal_group(process, number)


def describe_exit(code: int) -> str:
    """Return in a few words how a program has ended.

    >>> describe_exit(3), describe_exit(-9)
    ('ended (exit code 3)', 'was killed (SIGKILL)')
    """
    if code < 0:
        with suppress(ValueError):
            return f"was killed ({signal.Signals(-code).name})"
    return f"ended (exit code {code})"
