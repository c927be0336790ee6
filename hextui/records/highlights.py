"""What a picture of a position shows besides its stones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hextui.engine.board import Color


@dataclass(frozen=True)
class Highlights:
    """What is known of cells, by their numbers; all of it may be missing.

    ``labels``: a short text. ``heat``: from 0 (weak) to 1 (strong). ``verdicts``: whether playing
    there wins or loses. ``carrier``: the empty cells that a connection of ``color`` needs; ``key``
    is its next move. ``played`` is the record's next move by ``to_move``, ``last_move`` the one
    made. ``name`` says what heat and labels are, ``legend`` what all that is drawn means.
    """

    labels: Mapping[int, str] = field(default_factory=dict)
    heat: Mapping[int, float] = field(default_factory=dict)
    verdicts: Mapping[int, bool] = field(default_factory=dict)
    carrier: frozenset[int] = frozenset()
    color: Color = Color.BLACK
    key: int | None = None
    must_play: frozenset[int] = frozenset()
    last_move: int | None = None
    played: int | None = None
    name: str = ""
    legend: str = ""


NOTHING = Highlights()
