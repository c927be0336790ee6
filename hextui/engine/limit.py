"""Where something that can run long is to stop."""

from dataclasses import dataclass

from hextui.engine.board import MAX_SIDE, Board, LargeBoard


class StoppedError(Exception):
    """A search was stopped before it had its answer."""


NOT_ANALYSED = f"boards of more than {MAX_SIDE} rows or columns are not analysed"


class TooCostlyError(ValueError):
    """What was asked for would take far too long here; the message is one line with the cost."""


def check_analysed(board: Board) -> None:
    """Raise TooCostlyError for a board longer than those that are analysed, of any cells."""
    if isinstance(board, LargeBoard):
        raise TooCostlyError(NOT_ANALYSED)


@dataclass(frozen=True)
class Limit:
    """Where a question ends; None is no limit.

    ``seconds``: of wall clock. ``nodes`` that the solver expands, ``visits`` of a tree search.
    """

    seconds: float | None = None
    nodes: int | None = None
    visits: int | None = None

    def __post_init__(self) -> None:
        for what, value in vars(self).items():
            if value is not None and value < 0:
                raise ValueError(f"limit: {what} are 0 or more, not {value}")
