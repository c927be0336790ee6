"""Reports: the text of one game's and the report on many, for a terminal or as Markdown."""

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hextui.analysis.mistakes import PROVED, MistakeKind
from hextui.commands.documents import Document, table
from hextui.commands.library_games import library_games, wants_library
from hextui.engine.board import Board, Color
from hextui.engine.limit import TooCostlyError, check_analysed
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, VerdictKind
from hextui.library.answers import Broken, files_of
from hextui.locations import named_path
from hextui.records.formats import read_collection
from hextui.records.record import Record, Result
from hextui.records.record_text import NoGamesError, RecordError, printable
from hextui.records.summary import PassedOver, ReadSummary
from hextui.runs.reports import escape_markdown, markdown_table
from hextui.text import Names, counted, either
from hextui.words.reviews import MISTAKE_KINDS
from hextui.words.verdicts import PROVED_BY, claimed_by

BAND = 15
"""Mistakes are counted by bands of this many plies."""
BANDS = ("1-15", "16-30", "31-45", "46 on")
_MEANT = (
    "A threat that was not met: the move left the other side a connection that wins. A missed "
    "connection: one would have won. Given back: the other side had just given the win away."
)
_OF_GAME = ("players", "result", "winner", "mistakes", "opening", "decided", "decision", "worst")
"""What the report on many games has of each game's."""
_Mistake = tuple[int, MistakeKind]
"""The ply and the kind of a mistake."""
_LIST = re.compile(r"^(\s*\d+)([.)])(?=\s|$)", re.MULTILINE)


class ReportText:
    """Collects the parts of a text: for a terminal, or as Markdown in which names are escaped."""

    def __init__(self, markdown: bool) -> None:
        self._markdown = markdown
        self._parts: list[str] = []

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading; ``level`` 1 is that of the whole text."""
        marked = f"{'#' * level} {escape_markdown(text)}"
        self._parts.append(marked if self._markdown else printable(text))

    def paragraph(self, text: str) -> None:
        """Add a paragraph, which is one line."""
        escaped = _LIST.sub(r"\1\\\2", escape_markdown(text))
        self._parts.append(escaped if self._markdown else printable(text))

    def table(self, head: Sequence[object], rows: Sequence[Sequence[object]]) -> None:
        """Add a table."""
        self._parts.append(markdown_table(head, rows) if self._markdown else table([head, *rows]))

    def __str__(self) -> str:
        return "\n\n".join(self._parts)


def game_text(document: Document, names: Names, markdown: bool) -> str:
    """Return the report on one game, whose document is given."""
    made = ReportText(markdown)
    size = document["size"]
    players = []
    for color in Color:
        name = document["players"][str(color)] or "unknown"
        players.append(f"{name} ({names.player(color)})")
    made.heading(f"{' against '.join(players)}, {size['columns']}x{size['rows']}", 1)
    made.paragraph(document["story"])
    if document["mistakes"]:
        made.heading("Proved mistakes")
        rows = [_mistake(mistake, names) for mistake in document["mistakes"]]
        made.table(["by", "move", "what won instead", "kind"], rows)
    _write_judged(made, document, names)
    _write_winners(made, document, names)
    if document["evaluators"]:
        _write_agreement(made, document["evaluators"], names)
    return str(made)


def _write_judged(made: ReportText, document: Document, names: Names) -> None:
    """Write the mistakes by the first evaluator, then the costly moves by others."""
    judged = document["judged"]
    if judged:
        made.heading(f"Mistakes by {judged[0]['by']}: estimates, not proofs")
        rows = []
        for entry in judged:
            player = names.player(entry["color"])
            rows.append([player, _move(entry), entry["mark"], entry["words"]])
        made.table(["by", "move", "mark", "what"], rows)
    listed = {entry["by"] for entry in judged}
    for name, moves in document["lost_chances"].items():
        if name not in listed:
            _write_costly_moves(made, name, moves, names)


def _write_winners(made: ReportText, document: Document, names: Names) -> None:
    """Write who is proved, and who is claimed, to win at which plies."""
    if document["proved"]:
        made.heading("Who wins, as if nobody swaps")
        rows = [_stretch(stretch, names) for stretch in document["proved"]]
        made.table(["plies", "wins", "proved by"], rows)
    if document["claimed"]:
        made.heading("Claimed, not proved")
        rows = [_claimed(stretch, names) for stretch in document["claimed"]]
        made.table(["plies", "wins", "claimed by"], rows)


def _move(move: Document) -> str:
    return f"{move['ply']}. {move['move']}"


def _mistake(mistake: Document, names: Names) -> list[str]:
    wins = ", ".join(mistake["winning_moves"]) or "not found yet"
    more = "" if mistake["all_winning_moves"] else " (others are undecided)"
    kind = MISTAKE_KINDS[MistakeKind(mistake["kind"])]
    moves = either([_move(move) for move in mistake["moves"]])
    return [names.player(mistake["color"]), moves, wins + more, kind]


def _write_costly_moves(
    made: ReportText, name: str, moves: Sequence[Document], names: Names
) -> None:
    """Write the table of an evaluator with win probabilities, or a line if no move lost a tenth."""
    made.heading(f"Win probability lost, by {name}")
    if not moves:
        made.paragraph("No move lost 10% win probability or more.")
        return
    rows = []
    for move in moves:
        rates = [f"{move[key]:.0%}" for key in ("before", "after")]
        rows.append([names.player(move["color"]), _move(move), *rates, move["best"]])
    made.table(["by", "move", "win probability before", "after", "its best"], rows)


def _stretch(stretch: Document, names: Names) -> list[str]:
    by = PROVED_BY[VerdictKind(stretch["by"])]
    return [_plies(stretch), names.player(stretch["winner"]), by]


def _claimed(stretch: Document, names: Names) -> list[str]:
    winner = Color.parse(stretch["winner"])
    claim = ClaimedWinner(winner, ClaimSource(stretch["by"]), stretch["engine"] or "")
    return [_plies(stretch), names.player(winner), claimed_by(claim)]


def _plies(stretch: Document) -> str:
    first = stretch["from"]
    last = stretch["to"]
    return str(first) if first == last else f"{first} to {last}"


def _write_agreement(made: ReportText, evaluators: Mapping[str, Document], names: Names) -> None:
    rows = []
    for color in Color:
        for name, players in evaluators.items():
            player_report = players[str(color)]
            texts = [_share(player_report[key]) for key in ("q", "mid_q", "top_1", "top_5")]
            worst = ", ".join(f"{_move(m)} ({m['best']})" for m in player_report["worst"])
            rows.append([names.player(color), name, str(player_report["moves"]), *texts, worst])
    made.heading("Agreement with evaluators: estimates, not proofs")
    shown = ["Q", "mid Q", "top 1", "top 5", "lowest ranked (its best)"]
    made.table(["side", "evaluator", "moves", *shown], rows)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


# Many games


@dataclass(frozen=True)
class GamesRead:
    """The games of a file or folder with their places, and what could not be read.

    ``left_out``: a line for each game or file that cannot be read.
    """

    games: list[tuple[str, int, Record]]
    left_out: list[str]
    summary: ReadSummary


def read_games(options: argparse.Namespace) -> GamesRead:
    """Read the games of a file, a folder or the library that can be analysed.

    Raises ValueError, LibraryError for the library.
    """
    read = GamesRead([], [], ReadSummary())
    if wants_library(options):
        games = _of_library(options)
    else:
        path = named_path(options.record)
        games = _games(path, options.size, options.encoding, read.summary)
    for source, number, game in games:
        if isinstance(game, str):
            read.left_out.append(game)
            continue
        try:
            check_analysed(game.board)
        except TooCostlyError as error:
            read.left_out.append(f"{source}: game {number}: {error}")
            continue
        read.games.append((source, number, game))
    return read


def folder_document(read: GamesRead, documents: Sequence[Document]) -> Document:
    """Return the report on all games of a file or folder, from the documents of its games."""
    games: list[Document] = []
    notes: dict[str, None] = {}
    for (source, number, game), document in zip(read.games, documents, strict=True):
        if game.origin:
            notes.update(dict.fromkeys(f"{source}: {x}" for x in game.origin.notes))
        games.append({"source": source, "game": number} | {key: document[key] for key in _OF_GAME})
    return {
        "games": games,
        "players": players_of(games),
        "left_out": read.left_out,
        "notes": list(notes),
        **read.summary.document(),
    }


def players_of(games: Sequence[Document]) -> list[Document]:
    """Return the figures of each player in these games, most mistakes first; '' has no name."""
    played = Counter[str]()
    lost = Counter[str]()
    made: dict[str, list[_Mistake]] = {}
    for game in games:
        for color, name in game["players"].items():
            played[name] += 1
            if game["winner"] not in (None, color):
                lost[name] += 1
            made.setdefault(name, [])
        for color, mistake in _mistakes_in(game):
            made[game["players"][color]].append(mistake)
    most_first = sorted(made.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {"player": name, "games": played[name], "lost": lost[name], **_mistake_counts(mistakes)}
        for name, mistakes in most_first
    ]


def _mistakes_in(game: Document) -> Iterator[tuple[str, _Mistake]]:
    """Yield the mistakes in a game, each with the colour that made it."""
    for mistake in game["mistakes"]:
        ply = mistake["moves"][0]["ply"]
        yield mistake["player"], (ply, MistakeKind(mistake["kind"]))
    opening = game["opening"]
    if opening is not None:
        yield opening["player"], (opening["ply"], MistakeKind.OPENING)


def _mistake_counts(mistakes: Sequence[_Mistake]) -> Document:
    """Return how many mistakes a player made, in all, by their plies and by kind."""
    bands = Counter(BANDS[min((ply - 1) // BAND, len(BANDS) - 1)] for ply, _ in mistakes)
    kinds = Counter(kind for _, kind in mistakes)
    return {
        "mistakes": len(mistakes),
        "by_ply": {band: bands[band] for band in BANDS},
        "by_kind": {str(kind): kinds[kind] for kind in MISTAKE_KINDS},
    }


def _of_library(options: argparse.Namespace) -> Iterator[tuple[str, int, Record | str]]:
    """Yield games of the library as `_games` does; the number is the one in the library."""
    for row, record in library_games(options):
        yield row.source, row.id, record


def _games(
    path: Path, size: Board | None, charset: str | None, summary: ReadSummary
) -> Iterator[tuple[str, int, Record | str]]:
    """Yield source, number and game, or instead of the game a line that says what is wrong."""
    for file in files_of([path], summary):
        if isinstance(file, Broken):
            yield file.source, 0, f"{file.source}: {file.reason}"
            continue
        number = 0
        games = read_collection(file, size, charset=charset, summary=summary)
        try:
            for number, game in enumerate(games, start=1):
                game_or_error = str(game) if isinstance(game, RecordError) else game
                yield str(file), number, game_or_error
        except NoGamesError as error:
            if os.path.isdir(path):
                summary.passed_over.append(PassedOver(str(file), error.what))
            else:
                yield str(file), number + 1, str(error)
        except RecordError as error:
            yield str(file), number + 1, str(error)


def folder_text(document: Document, names: Names, markdown: bool) -> str:
    """Return the report on many games, whose document is given."""
    made = ReportText(markdown)
    games = document["games"]
    made.heading(f"Proved mistakes in {counted(len(games), 'game')}", 1)
    _write_players(made, document["players"])
    erring = [player for player in document["players"] if player["mistakes"]]
    if erring:
        made.heading("Kinds of mistakes")
        made.table(["player", "most", *MISTAKE_KINDS.values()], list(map(_kinds, erring)))
        made.paragraph(_MEANT)
    if games:
        made.heading("Each game")
        made.table(game_columns(names), [game_row(game, names) for game in games])
    return str(made)


def _write_players(made: ReportText, players: Sequence[Document]) -> None:
    rows = []
    for player in players:
        numbers = [player[key] for key in ("games", "lost", "mistakes")]
        texts = map(str, [*numbers, *player["by_ply"].values()])
        rows.append([player["player"] or "unknown", *texts])
    bands = [f"plies {band}" for band in BANDS]
    made.table(["player", "games", "lost", "wins given away", *bands], rows)
    made.paragraph("A mistake that is one of several moves counts at the first of them.")


def game_row(game: Document, names: Names) -> list[str]:
    """Return a game as a row: where it is, players, result, decision, and worst mistake.

    ``game``: one of the ``games`` of `folder_document`.
    """
    both = [game["players"][str(color)] or names.player(color) for color in Color]
    result = Result.parse(game["result"])
    return [
        f"{Path(game['source']).name} {game['game']}",
        *both,
        names.result(result.winner, result.how),
        decision_words(game["decision"], names),
        worst_words(game["worst"], names),
    ]


def game_columns(names: Names) -> list[str]:
    """Return the names of what `game_row` returns."""
    return ["game", *(name.lower() for name in names.both), "result", "decided", "worst mistake"]


def decision_words(decision: Document | None, names: Names) -> str:
    """Return who has a won game from which ply on, and by what; '' if it is open.

    >>> decision_words({"ply": 34, "winner": "black", "proved": True}, Names.RED_BLUE)
    'Red from ply 34, proved'
    """
    if decision is None:
        return ""
    by = "proved" if decision["proved"] else "estimated"
    return f"{names.player(decision['winner'])} from ply {decision['ply']}, {by}"


def worst_words(worst: Document | None, names: Names) -> str:
    """Return whose mistake was the worst one, with its move and what was wrong; '' for none."""
    if worst is None:
        return ""
    if worst["by"] == PROVED:
        return str(worst["words"])
    return f"{names.player(worst['color'])} {_move(worst)}{worst['mark']} {worst['words']}"


def _kinds(player: Document) -> list[str]:
    kinds = player["by_kind"]
    most = MISTAKE_KINDS[max(MISTAKE_KINDS, key=lambda kind: kinds[kind])]
    counts = (str(kinds[kind]) for kind in MISTAKE_KINDS)
    return [player["player"] or "unknown", most, *counts]
