"""The report on all games of a file or folder: every player's mistakes, their kinds and places."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hextui.analysis.mistakes import MistakeKind
from hextui.commands.documents import Document
from hextui.commands.report_text import ReportText
from hextui.engine.board import Board, Color
from hextui.engines.engine import EngineError
from hextui.library.answers import Broken, files_of
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.records.text import RecordError
from hextui.words.names import Names, counted
from hextui.words.reviews import MISTAKE_KINDS

BAND = 15
"""Mistakes are counted by bands of this many plies."""
BANDS = ("1-15", "16-30", "31-45", "46 on")
_MEANT = (
    "A threat that was not met: the move left the other side a connection that wins. A missed "
    "connection: one would have won. Given back: the other side had just given the win away."
)


def folder_document(
    path: Path, make: Callable[[Record, str], Document], size: Board | None = None
) -> Document:
    """Report on all games of a file or folder, with a line for each that cannot be read.

    ``make`` makes the document of a game; its second argument begins the lines of progress.
    """
    games: list[Document] = []
    left_out: list[str] = []
    notes: dict[str, None] = {}
    for source, number, game in _games(path, size):
        if isinstance(game, str):
            left_out.append(game)
            continue
        if game.origin:
            notes.update(dict.fromkeys(f"{source}: {x}" for x in game.origin.notes))
        name = f"{source}: game {number}"
        try:
            found = make(game, f"{name}: ")
        except (RecordError, EngineError) as error:  # the analysis did not end
            left_out.append(f"{name}: {error}")
            continue
        wanted = ("players", "result", "winner", "mistakes", "opening", "decided")
        games.append({"source": source, "game": number} | {key: found[key] for key in wanted})
    return {
        "games": games,
        "players": players_of(games),
        "left_out": left_out,
        "notes": list(notes),
    }


def players_of(games: Sequence[Document]) -> list[Document]:
    """Return the figures of each player in these games, most mistakes first; '' has no name."""
    played, lost = Counter[str](), Counter[str]()
    made: dict[str, list[tuple[int, MistakeKind]]] = {}
    for game in games:
        for color, name in game["players"].items():
            played[name] += 1
            lost[name] += game["winner"] not in (None, color)
            made.setdefault(name, [])
        for one in game["mistakes"]:
            ply, kind = one["moves"][0]["ply"], MistakeKind(one["kind"])
            made[game["players"][one["player"]]].append((ply, kind))
        if (opening := game["opening"]) is not None:
            made[game["players"][opening["player"]]].append((opening["ply"], MistakeKind.OPENING))
    players = []
    for name, mistakes in sorted(made.items(), key=lambda item: (-len(item[1]), item[0])):
        bands = Counter(BANDS[min((ply - 1) // BAND, len(BANDS) - 1)] for ply, _ in mistakes)
        kinds = Counter(kind for _, kind in mistakes)
        players.append(
            {
                "player": name,
                "games": played[name],
                "lost": lost[name],
                "mistakes": len(mistakes),
                "by_ply": {band: bands[band] for band in BANDS},
                "by_kind": {str(kind): kinds[kind] for kind in MISTAKE_KINDS},
            }
        )
    return players


def _games(path: Path, size: Board | None) -> Iterator[tuple[str, int, Record | str]]:
    """Yield source, number and game, or instead of the game a line that says what is wrong."""
    for file in files_of([path]):
        if isinstance(file, Broken):
            yield file.source, 0, f"{file.source}: {file.reason}"
            continue
        number = 0
        try:
            for number, game in enumerate(read_collection(file, size), start=1):
                found = str(game) if isinstance(game, RecordError) else game
                yield str(file), number, found
        except RecordError as error:
            yield str(file), number + 1, str(error)


def folder_text(document: Document, names: Names, markdown: bool) -> str:
    """Return the report on many games, whose document is given."""
    made, games, players = ReportText(markdown), document["games"], document["players"]
    made.heading(f"Mistakes, proved, in {counted(len(games), 'game')}", 1)
    rows = []
    for found in players:
        numbers = [found[key] for key in ("games", "lost", "mistakes")]
        texts = map(str, [*numbers, *found["by_ply"].values()])
        rows.append([found["player"] or "unknown", *texts])
    bands = [f"plies {band}" for band in BANDS]
    made.table(["player", "games", "lost", "wins given away", *bands], rows)
    made.paragraph("A mistake that is one of several moves counts where the first of them is.")
    if erring := [found for found in players if found["mistakes"]]:
        made.heading("What kind of mistakes")
        made.table(["player", "most", *MISTAKE_KINDS.values()], list(map(_kinds, erring)))
        made.paragraph(_MEANT)
    if lost := [game for game in games if game["mistakes"]]:
        made.heading("Where each game was given away")
        rows = []
        for game in lost:
            both = [game["players"][str(color)] or names.player(color) for color in Color]
            place = f"{Path(game['source']).name} {game['game']}"
            rows.append([place, *both, game["mistakes"][-1]["words"]])
        made.table(["game", *(name.lower() for name in names.both), "in words"], rows)
    return str(made)


def _kinds(found: Document) -> list[str]:
    kinds = found["by_kind"]
    most = MISTAKE_KINDS[max(MISTAKE_KINDS, key=lambda kind: kinds[kind])]
    counts = (str(kinds[kind]) for kind in MISTAKE_KINDS)
    return [found["player"] or "unknown", most, *counts]
