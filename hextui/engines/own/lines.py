"""The stage that searches the best lines of play."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engines.engine import Stop
from hextui.engines.snapshot import Progress, Snapshot


class LineStage:
    """Adds lines, by the evaluator that the snapshot names; each result is better.

    ``proved`` says who wins a position, if a solver knows.
    """

    def __init__(
        self,
        settings: LineSettings,
        proved: Callable[[Position], Color | None] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._proved = proved
        self._bench: Workbench | None = None

    def __call__(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Yield the snapshot with the lines found so far; ends soon once it is to stop.

        Lines that the snapshot has already were searched to the end.
        """
        if not snapshot.lines_by or snapshot.lines is not None:
            return
        position = snapshot.position
        if self._bench is None or self._bench.board != position.board:
            self._bench = Workbench(position.board)
        self._bench.look_at(position)
        try:
            chosen = evaluator(snapshot.lines_by)
        except ValueError as error:  # a name that another version kept, say
            yield replace(snapshot, error=f"{error}; no lines are searched")
            yield snapshot
            return
        for found in find_lines(self._bench, chosen, self._settings, stop, self._proved):
            progress = Progress(found.searched, found.moves, f"lines, depth {found.depth},")
            yield replace(snapshot, lines=found, progress=progress)
