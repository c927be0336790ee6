"""Text on a line of so many columns: no word and no number is cut."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

ELLIPSIS = "…"
_ENDS = " -_./\\"  # a word of a name ends before one of these

_CLAUSE_ENDS = re.compile("[,:;] ")


def within(text: str, columns: int) -> str:
    """Return ``text``, or as many of its first words as there is room for, and an ellipsis.

    A single word that is longer than the line is cut where it must be.

    >>> within("Red wins by a connection", 14)
    'Red wins by a…'
    """
    if cell_len(text) <= columns:
        return text
    if columns < 2:
        return ""
    room = columns - cell_len(ELLIPSIS)
    cut = max((end for end in range(room + 1) if _ends(text, end, room)), default=0)
    start = text[:cut].rstrip(_ENDS) if cut else ""
    return f"{start or set_cell_size(text, room)}{ELLIPSIS}"


def clauses_within(text: str, columns: int) -> str:
    """Return ``text``, or as many of its first clauses as there is room for.

    A clause ends at a comma, a colon or a semicolon; '' if even the first one has no room.

    >>> clauses_within("every move, proved wins first", 14)
    'every move'
    >>> clauses_within("Red wins by a connection, at once", 14)
    ''
    """
    if cell_len(text) <= columns:
        return text
    clauses = [text[: end.start()] for end in _CLAUSE_ENDS.finditer(text)]
    fitting = [clause for clause in clauses if cell_len(clause) <= columns]
    return fitting[-1] if fitting else ""


def flowed(text: Text, columns: Sequence[int]) -> list[Text]:
    """Return the lines of a text, each of so many columns; what has no room is left out.

    >>> text = Text("Red to move and win\\nLevel 3")
    >>> [line.plain for line in flowed(text, [12, 9, 7])]
    ['Red to move', 'and win', 'Level 3']
    >>> [line.plain for line in flowed(text, [12, 9])]
    ['Red to move', 'and win…']
    """
    lines = list(_filled(text, columns))
    shown = lines[: len(columns)]
    if len(lines) > len(shown) and shown:
        shown[-1].append(ELLIPSIS)
        shown[-1].truncate(columns[-1])
    return shown


def _filled(text: Text, columns: Sequence[int]) -> Iterator[Text]:
    """Yield the lines of a text that is wrapped to so many columns, and what has no room."""
    rooms = iter(columns)
    for paragraph in text.split("\n", allow_blank=True):
        room = next(rooms, 0)
        line: list[Text] = []
        for word in paragraph.split(" "):
            if line and sum(map(len, line)) + len(line) + word.cell_len > room:
                yield Text(" ").join(line)
                room = next(rooms, 0)
                line = []
            line.append(word)
        yield Text(" ").join(line)


def _ends(text: str, place: int, room: int) -> bool:
    """Return whether a word of the text ends before this place, which is within the room."""
    return place < len(text) and text[place] in _ENDS and cell_len(text[:place]) <= room
