"""Values of results as JSON has them."""

import enum
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hextui.engine.board import Board


def as_json(value: Any) -> Any:
    """Return values of results as JSON has them; raises TypeError for what it cannot hold.

    Cells are lists of names, colours and kinds are words, infinite numbers ``inf`` and ``-inf``.

    >>> from hextui.engine.board import Color
    >>> from hextui.engine.cells import Cells
    >>> as_json({"winner": Color.BLACK, "line": Cells(Board(5), (0, 12)), "value": math.inf})
    {'winner': 'black', 'line': ['a1', 'c3'], 'value': 'inf'}
    """
    match value:
        case enum.Enum():
            return str(value)
        case float():
            return str(value) if math.isinf(value) else value
        case None | bool() | int() | str():
            return value
        case Board():
            return {"rows": value.rows, "columns": value.columns}
        case Mapping():
            return {str(key): as_json(item) for key, item in value.items()}
        case Sequence():
            return [as_json(item) for item in value]
    raise TypeError(f"JSON has nothing like {value!r:.60}")
