"""The learned network's ranking: how likely each move is to be a strong player's choice.

See docs/network.md. The network sees stones alone, no connections: it is right more often than any
other ranking, and it proves nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.evaluators.base import Workbench, rank_by_value
from hextui.engine.ranking import Ranking
from hextui.engine.scales import per_cent_text


@dataclass(frozen=True)
class NetworkPolicy:
    """Ranks cells by the chances that the learned network gives them; they add up to 1."""

    @property
    def name(self) -> str:
        """The name in the registry."""
        return "network"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "a network learned from games: docs/network.md"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking."""
        position = bench.position
        chances, win = bench.opinions
        yield rank_by_value(
            self.name,
            {cell: float(chances[0, cell]) for cell in position.empties},
            note=f"{per_cent_text(float(win[0]))}% for the side to move",
        )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the chance that the side to move wins, as the network holds it."""
        return float(bench.opinions.win[0])

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return 1 - worth
