"""What hextui needs of Textual beyond its public interface; no other file uses private names of it.

Each entry says what goes wrong for a user without it. Where a version of Textual lacks the name,
Textual's own behaviour remains.
"""

import codecs
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

from rich.console import RenderableType
from rich.traceback import Traceback
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import OptionList
from textual.worker import WorkerFailed

T = TypeVar("T")


class CrashReportingApp(App[None]):
    """An app that handles errors itself that nobody caught.

    Without it Textual prints a traceback of some screens, with all local variables, and the edits
    of the last half second are lost. Textual has no public hook
    (https://github.com/Textualize/textual/discussions/2903). If ``_handle_exception`` or
    ``_fatal_error`` gets another name, Textual's traceback is shown again.
    """

    is_exiting = False
    _crash_is_reported = False

    def handle_crash(self, error: Exception) -> bool:
        """Keep what must not be lost; return whether the crash has been reported."""
        raise NotImplementedError

    def panic(self, *renderables: RenderableType) -> None:
        """Report an error of the thread that reads keys; Textual only prints it."""
        first = next(iter(renderables), None)
        if isinstance(first, Traceback) and self.handle_crash(_error_in(first)):
            self.exit(return_code=1)
        else:
            super().panic(*renderables)

    def exit(self, *arguments: Any, **options: Any) -> None:
        """Exit. Screens that open meanwhile get no widgets, so that what looks for one fails."""
        self.is_exiting = True
        super().exit(*arguments, **options)

    def _handle_exception(self, error: Exception) -> None:
        cause = error.error if isinstance(error, WorkerFailed) else error
        if self.is_exiting and isinstance(cause, NoMatches):
            return
        if isinstance(cause, Exception):
            self._crash_is_reported = self.handle_crash(cause)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        if self._crash_is_reported:
            self.exit(return_code=1)
        else:
            super()._fatal_error()


def _error_in(traceback: Traceback) -> Exception:
    """Return an error that says what a traceback shows."""
    stack = traceback.trace.stacks[0]
    error = RuntimeError(f"{stack.exc_type}: {stack.exc_value}")
    for frame in stack.frames:
        error.add_note(f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}')
    return error


class BaseScreen(Screen[T]):
    """A screen that closes only once, and takes no keys before its widgets are there.

    Without it two keys or clicks that close a screen, read at once as from a slow connection, close
    the screen below it too; at the last screen Textual raises ScreenStackError, and the program
    ends. It also ends with NoMatches if a key comes between the opening of a screen and its first
    layout.
    """

    def on_mount(self) -> None:
        """Show the keys once they are taken."""
        self.call_later(self.refresh_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take no action before the screen is mounted."""
        return self.is_mounted and super().check_action(action, parameters)

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close with a result, unless the screen is closed or covered already."""
        if self.is_active and len(self.app.screen_stack) > 1:
            return super().dismiss(result)
        return AwaitComplete()


def replace_invalid_input() -> None:
    """Have Textual read bytes that are no UTF-8 as U+FFFD.

    Without it a key or paste in another encoding ends the program with a UnicodeDecodeError in the
    thread that reads the terminal. Does nothing where that thread makes its decoder another way.
    """
    try:
        from textual.drivers import linux_driver
    except ImportError:  # Windows has no such driver
        return
    module: Any = linux_driver
    if hasattr(module, "getincrementaldecoder"):
        module.getincrementaldecoder = lambda encoding: partial(
            codecs.getincrementaldecoder(encoding), "replace"
        )


def _once_laid_out(move: Callable[[OptionList], None]) -> Callable[[OptionList], None]:
    """Have a list of options ignore a key until it has been laid out.

    Without it PageUp or PageDown typed while a list opens, such as that of the command palette,
    ends the program with a KeyError.
    """

    @wraps(move)
    def moved(options: OptionList) -> None:
        if options.scrollable_content_region:
            move(options)

    return moved


for _name in ("action_page_up", "action_page_down"):
    setattr(OptionList, _name, _once_laid_out(getattr(OptionList, _name)))
