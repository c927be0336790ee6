"""The stage that searches the best lines of play."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from hextui.engine.evaluator_names import is_search
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings, split_literal
from hextui.engine.search.minimax import find_lines
from hextui.engine.search.solver_knowledge import Proved
from hextui.engines.engine import Stop
from hextui.engines.snapshot import Progress, Snapshot

SolverInFront = Callable[[Position, Stop], Proved]
"""Lets a solver look at a position for a moment; returns what says what it knows."""


class LineStage:
    """Adds lines, by the evaluator that the snapshot names; each result is better.

    The search is literal if the name ends so. Any other has the solver in front. It thinks of the
    moves of the snapshot's scope.
    """

    def __init__(
        self,
        settings: LineSettings,
        in_front: SolverInFront = lambda _position, _stop: lambda _: None,
    ) -> None:
        self._settings = settings
        self._in_front = in_front
        self._bench: Workbench | None = None

    def __call__(self, snapshot: Snapshot, stop: Stop) -> Iterator[Snapshot]:
        """Yield the snapshot with the lines found so far; ends soon once it is to stop.

        Lines that the snapshot has already were searched to the end; those of the tree search are
        none of this stage's.
        """
        if not snapshot.lines_by or snapshot.lines is not None or is_search(snapshot.lines_by):
            return
        position = snapshot.position
        if self._bench is None or self._bench.board != position.board:
            self._bench = Workbench(position.board)
        self._bench.look_at(position)
        name, literal = split_literal(snapshot.lines_by)
        try:
            chosen = evaluator(name)
        except ValueError as error:  # a name that another version kept, say
            yield replace(snapshot, error=f"{error}; no lines are searched")
            yield snapshot
            return
        settings = replace(self._settings, literal=literal)
        proved: Proved = (lambda _: None) if literal else self._in_front(position, stop)
        scope = snapshot.scope
        for found in find_lines(self._bench, chosen, settings, stop, proved, scope):
            progress = Progress(found.searched, found.moves, f"lines, depth {found.depth},")
            yield replace(snapshot, lines=found, progress=progress)
