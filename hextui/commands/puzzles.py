"""``hextui puzzles``: make puzzles from games, list and check collections."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from hextui.commands.arguments import Parser, file_path
from hextui.commands.documents import Document, print_document, table
from hextui.commands.experiments import conduct, experiment_arguments
from hextui.commands.library_games import library_arguments, library_games, wants_library
from hextui.commands.output import FAILED, ProgressLine, complain, remark
from hextui.engine.board import Color, LargeBoard
from hextui.engine.json_values import as_json
from hextui.engine.limit import NOT_ANALYSED, Limit
from hextui.engine.position import Position
from hextui.library.answers import Broken, files_of
from hextui.library.schema import LibraryError
from hextui.locations import named_path
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.text import Names, counted, is_part_of
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles

BUILT_IN = "built-in"


def add_arguments(parser: Parser) -> None:
    """Add the actions, and what each takes."""
    made = parser.actions("action", _ACTIONS)
    make = made["make"]
    check = made["check"]
    text = "a file of games, any format, or a folder of such files"
    make.value("sources", "SOURCE", text, nargs="*", type=file_path)
    make.output("the SGF file for the puzzles; an existing file is replaced", required=True)
    make.value(
        "--player", "TEXT", "only positions in which a player with TEXT in the name was to move"
    )
    library_arguments(make)
    make.number("--most", "make puzzles in which at most N moves win (default: 1)", 1, most=9)
    experiment_arguments(make)
    for name in ("list", "check"):
        text = f"puzzles: a file of any format, a folder, or {BUILT_IN} (default)"
        made[name].value("collection", "FILE|FOLDER", text, nargs="?", default=BUILT_IN)
        made[name].shared("--json")
    openings = made["openings"]
    openings.value("player", "PLAYER", "the player, a part of a name")
    openings.shared("--json")
    text = "nodes that the solver expands per puzzle (default: 1000000)"
    check.number("--nodes", text, 1_000_000)


def run(options: argparse.Namespace) -> int:
    """Do one action; return the exit code: 1 if a puzzle is wrong, ambiguous or undecided."""
    try:
        code: int = options.act(options)
    except (ValueError, LibraryError) as error:  # RecordError too
        return complain(error)
    return code


def _make(options: argparse.Namespace) -> int:
    from hextui.train.collection import PUZZLES, PuzzleTask, experiment
    from hextui.train.finder import FinderSettings

    if not options.sources and not wants_library(options):
        raise ValueError("give a file or a folder of games, or --library")
    settings = FinderSettings(most_wins=options.most)
    tasks: list[PuzzleTask] = []
    for name, record in _games(options):
        player = None
        if options.player is not None:
            player = _color_of(options.player, record)
            if player is None:
                continue
        task = PuzzleTask(
            number=len(tasks), name=name, record=record, player=player, settings=settings
        )
        tasks.append(task)
    if not tasks:
        by = "" if options.player is None else f" by {options.player}"
        raise ValueError(f"there is no game{by} to make puzzles from")
    return conduct(experiment(tasks, settings), options, {PUZZLES: options.output})


def _color_of(player: str, record: Record) -> Color | None:
    """Return the colour of the player whose name holds a text, in any case; None without one."""
    names = {Color.BLACK: record.info("PB"), Color.WHITE: record.info("PW")}
    return next((c for c, name in names.items() if is_part_of(player, name)), None)


def _games(options: argparse.Namespace) -> Iterator[tuple[str, Record]]:
    """Yield the games named; report on standard error which cannot be read."""
    yield from _games_of_files(options.sources)
    if wants_library(options):
        for row, record in library_games(options):
            yield row.label, record


def _games_of_files(sources: Sequence[Path]) -> Iterator[tuple[str, Record]]:
    for file in files_of(sources):
        if isinstance(file, Broken):
            remark(f"{file.source}: {file.reason}")
            continue
        for number, record in enumerate(read_collection(file), start=1):
            if isinstance(record, RecordError):
                remark(str(record))
            elif isinstance(record.board, LargeBoard):
                remark(f"{file}: {NOT_ANALYSED}")
            else:
                yield f"{file.name} {number}", record


def _puzzles(options: argparse.Namespace) -> list[Puzzle]:
    named = options.collection
    puzzles = list(read_puzzles(BUILT_IN_FILE if named == BUILT_IN else named_path(named)))
    if not puzzles:
        raise ValueError(f"{named}: no record in it sets up a position")
    return puzzles


def _list(options: argparse.Namespace) -> int:
    from hextui.train.progress import TrainingStore

    documents = []
    with closing(TrainingStore()) as progress:
        for number, puzzle in enumerate(_puzzles(options), start=1):
            card = progress.of(puzzle)
            attempts = list(card.attempts) if card else []
            due = card.due.isoformat() if card else None
            documents.append(_document(number, puzzle) | {"attempts": attempts, "due": due})
    print_document({"puzzles": documents}, options, _list_text)
    return 0


def _document(number: int, puzzle: Puzzle) -> Document:
    document: Document = as_json(
        {
            "number": number,
            "name": puzzle.name,
            "size": puzzle.position.board,
            "position": _diagram(puzzle.position),
            "to_move": puzzle.position.to_move,
            "winning_moves": puzzle.winning_moves,
            "lines": puzzle.lines,
            "theme": puzzle.theme,
            "level": puzzle.level,
        }
    )
    return document


def _diagram(position: Position) -> str:
    """Return the rows of a position, with strokes between them."""
    return str(position).replace(" ", "").replace("\n", "/")


def _list_text(document: Document, names: Names) -> str:
    rows: list[list[object]] = [["", "size", "level", "theme", "to move", "solved", "from"]]
    for puzzle in document["puzzles"]:
        attempts = puzzle["attempts"]
        solved = f"{sum(attempts)} of {len(attempts)}" if attempts else "-"
        row = [
            puzzle["number"],
            f"{puzzle['size']['columns']}x{puzzle['size']['rows']}",
            puzzle["level"] or "-",
            puzzle["theme"] or "-",
            names.player(puzzle["to_move"]),
            solved,
            puzzle["name"],
        ]
        rows.append(row)
    return table(rows)


def _openings(options: argparse.Namespace) -> int:
    from hextui.library.library import Library
    from hextui.train.own_openings import own_openings
    from hextui.train.progress import TrainingStore

    documents = []
    with Library() as library, closing(TrainingStore()) as progress:
        for met in own_openings(library, options.player):
            board = met.position.board
            card = progress.of(met.puzzle)
            document = as_json(
                {
                    "size": board,
                    "position": _diagram(met.position),
                    "to_move": met.position.to_move,
                    "games": met.games,
                    "played": {board.name(cell): games for cell, games in met.played.items()},
                    "attempts": list(card.attempts) if card else [],
                    "due": card.due.isoformat() if card else None,
                }
            )
            documents.append(document)
    print_document({"positions": documents}, options, _openings_text)
    return 0


def _openings_text(document: Document, names: Names) -> str:
    if not document["positions"]:
        return "no early position that this player met in two games"
    rows: list[list[object]] = [["games", "size", "to move", "played", "solved", "due"]]
    for met in document["positions"]:
        played = " ".join(f"{move} {games}" for move, games in met["played"].items())
        attempts = met["attempts"]
        row = [
            met["games"],
            f"{met['size']['columns']}x{met['size']['rows']}",
            names.player(met["to_move"]),
            played,
            f"{sum(attempts)} of {len(attempts)}" if attempts else "-",
            (met["due"] or "-")[:10],
        ]
        rows.append(row)
    return table(rows)


def _check(options: argparse.Namespace) -> int:
    from hextui.train.collection import checked

    puzzles = _puzzles(options)
    documents = []
    with ProgressLine() as progress:
        for number, puzzle in enumerate(puzzles, start=1):
            progress.show(f"{number - 1} of {counted(len(puzzles), 'puzzle')} checked")
            verdict = checked(puzzle, Limit(nodes=options.nodes))
            board = puzzle.position.board
            documents.append(
                {
                    **_document(number, puzzle),
                    "verdict": verdict.verdict,
                    "wrong": [board.name(cell) for cell in verdict.wrong],
                    "unlisted": [board.name(cell) for cell in verdict.unlisted],
                    "undecided": [board.name(cell) for cell in verdict.unknown],
                }
            )
    print_document({"puzzles": documents}, options, _check_text)
    all_right = all(document["verdict"] == "right" for document in documents)
    return 0 if all_right else FAILED


def _check_text(document: Document, names: Names) -> str:
    lines = []
    for puzzle in document["puzzles"]:
        if puzzle["verdict"] != "right":
            kinds = ("wrong", "unlisted", "undecided")
            moves = [f"{kind}: {' '.join(puzzle[kind])}" for kind in kinds if puzzle[kind]]
            lines.append(
                f"{puzzle['number']}. {puzzle['name']}: {puzzle['verdict']}; {', '.join(moves)}"
            )
    verdicts = Counter(puzzle["verdict"] for puzzle in document["puzzles"])
    counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
    return "\n".join([*lines, f"{counted(len(document['puzzles']), 'puzzle')}: {counts}"])


_ACTIONS = {
    "make": (_make, "find positions of games in which few moves win, and write them as puzzles"),
    "list": (_list, "list a collection, with your results"),
    "openings": (_openings, "list the positions that a player met most, with your results"),
    "check": (_check, "prove every move of each puzzle again"),
}
"""Each action's function, and the one-line description of the help."""
