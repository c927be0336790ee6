"""The openings of a player as a tree, by the moves of the games in their order.

Positions that are the same by symmetry are one, as in the explorer, and so are both ways to swap.
Each move is named as it stands on the board of the position before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.library.player_games import PlayerGame, PlayerScore, score_of
from hextui.library.position_keys import moves_to


@dataclass(frozen=True)
class RepertoireNode:
    """A position that the games of a player go through, and the moves that led there.

    ``opened``: whether the player made the first move. ``same``: the moves that are the same as the
    last one by symmetry.
    """

    position: Position
    opened: bool
    moves: tuple[Move, ...]
    same: tuple[Move, ...]
    games: tuple[PlayerGame, ...]

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @property
    def score(self) -> PlayerScore:
        """The player's score in these games."""
        return score_of(self.games)

    @property
    def is_own_move(self) -> bool:
        """Whether the player made the last move; there is one."""
        return (self.ply % 2 == 1) is self.opened

    @property
    def following(self) -> "list[RepertoireNode]":
        """The positions after the next moves, that of most games first."""
        by_key: dict[int, list[PlayerGame]] = {}
        place = self.ply + 1
        for game in self.games:
            if len(game.keys) > place:
                by_key.setdefault(game.keys[place], []).append(game)
        ways = moves_to(self.position, by_key) if by_key else {}
        nodes = [self._after(ways[key], games) for key, games in by_key.items()]
        return sorted(nodes, key=lambda node: (-len(node.games), node.moves[-1].cell))

    def _after(self, ways: Sequence[Move], games: Sequence[PlayerGame]) -> "RepertoireNode":
        move, *same = ways
        return RepertoireNode(
            position=self.position.apply(move),
            opened=self.opened,
            moves=(*self.moves, move),
            same=tuple(same),
            games=tuple(games),
        )


def repertoires(games: Sequence[PlayerGame]) -> list[RepertoireNode]:
    """Return the empty boards of a player's openings: by board, and who made the first move.

    Those of most games come first. Games that do not begin there are left out.
    """
    groups: dict[tuple[Board, bool], list[PlayerGame]] = {}
    for game in games:
        if game.opened is not None:
            groups.setdefault((game.board, game.opened), []).append(game)
    roots = []
    for (board, opened), begun in groups.items():
        root = RepertoireNode(
            position=Position.empty(board), opened=opened, moves=(), same=(), games=tuple(begun)
        )
        roots.append(root)
    return sorted(roots, key=lambda root: (-len(root.games), not root.opened))
