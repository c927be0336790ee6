"""``hextui library explore``: the moves that the games of the library play at a position."""

import argparse
from dataclasses import asdict

from hextui.commands.documents import Document, answer, table
from hextui.commands.library_games import filter_of_options
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.library.answers import ExploredMove, GameCounts
from hextui.text import Names, counted


def explore(options: argparse.Namespace) -> int:
    """List the moves at a position; return the exit code."""
    from hextui.library.library import Library

    def make(position: Position) -> Document:
        explored = library.explore(position, chosen)
        board = position.board
        swap = {"swap_legal": position.swap_legal, "other_swap_legal": explored.others}
        return {
            "games": explored.games,
            "ended": asdict(explored.ended),
            "moves": [_move_document(move) for move in explored.moves],
            "best": explored.moves[0].move if explored.moves else None,
            "line": [move.name(board) for move in explored.line],
            "line_games": explored.line_games,
            "rare": explored.rare,
            **(swap if explored.others else {}),
        }

    chosen = filter_of_options(options)
    with Library(names=options.names) as library:
        return answer(options, make, _show_explored)


def _move_document(explored: ExploredMove) -> Document:
    return {
        "move": explored.move,
        "games": explored.games,
        "black_wins": explored.black_wins,
        "white_wins": explored.white_wins,
        "verdict": "winning" if explored.winning else "losing",
        "certain": explored.certain,
        "supported": explored.supported,
        "agreeing": explored.agreeing,
        "moves_to_end": explored.value.moves,
        "last_year": explored.last_year,
        "refutation": explored.refutation,
        "swapped": explored.swapped,
        "ended": asdict(explored.ended),
    }


def _show_explored(document: Document, names: Names) -> str:
    lines = [counted(document["games"], "game"), *_ends("here", document["ended"], names)]
    if others := document.get("other_swap_legal"):
        # a stone that was swapped, or set up, is another position than the first move
        may = ("may no longer", "may") if document["swap_legal"] else ("may", "may no longer")
        lines[0] += f" where the opponent {may[1]} swap; {others:,} where it {may[0]}"
    if document["line"]:
        ends = counted(document["line_games"], "game")
        lines.append(f"best line ({ends})  {' '.join(document['line'])}")
    lines.append(table(_explored_rows(document, names)))
    if document["rare"]:
        lines.append(f"{counted(document['rare'], 'move')} with fewer games left out")
    for m in document["moves"]:
        if GameCounts(**m["ended"]).contradicting:
            lines += _ends(f"with {m['move']}", m["ended"], names)
    return "\n".join(lines)


def _explored_rows(document: Document, names: Names) -> list[list[object]]:
    """Return a heading and a row for each move, the most played first."""
    swaps = any(move["swapped"] is not None for move in document["moves"])
    heading = ["move", f"{names.player(Color.BLACK)} won", "games", "95% CI"]
    if swaps:
        heading.append("swapped")
    rows: list[list[object]] = [[*heading, "verdict", "reply", "last played"]]
    for move in sorted(document["moves"], key=lambda move: -int(move["games"])):
        decided = move["black_wins"] + move["white_wins"]
        share = _share(move["black_wins"], decided)
        row = [move["move"], share, f"{move['games']:,}", _interval(move, decided)]
        if swaps:
            row.append(_share(move["swapped"], move["games"]))
        reply = move["refutation"] if move["supported"] else None
        rows.append([*row, _verdict(move), reply or "", move["last_year"] or ""])
    return rows


def _share(part: int, of: int) -> str:
    """Return a share in per cent, '' of nothing."""
    return f"{100 * part / of:.0f}%" if of else ""


def _interval(move: Document, decided: int) -> str:
    """Return the 95% interval of the share that Black won, '' without decided games."""
    if not decided:
        return ""
    from hextui.runs.proportions import proportion

    share = proportion(move["black_wins"], decided)
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}%"


def _verdict(move: Document) -> str:
    """Return the verdict of a move with its evidence, '' if nothing supports one."""
    if not move["supported"]:
        return ""
    if not move["certain"]:
        return f"possibly {move['verdict']}, {counted(move['agreeing'], 'game')}"
    return f"{move['verdict']}, {counted(move['moves_to_end'], 'move')}"


def _ends(where: str, ended: Document, names: Names) -> list[str]:
    """Return a line about the games that end at a place, or none without such games."""
    if not ended["games"]:
        return []
    end = "ends" if ended["games"] == 1 else "end"
    won = zip(names.both, (ended["black_wins"], ended["white_wins"]), strict=True)
    text = f"{counted(ended['games'], 'game')} {end} {where}: "
    text += ", ".join(f"{name} won {games}" for name, games in won)
    return [f"{text} (contradicting)" if GameCounts(**ended).contradicting else text]
