"""Commands that analyse a position: rank, connections, network, lines."""

import argparse

from hextui.cli.arguments import Command, answer, color, position_arguments


def _rank_arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (more than once for several; default: all). "
        "Options follow the name: k-paths:1, resistance:plain, shortest-path:seed=7",
    )


def _rank(options: argparse.Namespace) -> int:
    from hextui.commands import rank
    from hextui.commands.documents import complain
    from hextui.engine.evaluators import evaluator, names

    try:
        chosen = [evaluator(name) for name in options.evaluator or names()]
    except ValueError as error:
        return complain(error)
    return answer(options, rank.maker(chosen), rank.show)


def _connections_arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument("--color", type=color, required=True, help="black or white")
    parser.add_argument("--and-over-edges", action="store_true", help="join at own edges too")
    parser.add_argument(
        "--or-size", type=int, default=0, metavar="N", help="OR(N) by enumeration (0: greedy)"
    )
    parser.add_argument("--full-limit", type=int, default=10, metavar="N", help="fulls a pair")
    parser.add_argument("--semi-limit", type=int, default=20, metavar="N", help="semis a pair")
    parser.add_argument(
        "--cell-full-limit", type=int, default=4, metavar="N", help="fulls a pair of empty cells"
    )
    parser.add_argument(
        "--cell-semi-limit", type=int, default=8, metavar="N", help="semis a pair of empty cells"
    )
    parser.add_argument(
        "--cell-size-limit",
        type=int,
        default=0,
        metavar="N",
        help="cells in a carrier of such a pair (0: any number)",
    )


def _connections(options: argparse.Namespace) -> int:
    from hextui.commands import connections
    from hextui.commands.documents import complain
    from hextui.engine.connections import ConnectionSettings

    try:
        settings = ConnectionSettings(
            options.and_over_edges,
            options.or_size,
            options.full_limit,
            options.semi_limit,
            options.cell_full_limit,
            options.cell_semi_limit,
            options.cell_size_limit,
        )
    except ValueError as error:
        return complain(error)
    return answer(options, connections.maker(options.color, settings), connections.show)


def _network_arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument("--color", type=color, required=True, help="black or white")
    parser.add_argument("--links", choices=("none", "virtual"), default="virtual")


def _network(options: argparse.Namespace) -> int:
    from hextui.commands import network

    make = network.maker(options.color, options.links == "virtual")
    return answer(options, make, network.show)


def _lines_arguments(parser: argparse.ArgumentParser) -> None:
    from hextui.engine.search.line_settings import DEFAULT_EVALUATOR, DEFAULT_WIDTHS, LineSettings

    widths = ",".join(map(str, DEFAULT_WIDTHS))
    position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        default=DEFAULT_EVALUATOR,
        metavar="NAME",
        help=f"the evaluator that chooses moves and judges (default: {DEFAULT_EVALUATOR})",
    )
    parser.add_argument(
        "--widths",
        default=widths,
        metavar="W,...,0",
        help=f"moves tried at each ply, the last width 0 (default: {widths})",
    )
    parser.add_argument(
        "--count",
        type=int,
        default=LineSettings().count,
        metavar="N",
        help=f"lines (default: {LineSettings().count})",
    )


def _lines(options: argparse.Namespace) -> int:
    from hextui.commands import lines
    from hextui.commands.documents import complain
    from hextui.engine.evaluators import evaluator
    from hextui.engine.search.line_settings import LineSettings, parse_widths

    try:
        chosen = evaluator(options.evaluator)
        settings = LineSettings(parse_widths(options.widths), options.count)
    except ValueError as error:
        return complain(error)
    return answer(options, lines.maker(chosen, settings), lines.show)


COMMANDS = {
    "rank": Command(_rank_arguments, _rank),
    "connections": Command(_connections_arguments, _connections),
    "network": Command(_network_arguments, _network),
    "lines": Command(_lines_arguments, _lines),
}
