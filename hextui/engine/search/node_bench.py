"""A workbench that follows a search: connections are updated from its root, not found anew."""

from hextui.engine.board import Color
from hextui.engine.connections import ConnectionSearch
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.network import PathRoom
from hextui.engine.orientation import Orientation
from hextui.engine.oriented import OrientedConnections
from hextui.engine.position import Position


class NodeBench(Workbench):
    """Looks at positions that follow ``root`` by stones put on empty cells.

    With limits on the lists, connections depend on the order of the stones. So they are added
    in one order, Black's by their cells, then White's: what is seen at a position depends on
    it and on the root alone, whichever moves led there.
    """

    def __init__(self, root: Position, like: Workbench) -> None:
        """Take the settings of a bench ``like`` this one."""
        self._root = root
        super().__init__(root.board, like.connection_settings, like.path_settings)
        self.position = root

    def _take_kernels(self, width: int) -> None:
        self._width = width
        self.room = PathRoom(self.board, self.path_settings, width)
        self._followers = {
            color: ConnectionSearch(self.board, color, self.connection_settings, width)
            for color in Color
        }
        for search in self._followers.values():
            search.search(self._root)
        self._added: list[tuple[int, Color]] = []

    def look_at(self, position: Position) -> None:
        """Turn to a position that follows the root."""
        super().look_at(position)
        wanted = sorted(
            ((cell, Color(stone)) for cell, stone in enumerate(position.stones)
             if stone != self._root.stones[cell]),
            key=lambda added: (added[1], added[0]),
        )  # fmt: skip
        same = 0
        while self._added[same : same + 1] == wanted[same : same + 1] != []:
            same += 1
        for search in self._followers.values():
            for _ in self._added[same:]:
                search.undo()
            for cell, color in wanted[same:]:
                search.play(cell, color)
        self._added = wanted

    def oriented(self, color: Color) -> OrientedConnections:
        """Return the connections of the position as it is: in a search nothing is turned."""
        if color not in self._oriented:
            search = self._followers[color]
            self._oriented[color] = OrientedConnections(
                self.position, color, Orientation(self.position), search
            )
        return self._oriented[color]
