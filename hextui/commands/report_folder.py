"""The report on all games of a file or folder: every player's mistakes, their kinds and places.

Each game's report is saved in the cache folder as soon as it is made, so that a run that was
interrupted, or one over more games, makes only what is missing. The cache may be deleted.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hextui import locations
from hextui.analysis.mistakes import MistakeKind
from hextui.commands.documents import Document
from hextui.commands.report_text import Block, Heading, Paragraph, Rows
from hextui.engine.board import Board, Color
from hextui.engines.engine import EngineError
from hextui.library.answers import Broken, files_of
from hextui.records.codecs.sgf import write_sgf
from hextui.records.errors import RecordError
from hextui.records.formats import BrokenGame, read_collection
from hextui.records.record import Record
from hextui.records.saving import save_text
from hextui.version import __version__
from hextui.words.names import Names, counted
from hextui.words.reviews import MISTAKE_KINDS

BAND = 15
"""Mistakes are counted by bands of this many plies."""
BANDS = ("1-15", "16-30", "31-45", "46 on")
FORMAT = 3
"""The format of the saved reports; those of another one are made again."""
_MEANT = (
    "A threat that was not met: the move left the other side a connection that wins. A missed "
    "connection: one would have won. Given back: the other side had just given the win away."
)


def reports_folder() -> Path:
    """Return the folder of the saved reports."""
    return locations.cache_folder() / "reports"


@dataclass
class KeptReports:
    """A cache of reports on games, keyed by game, evaluators, seconds of solving and names.

    ``evaluators``: their full descriptions. ``names``: those in the sentences. ``make`` makes the
    document of a game's report; its second argument begins the lines of progress. ``problem`` says
    why reports could not be saved, '' if they could.
    """

    evaluators: Sequence[str]
    seconds: float
    names: Names
    make: Callable[[Record, str], Document]
    problem: str = ""

    def of(self, record: Record, label: str) -> Document:
        """Return the report on a game, from the cache if it is there."""
        about = [__version__, FORMAT, list(self.evaluators), self.seconds]
        about += [self.names.value, write_sgf(record)]
        digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()
        path = reports_folder() / f"{digest}.json"
        try:
            with locations.open_private_file(path) as file:
                kept: Document = json.load(file)
        except (OSError, ValueError):  # never made, or damaged
            kept = self.make(record, label)
            self._keep(path, kept)
        return kept

    def _keep(self, path: Path, report: Document) -> None:
        """Save a report for the next run, or note why that is not possible."""
        try:
            locations.make_private_folder(path.parent)
            save_text(path, json.dumps(report), locations.PRIVATE)
        except OSError as error:
            self.problem = f"{path.parent}: reports are not kept: {error.strerror or error}"
        except RecordError as error:
            self.problem = f"{path.parent}: reports are not kept: {error.what}"


@dataclass
class _Tally:
    """A player's games, games lost, and mistakes: all, by bands of plies, and by kind."""

    games: int = 0
    lost: int = 0
    mistakes: int = 0
    bands: list[int] = field(default_factory=lambda: [0] * len(BANDS))
    kinds: Counter[MistakeKind] = field(default_factory=Counter)

    def count(self, ply: int, kind: MistakeKind) -> None:
        """Count a mistake made at a ply, from 1."""
        self.mistakes += 1
        self.bands[min((ply - 1) // BAND, len(BANDS) - 1)] += 1
        self.kinds[kind] += 1


def folder_document(path: Path, kept: KeptReports, size: Board | None = None) -> Document:
    """Report on all games of a file or folder, with a line for each that cannot be read.

    ``size`` is the board of move lists that do not give one.
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
            found = kept.of(game, f"{name}: ")
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
    """Return the figures of each player in these games, most mistakes first."""
    tallies = sorted(_tallies(games).items(), key=lambda item: (-item[1].mistakes, item[0]))
    return [
        {
            "player": name,
            "games": tally.games,
            "lost": tally.lost,
            "mistakes": tally.mistakes,
            "by_ply": dict(zip(BANDS, tally.bands, strict=True)),
            "by_kind": {str(kind): tally.kinds[kind] for kind in MISTAKE_KINDS},
        }
        for name, tally in tallies
    ]


def _games(path: Path, size: Board | None) -> Iterator[tuple[str, int, Record | str]]:
    """Yield source, number and game, or instead of the game a line that says what is wrong."""
    for file in files_of([path]):
        if isinstance(file, Broken):
            yield file.source, 0, f"{file.source}: {file.reason}"
            continue
        number = 0
        try:
            for number, game in enumerate(read_collection(file, size), start=1):
                found = str(game.error) if isinstance(game, BrokenGame) else game
                yield str(file), number, found
        except RecordError as error:
            yield str(file), number + 1, str(error)


def _tallies(games: Sequence[Document]) -> dict[str, _Tally]:
    """Return a tally for each player's name, '' for those without one."""
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for game in games:
        for color, name in game["players"].items():
            tallies[name].games += 1
            tallies[name].lost += game["winner"] not in (None, color)
        for mistake in game["mistakes"]:
            tally = tallies[game["players"][mistake["player"]]]
            tally.count(mistake["moves"][0]["ply"], MistakeKind(mistake["kind"]))
        if (opening := game["opening"]) is not None:
            tally = tallies[game["players"][opening["player"]]]
            tally.count(opening["ply"], MistakeKind.OPENING)
    return tallies


def folder_blocks(document: Document, names: Names) -> Sequence[Block]:
    """Return the text of a report on many games."""
    games, players = document["games"], document["players"]
    head: list[object] = ["player", "games", "lost", "wins given away"]
    rows = [[*head, *(f"plies {band}" for band in BANDS)]]
    for found in players:
        numbers = [found[key] for key in ("games", "lost", "mistakes")]
        texts = map(str, [*numbers, *found["by_ply"].values()])
        rows.append([found["player"] or "unknown", *texts])
    blocks: list[Block] = [
        Heading(f"Mistakes, proved, in {counted(len(games), 'game')}", 1),
        Rows(rows),
        Paragraph("A mistake that is one of several moves counts where the first of them is."),
    ]
    if any(found["mistakes"] for found in players):
        blocks += [Heading("What kind of mistakes"), Rows(_kinds(players)), Paragraph(_MEANT)]
    lost = [game for game in games if game["mistakes"]]
    if lost:
        blocks.append(Heading("Where each game was given away"))
        lines: list[list[object]] = [["game", *(name.lower() for name in names.both), "in words"]]
        for game in lost:
            players = [game["players"][str(color)] or names.player(color) for color in Color]
            place = f"{Path(game['source']).name} {game['game']}"
            lines.append([place, *players, game["mistakes"][-1]["words"]])
        blocks.append(Rows(lines))
    return blocks


def _kinds(players: Sequence[Document]) -> list[list[object]]:
    """Return the mistakes of each player by kind, and the kind made most."""
    rows: list[list[object]] = [["player", "most", *MISTAKE_KINDS.values()]]
    for found in players:
        kinds = found["by_kind"]
        if found["mistakes"]:
            most = MISTAKE_KINDS[max(MISTAKE_KINDS, key=lambda kind: kinds[kind])]
            counts = [str(kinds[kind]) for kind in MISTAKE_KINDS]
            rows.append([found["player"] or "unknown", most, *counts])
    return rows
