"""The tree search as an evaluator: win probabilities that improve."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from hextui.engine.evaluators.base import PROBABILITY, Evaluator, Source, explanation_of
from hextui.engine.explanation import Explanation, Facts, Note, Remark, Term
from hextui.engine.guards import check_empty
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.text import counted

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.neural.judge import NetworkJudge
    from hextui.engine.search.tree_search import TreeSearch

USUAL_VISITS = 800  # unless a limit is named: about a second on 11x11
USUAL = Limit(visits=USUAL_VISITS)
MOST_THREADS = 16
YIELD_SECONDS = 0.03  # so often there is a new ranking


@dataclass(frozen=True)
class TreeEvaluator(Evaluator):
    """Ranks moves by a tree search; only the last ranking has every legal move."""

    method = "search"
    short = "search"
    about = "tree search with the network"
    scale = PROBABILITY
    source = Source(
        authors="C. D. Rosin",
        year=2011,
        title="Multi-armed bandits with episode context. Annals of Mathematics and AI 61, 203-230",
        where="the choice of the line that is visited next",
        link="https://doi.org/10.1007/s10472-011-9258-6",
    )
    improves = True
    weighs_swap = True

    visits: Annotated[int | None, "Number of visits, 800 by default."] = None
    seconds: Annotated[float, "Seconds of search, instead of visits."] = 0.0
    threads: Annotated[int, "Number of lines searched at once."] = 1
    network: Annotated[str, "ONNX file of a network to use instead of ours."] = ""

    def __post_init__(self) -> None:
        if self.visits == 0 or (self.visits and self.seconds):
            raise ValueError("visits are 1 or more, and stand without seconds")
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"1 to {MOST_THREADS} threads, not {self.threads}")
        if self.visits == USUAL_VISITS:  # the usual limit has one name
            object.__setattr__(self, "visits", None)

    @property
    def limit(self) -> Limit:
        if self.seconds:
            return Limit(seconds=self.seconds)
        return USUAL if self.visits is None else Limit(visits=self.visits)

    @property
    def judge(self) -> "NetworkJudge | None":
        """The network that is asked; None for the own one. Raises NetworkFileError."""
        if not self.network:
            return None
        from hextui.engine.neural.onnx_judge import onnx_judge

        return onnx_judge(self.network)

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        if not bench.position.empties:
            yield Ranking(self.name, ())
            return
        yield from self._grown(self._search(bench.position), bench.position, self.limit)

    def briefly(self, position: Position, visits: int) -> "tuple[TreeSearch, Iterator[Ranking]]":
        """Return a search of an unfinished position and its rankings, of the searched moves alone.

        ``visits``: if no limit is named. The last ranking is empty where every move loses at once.
        """
        limit = Limit(visits=visits) if self.limit == USUAL else self.limit
        search = self._search(position)
        return search, self._grown(search, position, limit, all_moves=False)

    def _search(self, position: Position) -> "TreeSearch":
        from hextui.engine.search.tree_search import TreeSearch

        search = TreeSearch(position.board, threads=self.threads, judge=self.judge)
        search.look_at(position)
        return search

    def _grown(
        self, search: "TreeSearch", position: Position, limit: Limit, *, all_moves: bool = True
    ) -> Iterator[Ranking]:
        """Yield rankings of the position that a search is at, up to a limit.

        ``all_moves``: at the end the solver checks who wins and which moves do, and the moves left
        out are evaluated.
        """
        from hextui.engine.search.tree_search import ranked

        def ranking(*, final: bool) -> Ranking:
            note = f"{counted(search.evaluated, 'position')} evaluated"
            return ranked(self.name, position, search.moves(), final=final, note=note)

        due = time.perf_counter() + YIELD_SECONDS
        after: tuple[Iterator[None], ...] = ()
        if all_moves:
            check = search.check(in_sight=True)
            after = check, search.prove_moves(), search.evaluate_others()
        for _ in chain(search.grow(limit), *after):
            if time.perf_counter() >= due and not (all_moves and search.too_sure):
                yield ranking(final=False)
                due = time.perf_counter() + YIELD_SECONDS
        yield ranking(final=True)

    def explain(self, bench: "Workbench", move: int) -> Iterator[Ranking | Explanation]:
        check_empty(bench.position, move)
        search = self._search(bench.position)
        last = None
        for last in self._grown(search, bench.position, self.limit):
            yield last
        assert last is not None, "a search yields a final ranking"
        yield explanation_of(bench, move, last, _facts(search, bench.position, move, last))


def _facts(search: "TreeSearch", position: Position, move: int, ranking: Ranking) -> Facts:
    from hextui.engine.search.win_probability import POSITION_WEIGHT, STRETCH

    searched = {move_searched.cell: move_searched for move_searched in search.moves()}
    explained = searched[move]
    best = searched[ranking.moves[0].cell]
    terms = [Term("v", explained.value), Term("v_best", best.value)]
    if (parts := explained.parts) is not None:
        terms += [
            Term("n", parts.visits),
            Term("S", parts.total),
            Term("h", parts.win),
            Term("V", parts.before),
            Term("k", POSITION_WEIGHT),
            Term("a", STRETCH),
        ]
    notes = [Note(Remark.VISITED, counts=(search.evaluated,))]
    if position.first_stone_swappable:
        notes.append(Note(Remark.SWAPPABLE))
    return Facts(tuple(terms), notes=tuple(notes))
