"""``hextui report``: how well evaluators agree with the moves of a whole game."""

import argparse
from collections.abc import Sequence

from hextui.analysis import keeping
from hextui.analysis.game_report import GameReport, JudgedMove, PlayerReport, game_report
from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import Station, stations
from hextui.analysis.whole_game import analyse_game
from hextui.commands import output
from hextui.commands.arguments import POSITION_HELP, duration, file_path, json_argument, whole
from hextui.commands.documents import Document, number, size_of, table
from hextui.commands.output import complain, remark, say, say_json
from hextui.commands.workstation import LIVE_EVALUATORS
from hextui.engine.board import Board, Color
from hextui.engines.budget import PLY_SECONDS, cores
from hextui.engines.snapshot import Progress, VerdictKind
from hextui.records.errors import RecordError
from hextui.records.formats import Format, format_of, parse_position_argument
from hextui.records.reading_back import save
from hextui.records.record import Record
from hextui.records.text import printable

_BY = {
    VerdictKind.CHAIN: "by a chain",
    VerdictKind.CONNECTION: "by a connection",
    VerdictKind.SOLVER: "as the solver proved",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("record", metavar="GAME", help=POSITION_HELP)
    parser.add_argument("--game", type=whole(1), default=1, metavar="N", help="game N of the file")
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (more than once for several; default: those that the workstation shows)",
    )
    parser.add_argument(
        "--solve",
        type=duration,
        default=PLY_SECONDS,
        metavar="SECONDS",
        help=f"let the solver look so long who wins at a ply, from the last to the first, as if "
        f"nobody swaps, until four plies in a row stay unknown, and at most 24 times as long in "
        f"all; 0 for not at all (default: {PLY_SECONDS:g})",
    )
    parser.add_argument(
        "--save", type=file_path, metavar="FILE", help="write the game with the results, as SGF"
    )
    json_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Analyse the main line of a game; what the record already holds is not done again."""
    from hextui.engine.evaluators import evaluator

    chosen = options.evaluator or LIVE_EVALUATORS
    try:
        names = list(dict.fromkeys(evaluator(name).name for name in chosen))
        record = parse_position_argument(options.record, options.game)
        target = options.save
        if target is not None and format_of(target) is not Format.SGF:
            raise RecordError("results can be kept in SGF only", source=str(target))
    except ValueError as error:
        return complain(error)
    line = stations(record, record.main_line())
    judgements = Judgements()
    keeping.read(line, judgements)
    shown = output.ProgressLine()
    for progress in analyse_game(line, names, judgements, cores(), options.solve):
        _tell(progress, shown)
    code = 0
    if target is not None:
        keeping.keep(record, line, names, judgements)
        try:
            save(record, target)
        except RecordError as error:  # what took so long is told all the same
            code = complain(error)
    document = _document(record, line, names, judgements)
    if options.json:
        say_json(document)
    else:
        say(_show(document))
    return code


def _tell(progress: Progress, line: output.ProgressLine) -> None:
    """Show progress on standard error: one line that is written over, or the end in a file."""
    ended = progress.done == progress.total
    text = f"{progress.label}: {progress.done} of {progress.total}"
    line.show(text)
    if ended and line.shown:
        line.end(keep=True)
    elif ended:
        remark(text)


def _document(
    record: Record, line: Sequence[Station], names: Sequence[str], judgements: Judgements
) -> Document:
    report = game_report(line, names, judgements)
    return {
        "size": size_of(record.board),
        "players": {str(color): record.player(color) for color in Color},
        "result": record.info("RE"),
        "evaluators": {name: _players(report, name, record.board) for name in names},
        "proved": [
            {"from": s.first, "to": s.last, "winner": str(s.winner), "by": str(s.kind)}
            for s in report.proved
        ],
        "decided": report.decided,
        "given_away": [
            {"ply": m.ply, "move": record.board.name(m.cell), "color": str(m.color)}
            for m in report.given_away
        ],
        "plies": [_ply(station, names, judgements) for station in line],
    }


def _players(report: GameReport, name: str, board: Board) -> Document:
    return {str(c): _player(found, board) for c, found in report.players[name].items()}


def _player(found: PlayerReport, board: Board) -> Document:
    return {
        "moves": found.moves,
        "q": found.q,
        "mid_q": found.mid_q,
        "top_1": found.top_1,
        "top_5": found.top_5,
        "worst": [_judged(move, board) for move in found.worst],
    }


def _judged(move: JudgedMove, board: Board) -> Document:
    return {
        "ply": move.ply,
        "move": board.name(move.cell),
        "rank": move.quality.rank,
        "candidates": move.quality.candidates,
        "q": move.quality.q,
        "best": board.name(move.best),
    }


def _ply(station: Station, names: Sequence[str], judgements: Judgements) -> Document:
    board, verdict = station.position.board, judgements.verdict(station.position)
    found: Document = {
        "ply": station.ply,
        "to_move": str(station.position.to_move),
        "move": None if station.cell is None else board.name(station.cell),
        "winner": str(verdict.winner) if verdict else None,
        "by": str(verdict.kind) if verdict else None,
        "evaluators": {},
    }
    for name in names:
        judged, quality = judgements.of(station, name), judgements.quality(station, name)
        if judged is not None:
            found["evaluators"][name] = {
                "value": number(judged.value),
                "best": [board.name(cell) for cell in judged.best],
                "rank": quality.rank if quality else None,
                "q": quality.q if quality else None,
            }
    return found


def _show(document: Document) -> str:
    """Return the report for people."""
    parts = []
    for color, name in document["players"].items():
        rows: list[list[object]] = [["evaluator", "moves", "Q", "mid Q", "top 1", "top 5", "worst"]]
        for evaluator_name, players in document["evaluators"].items():
            found = players[color]
            shares = [found[key] for key in ("q", "mid_q", "top_1", "top_5")]
            texts = ["-" if share is None else f"{share:.3f}" for share in shares]
            worst = ", ".join(
                f"{m['ply']}. {m['move']} (rank {m['rank']} of {m['candidates']}, best {m['best']})"
                for m in found["worst"]
            )
            rows.append([evaluator_name, str(found["moves"]), *texts, worst])
        parts.append(f"{color}: {printable(name) or 'unknown'}\n{table(rows)}")
    for stretch in document["proved"]:
        first, last = stretch["from"], stretch["to"]
        plies = f"ply {first}" if first == last else f"plies {first} to {last}"
        parts.append(f"{plies}: {stretch['winner']} wins {_BY[stretch['by']]}")
    if document["decided"] is not None:
        winner = document["proved"][-1]["winner"]
        parts.append(f"{winner} is proved to win from ply {document['decided']} on")
    for move in document["given_away"]:
        parts.append(f"{move['ply']}. {move['move']}: {move['color']} gave away a proved win")
    return "\n\n".join(parts)
