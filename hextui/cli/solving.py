"""Commands that find out who wins: solve, check, best-move."""

import argparse

from hextui.cli.arguments import Command, answer, position_arguments


def _solve_arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument(
        "--method",
        choices=("dfpn", "mustplay"),
        default="dfpn",
        help="dfpn: the strong solver (default); mustplay: the readable one, for up to 9 empty "
        "cells",
    )
    strong = parser.add_argument_group("the strong solver")
    strong.add_argument("--winner", action="store_true", help="the winner only, not every move")
    strong.add_argument(
        "--fresh", action="store_true", help="without what earlier runs kept on disk"
    )
    strong.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    strong.add_argument("--nodes", type=int, metavar="N", help="stop after N positions")
    strong.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default: 1)")
    strong.add_argument(
        "--memory",
        type=int,
        metavar="MB",
        help="what the solver may take in all (default: 256 for its table, and what else it needs)",
    )
    readable = parser.add_argument_group("the readable solver")
    readable.add_argument("--trace", action="store_true", help="print the run as an indented tree")
    readable.add_argument(
        "--remember",
        action="store_true",
        help="keep a dictionary of solved positions, for up to 16 empty cells",
    )
    parser.add_argument(
        "--proof", metavar="FILE", help="write the proof of who wins, which hextui check checks"
    )


def _solve(options: argparse.Namespace) -> int:
    from hextui.commands import solve
    from hextui.commands.documents import complain
    from hextui.engine.limit import Limit
    from hextui.engine.solver.dfpn import SolverSettings

    if options.batch and options.proof:
        return complain(ValueError("--proof is for one position, not for --batch"))
    if options.method == "mustplay":
        make = solve.readable_maker(options.remember, options.trace, options.proof)
        return answer(options, make, solve.show)
    if options.trace or options.remember:
        return complain(ValueError("--trace and --remember are for --method mustplay"))
    try:
        wanted = solve.Wanted(
            Limit(options.seconds, options.nodes),
            SolverSettings(threads=options.threads),
            None if options.memory is None else options.memory << 20,
            not options.winner,
            options.fresh,
            options.proof,
        )
    except ValueError as error:
        return complain(error)
    return answer(options, solve.maker(wanted), solve.show)


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("proof", metavar="PROOF", help="a file of solve --proof, - standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _check(options: argparse.Namespace) -> int:
    from hextui.commands.check import run

    return run(options.proof, options.json)


def _best_move_arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(
        parser,
        _game,
        "game N of the file, or tic-tac-toe: POSITION is a STATE such as X.O/.X./..O",
    )


def _game(text: str) -> int | str:
    if text == "tic-tac-toe":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"neither tic-tac-toe nor a number: {text!r}") from None


def _best_move(options: argparse.Namespace) -> int:
    from hextui.commands import best_move
    from hextui.commands.documents import complain

    if options.game != "tic-tac-toe":
        return answer(options, best_move.make_hex, best_move.show)
    if options.ply is not None or options.to_move is not None or options.batch:
        return complain(ValueError("--ply, --to-move and --batch are for positions of Hex"))
    if options.position is None:
        return complain(ValueError("give a STATE such as X.O/.X./..O"))
    return best_move.run_tic_tac_toe(options.position, options.json)


COMMANDS = {
    "solve": Command(_solve_arguments, _solve),
    "check": Command(_check_arguments, _check),
    "best-move": Command(_best_move_arguments, _best_move),
}
