"""What the rows of ``losing-moves`` say: how often, when and where an evaluator lost won games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.matches.figures import Bars, Figure
from hextui.matches.intervals import proportion
from hextui.matches.reports import escape_markdown, markdown_table
from hextui.matches.results import Document, Table
from hextui.records.codecs.hexworld import write_hexworld
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.words.names import Names, counted


@dataclass(frozen=True)
class LosingMove:
    """A losing move: the game up to it, the colour that made it, and what would have won.

    ``rank`` of ``candidates``: where the evaluator ranked the winning move.
    """

    board: Board
    color: Color
    before: tuple[Move, ...]
    move: str
    better: str
    rank: int
    candidates: int

    @property
    def record(self) -> Record:
        """The game up to the position."""
        return Record.of_moves(self.board, self.before)


@dataclass(frozen=True)
class LosingSummary:
    """Games, how many were lost, and of these: won before, lost from the opening on, not known."""

    games: int
    lost: int
    thrown: int
    hopeless: int
    unknown: int


def mistakes(table: Table, settings: Document) -> list[LosingMove]:
    """Return the losing moves in the order of the games."""
    columns, _, rows = settings["settings"]["size"].partition("x")
    board = Board(int(rows), int(columns))
    found = []
    for row in _rows(table):
        ply = int(row["ply"])
        if ply:
            moves = [Move.parse(name, board) for name in row["moves"].split()[: ply - 1]]
            rank = (int(row["better_rank"]), int(row["candidates"]))
            color = Color.parse(row["player"])
            found.append(LosingMove(board, color, tuple(moves), row["move"], row["better"], *rank))
    return found


def summary(table: Table) -> LosingSummary:
    """Return the counts."""
    lost = [row for row in _rows(table) if row["winner"] != row["player"]]
    thrown = sum(int(row["ply"]) > 0 for row in lost)
    hopeless = sum(int(row["ply"]) == 0 and int(row["known_from"]) <= 2 for row in lost)
    return LosingSummary(
        len(table.rows), len(lost), thrown, hopeless, len(lost) - thrown - hopeless
    )


def _rows(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def figures(table: Table, settings: Document) -> list[Figure]:
    """Return at which plies games were lost, as bars."""
    plies = Counter(len(mistake.before) + 1 for mistake in mistakes(table, settings))
    if not plies:
        return []
    places = range(min(plies), max(plies) + 1)
    counts = tuple(float(plies[ply]) for ply in places)
    bars = Bars("games", tuple(map(str, places)), counts, counts, counts)
    title = f"Plies at which {settings['settings']['player']} lost won games"
    return [Figure("losing-plies", title, "ply", "games", bars=(bars,))]


def document(table: Table, settings: Document) -> Document:
    """Return the counts and the losing moves as JSON."""
    found = mistakes(table, settings)
    return {
        "summary": vars(summary(table)),
        "mistakes": [
            {
                "link": write_hexworld(mistake.record),
                "to_move": str(mistake.color),
                "move": mistake.move,
                "better": mistake.better,
                "rank": mistake.rank,
                "candidates": mistake.candidates,
            }
            for mistake in found
        ],
    }


def report(table: Table, settings: Document, drawn: Sequence[Figure], names: Names) -> str:
    """Return the report in Markdown, each position with a link and a diagram."""
    wanted = settings["settings"]
    counts, found = summary(table), mistakes(table, settings)
    share = f"{proportion(counts.games - counts.lost, counts.games):.3f}"
    player, other = (escape_markdown(wanted[name]) for name in ("player", "other"))
    parts = [
        f"# Where {player} loses against {other} on {wanted['size']}\n",
        f"{counted(counts.games, 'game')}, every first stone with both colours; won {share} "
        f"(95 % interval, Wilson). CPU time {settings['cpu_seconds']:.0f} s. "
        f"hextui {settings['versions']['hextui']}.\n",
        f"Of {counted(counts.lost, 'lost game')}, {counts.thrown} were won before a losing move "
        f"that the solver proved ({wanted['nodes']} positions a ply at most), {counts.hopeless} "
        f"were lost from the first stone on, of {counts.unknown} it is not known.\n",
    ]
    if found:
        ranks = sorted(mistake.rank for mistake in found)
        parts += [
            "The first proved losing move of each. The rank is the evaluator's of the winning "
            f"move that the solver found, of all legal moves; median {ranks[len(ranks) // 2]}. "
            "Other moves may win too. All positions: losing-moves.sgf.\n",
            markdown_table(
                ["", "to move", "ply", "played", "wins", "its rank", "position"],
                [_line(number, mistake, names) for number, mistake in enumerate(found, start=1)],
            )
            + "\n",
        ]
    if drawn:
        parts.append("## Figures\n")
        parts += [f"![{figure.title}]({figure.name}.png)\n" for figure in drawn]
    parts += [_diagram(number, mistake, names) for number, mistake in enumerate(found, start=1)]
    return "\n".join(parts)


def _line(number: int, mistake: LosingMove, names: Names) -> list[str]:
    return [
        str(number),
        names.player(mistake.color),
        str(len(mistake.before) + 1),
        mistake.move,
        mistake.better,
        f"{mistake.rank} of {mistake.candidates}",
        write_hexworld(mistake.record),
    ]


def _diagram(number: int, mistake: LosingMove, names: Names) -> str:
    record = mistake.record
    position = record.position(record.main_line()[-1])
    mover = names.player(mistake.color)
    says = f"{mover} to move: {mistake.better} wins, {mistake.move} was played"
    return f"## Position {number}: {says}\n\n```\n{position}\n```\n"


def sgf(table: Table, settings: Document, names: Names) -> str:
    """Return the positions before the losing moves as one SGF collection, with comments."""
    games = []
    for mistake in mistakes(table, settings):
        record, mover = mistake.record, names.player(mistake.color)
        comment = f"{mover} to move: {mistake.better} wins, {mistake.move} loses"
        record.set_comment(record.main_line()[-1], comment)
        games.append(write_sgf(record))
    return "".join(games)
