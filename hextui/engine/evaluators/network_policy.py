"""The learned network's ranking: how likely each move is to be a strong player's choice.

See docs/network.md. The network sees stones alone, no connections, and proves nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextui.engine.evaluators.base import PROBABILITY, Evaluator, Source, per_cent_text
from hextui.engine.explanation import Facts, Illustration, Note, Remark, Shows, Term
from hextui.engine.position import SwapRule
from hextui.engine.ranking import Ranking, rank_by_value
from hextui.engine.swap import first_stone_value, position_value, swap_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.neural.judge import NetworkJudge
LEAST_LIKELY = 0.001  # less likely moves are not drawn


@dataclass(frozen=True)
class NetworkPolicy(Evaluator):
    """Ranks cells by the probabilities that the learned network gives them; they add up to 1.

    While somebody may swap it ranks by win probability instead, the swap among the moves.
    """

    method = "network"
    short = "net"
    about = "policy learned from games"
    scale = PROBABILITY
    weighs_swap = True
    source = Source(
        authors="D. J. Wu",
        year=2019,
        title="Accelerating self-play learning in Go",
        where="residual blocks with global pooling; policy and value heads",
        link="https://arxiv.org/abs/1902.10565",
    )

    @property
    def judge(self) -> "NetworkJudge":
        """The network."""
        from hextui.engine.neural.judge import shipped_judge

        return shipped_judge()

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        position = bench.position
        if position.swap_rule is not SwapRule.NONE and position.empties:
            yield self._rank_by_win_probability(bench)
            return
        policy, win = bench.opinions(self.judge)
        yield rank_by_value(
            self.name,
            {cell: float(policy[0, cell]) for cell in position.empties},
            note=f"{per_cent_text(float(win[0]))}% for the side to move",
        )

    def _rank_by_win_probability(self, bench: "Workbench") -> Ranking:
        """Return the first or the second moves by the network's value of the position after each.

        A first stone has the value that the better answer leaves.
        """
        position = bench.position
        wins = self.judge.wins_after(position)
        if position.first_stone_swappable:
            values = {cell: first_stone_value(win) for cell, win in wins.items()}
            return rank_by_value(self.name, values, note="worth after a swap or the best reply")
        win = float(bench.opinions(self.judge).win[0])
        note = f"{per_cent_text(win)}% for the side to move if it does not swap"
        return rank_by_value(self.name, wins, note=note).with_swap(swap_value(win))

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the network's win probability of the side to move."""
        return position_value(bench.position, float(bench.opinions(self.judge).win[0]))

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        value = ranking.by_cell[move].value
        worth = Term("w", self.worth(bench, ranking))
        if bench.position.swap_rule is not SwapRule.NONE:
            swappable = bench.position.first_stone_swappable
            remark = Remark.SWAPPABLE if swappable else Remark.BY_WIN_PROBABILITY
            return Facts((Term("v", value), worth), notes=(Note(remark),))
        return Facts((Term("p", value), worth), (likely_moves(ranking),))


def likely_moves(ranking: Ranking) -> Illustration:
    """Return the picture of the moves' probabilities, but for very small ones."""
    amounts = tuple((m.cell, m.value) for m in ranking.moves if m.value >= LEAST_LIKELY)
    return Illustration(Shows.LIKELY_MOVES, amounts=amounts)
