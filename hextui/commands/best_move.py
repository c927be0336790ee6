"""``hextui best-move``: the best move by looking at every line of play."""

import argparse

from hextui.commands.arguments import position_arguments, whole
from hextui.commands.documents import Document, answer
from hextui.commands.output import complain, say, say_json
from hextui.engine.position import Position
from hextui.engine.search.best_move import BestMove, best_move
from hextui.engine.search.hex_game import MOST_EMPTIES, HexGame
from hextui.engine.search.tic_tac_toe import TicTacToe, cell_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(
        parser,
        _game,
        "game N of the file, or tic-tac-toe: POSITION is a STATE such as X.O/.X./..O",
    )


def _game(text: str) -> int | str:
    return text if text == "tic-tac-toe" else whole(1)(text)


def run(options: argparse.Namespace) -> int:
    """Find the best move of a position of either game; return the exit code."""
    if options.game != "tic-tac-toe":
        return answer(options, _make_hex, _show)
    if options.ply is not None or options.to_move is not None or options.batch:
        return complain("--ply, --to-move and --batch are for positions of Hex")
    if options.position is None:
        return complain("give a STATE such as X.O/.X./..O")
    return _run_tic_tac_toe(options.position, options.json)


def _make_hex(position: Position) -> Document:
    """Return the document of a Hex position; raises ValueError if it has too many empty cells."""
    empties = len(position.empties)
    if empties > MOST_EMPTIES and position.winner is None:
        raise ValueError(f"best-move takes {MOST_EMPTIES} empty cells at most, here are {empties}")
    found = best_move(HexGame(position))
    return _document(found, "" if found.move is None else position.board.name(found.move))


def _run_tic_tac_toe(text: str, as_json: bool) -> int:
    """Print the best move on a tic-tac-toe board such as ``X.O/.X./..O``; return the exit code."""
    try:
        found = best_move(TicTacToe.parse(text))
    except ValueError as error:
        return complain(error)
    document = _document(found, "" if found.move is None else cell_name(found.move))
    if as_json:
        say_json(document)
    else:
        say(_show(document))
    return 0


def _document(found: BestMove, name: str) -> Document:
    return {"move": name or None, "score": found.score}


def _show(document: Document) -> str:
    """Return the document for people."""
    outcome = {1: "wins", 0: "draws", -1: "loses"}[document["score"]]
    if document["move"] is None:
        return f"the game is over: the side to move {outcome}"
    return f"{document['move']} {outcome}"
