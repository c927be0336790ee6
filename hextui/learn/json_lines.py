"""Files of JSON objects, one a line."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

Made = TypeVar("Made")


def read_json_lines(paths: Iterable[Path], made_of: Callable[[dict[str, Any]], Made]) -> list[Made]:
    """Return what the objects in files stand for, in their order.

    ``made_of`` raises ValueError, TypeError or KeyError for an object that stands for nothing.
    Raises ValueError, with the file and the line, for such an object, and OSError.
    """
    found: list[Made] = []
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    found.append(made_of(json.loads(line)))
                except (ValueError, TypeError, KeyError) as error:
                    what = f"no {error}" if isinstance(error, KeyError) else str(error)
                    raise ValueError(f"{path}, line {number}: {what}") from None
    return found


def next_number(path: Path) -> int:
    """Return the number that follows the ``id`` of a file's last object, 0 if there is no file.

    Raises ValueError or KeyError if that line is not an object with such a number, and OSError.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return int(json.loads(lines[-1])["id"]) + 1 if lines else 0
