"""What our own engine and attached ones have answered to one request, as one snapshot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engines.attached.engine_config import engine_in
from hextui.engines.engine import Answer, Done, Event, Failed, Interrupted
from hextui.engines.snapshot import Examined, Progress, Snapshot
from hextui.words.names import counted


@dataclass
class MergedAnswers:
    """The newest answer of each who was asked; one thread at a time may use it.

    ``own`` is our own engine's. ``attached`` are the evaluators that are attached engines, and
    ``ranking`` those of them that rank moves; ``lines_by`` judges lines.
    """

    own: Snapshot
    attached: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    lines_by: str = ""
    stops: list[Callable[[], None]] = field(default_factory=list)
    _examined: dict[str, Examined] = field(default_factory=dict)
    _problems: dict[str, str] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)

    def stop(self) -> None:
        """Give up all that was asked."""
        for stop in self.stops:
            stop()

    def hear_own(self, event: Event) -> bool:
        """Take what our own engine says; tell whether there is anything new."""
        self.own = replace(self.own, error=None)  # it was told
        match event:
            case Answer(value):
                self.own = replace(value, generation=self.own.generation, scope=self.own.scope)
            case Interrupted():
                # what was known stays on the screen
                progress = Progress(0, 0, "the engine starts again")
                self.own = replace(self.own, final=False, progress=progress)
            case Failed(line):
                self.own = replace(self.own, error=line)
            case Done():
                return False
        return True

    def hear(self, name: str, event: Event) -> None:
        """Take what an attached engine says."""
        self.own = replace(self.own, error=None)
        match event:
            case Answer(value):
                self._examined[name] = value
                self._problems.pop(name, None)
            case Interrupted(line):
                self._problems[name] = line
            case Failed(line):
                self._problems[name] = line
                self._done.add(name)
            case Done():
                self._done.add(name)

    @property
    def snapshot(self) -> Snapshot:
        """What is known by now; only moves that are thought of are ranked."""
        own, waits = self.own, self._waits
        rankings = dict(own.rankings)
        for name in self.ranking:
            if name in self._examined:
                rankings[name] = replace(self._examined[name].ranking, evaluator=name)
        if own.scope != ALL_MOVES:
            wanted = partial(own.scope.allows, first=True)
            rankings = {name: found.among(wanted) for name, found in rankings.items()}
        return replace(
            own,
            final=own.final and not waits,
            evaluators=(*own.evaluators, *self.ranking) if own.evaluators else (),
            rankings=rankings,
            lines_by=self.lines_by if self.lines_by in self.attached else own.lines_by,
            examined={**own.examined, **self._examined},
            problems=dict(self._problems),
            progress=self._progress(waits) if own.final and waits else own.progress,
        )

    @property
    def _waits(self) -> Sequence[str]:
        """The engines that have not told all."""
        return [name for name in self.attached if name not in self._done]

    def _progress(self, waits: Sequence[str]) -> Progress:
        """Return what engines do once our own is done."""
        if len(waits) > 1:
            return Progress(0, 0, f"{len(waits)} engines search")
        (name,) = waits
        engine, found = engine_in(name), self._examined.get(name)
        if name in self._problems:
            return Progress(0, 0, f"{engine} starts again")
        visits = f": {counted(found.visits, 'visit')}" if found and found.visits else " searches"
        return Progress(0, 0, f"{engine}{visits}")
