"""The words of the must-play trace: what happens in a step, with the equation of its sets."""

import textwrap
from collections.abc import Iterator

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import Step, get_connections
from hextui.words.names import Names, counted

_WIDTH = 37  # columns of the text beside the board
_LABEL = 8  # columns of the words before a set


def tell_step(step: Step, names: Names) -> Iterator[str]:
    """Yield the lines about a step."""
    position = step.position
    name = position.board.name
    me, other = names.player(position.to_move), names.player(position.to_move.opponent)
    move = "" if step.move is None else name(step.move)
    yield f"{counted(step.depth, 'move')} made, {me} to move" if step.kind != "join" else ""
    yield ""
    match step.kind:
        case "try":
            yield f"{me} tries {move}."
            yield ""
            yield _set("region", position, step.region)
            yield ""
            if len(step.region) == len(position.empties):
                yield "The must-play region (::) is all empty cells: nothing is ruled out yet."
            else:
                yield (
                    "Any cell outside the must-play region (::) leaves alone a winset that beat "
                    "an earlier move."
                )
        case "join":
            yield (
                f"{move} joins {other}'s sides: get_connections (c) has a way from one to the "
                "other."
            )
        case "known":
            yield "This position came up before."
            yield f"{me} wins with {move}." if step.move is not None else f"{other} wins."
            yield _set("winset", position, step.winset)
        case "win":
            yield f"{move} wins for {me}: {other} has no winning answer."
            yield ""
            if rest := step.winset - {step.move}:
                yield _set("beats", position, rest)
                yield _line("and", move)
            yield _set("winset", position, step.winset)
            yield ""
            yield f"The winset (++) is all that {me} needs: what beats every answer, and the move."
        case "refuted":
            yield f"{move} loses: {other} answers {name(step.reply or 0)}."
            yield ""
            yield _set("region", position, step.region)
            yield _set("winset", position, step.winset)
            yield _set("both", position, step.left)
            yield ""
            yield (
                f"{other} needs only the winset (++). A move that does not break it loses alike: "
                "what both have in common is the next region."
            )
        case "lost":
            yield f"No move is left to try: {me} loses."
            yield ""
            for cell, winset in step.threats:
                yield _set(f"beat {name(cell)}", position, winset)
            yield _set("joined", position, step.winset)
            yield ""
            yield f"{other}'s winset (++) joins what beat each of the moves."


def tell_connections(step: Step, color: Color, names: Names) -> Iterator[str]:
    """Yield what `get_connections` returns in the position of a step: cells connected to cells."""
    yield f"Connected for {names.player(color)}"
    yield ""
    name = step.position.board.name
    for cell, others in get_connections(step.position, color).items():
        yield _set(name(cell), step.position, others)


def _set(label: str, position: Position, cells: frozenset[int]) -> str:
    return _line(label, " ".join(position.board.name(cell) for cell in sorted(cells)) or "none")


def _line(label: str, words: str) -> str:
    return textwrap.fill(
        words,
        _WIDTH,
        initial_indent=f"{label:<{_LABEL}}",
        subsequent_indent=" " * _LABEL,
        break_on_hyphens=False,
    )
