"""``hextui best-move``: the best move by searching every line of play."""

import argparse
import re

from hextui.commands.arguments import Parser, whole
from hextui.commands.documents import Document, answer, print_document, table
from hextui.commands.output import complain
from hextui.engine.search.best_move import EveryLine, GameState
from hextui.engine.search.small_games import GAMES, HexGame, game_called
from hextui.text import OUTCOMES, Names, counted


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.position(
        type=_game,
        help=f"game N of the file, or {', '.join(GAMES)}, a game of an installed package, or a "
        "class FILE.py:CLASS or MODULE:CLASS of your own; then POSITION is a STATE such as "
        f"{' or '.join(game.EXAMPLE for game in GAMES.values())}",
    )
    parser.flag("--scores", "print the scores of all moves too")


def _game(text: str) -> int | str:
    return whole(1)(text) if re.match(r"[-+\d]", text) else text


def run(options: argparse.Namespace) -> int:
    """Find the best move of a position of any of the games; return the exit code."""
    if not isinstance(options.game, str):
        return answer(options, lambda p: _document(HexGame.at(p), options.scores), _show)
    if options.batch or any(x is not None for x in (options.ply, options.to_move, options.size)):
        return complain("--ply, --to-move, --size and --batch are for Hex only")
    try:
        game = game_called(options.game, own=True)
        if options.position is None:
            return complain(f"give a STATE such as {game.EXAMPLE}")
        document = _document(game.parse(options.position), options.scores)
    except ValueError as error:
        return complain(error)
    except Exception as error:
        if options.game in GAMES:
            raise
        return complain(f"{options.game} failed: {type(error).__name__}: {error}")
    print_document(document, options, _show)
    return 0


def _document(game: GameState, all_scores: bool) -> Document:
    search = EveryLine()
    call = search.call(game)
    best = call.best
    document: Document = {
        "move": None if best.move is None else game.move_name(best.move),
        "score": best.score,
        "positions": search.positions,
    }
    if isinstance(game, HexGame) and game.if_nobody_swaps:
        document["if_nobody_swaps"] = True
    if all_scores:
        scores = search.scores(game, call)
        document["scores"] = {game.move_name(move): score for move, score in scores.items()}
    return document


def _show(document: Document, _names: Names) -> str:
    outcome = OUTCOMES[document["score"]]
    if document["move"] is None:
        return f"the game is over: the side to move {outcome}"
    if document.get("if_nobody_swaps"):
        outcome += " if nobody swaps"
    visited = counted(document["positions"], "position")
    rows = [[move, OUTCOMES[score]] for move, score in document.get("scores", {}).items()]
    return "\n".join([f"{document['move']} {outcome} ({visited} visited)", table(rows)]).rstrip()
