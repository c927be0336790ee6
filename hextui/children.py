"""What child processes get: ours a path without the current directory, engines the user's world.

``python -m`` and ``python -c`` put the current directory first on the path of modules, and a folder
that somebody sent may hold a ``hextui`` or a ``multiprocessing`` of its own. Attached engines are
not ours: they start with the user's environment as it is.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_ROOT = str(Path(__file__).parent.parent)
# the child runs this very package, even where only the parent's path leads to it
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
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
    """Keep the current directory off the path of the workers that `multiprocessing` starts.

    The environment is its only option for that. A worker then calls `take_environment`.
    """
    set_own_variable("PYTHONSAFEPATH", "1")
    try:
        yield
    finally:
        if "PYTHONSAFEPATH" in _own_variables:
            _own_variables.remove("PYTHONSAFEPATH")
            del os.environ["PYTHONSAFEPATH"]


def take_environment(user: Mapping[str, str]) -> None:
    """Note in a worker that its parent has set all variables but the user's."""
    _own_variables.update(os.environ.keys() - user.keys())
