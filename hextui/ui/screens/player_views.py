"""What the screen of a player lists: results, openings, opponents, mistakes and ratings.

A view is a table. Each of its rows stands for some games of the player, which can be listed, and
Enter on it leads to another view or to a game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hextui.analysis.player_mistakes import (
    MistakeTotal,
    PlayerMistake,
    by_mistake_kind,
    by_phase,
    total_of,
)
from hextui.library.player_games import PlayerGame, PlayerGames, PlayerScore, score_of
from hextui.library.player_results import by_board, by_color, opponents, ratings
from hextui.library.repertoire import RepertoireNode, repertoires
from hextui.records.record_text import printable
from hextui.text import Names, counted
from hextui.train.player_review import PlayerReview
from hextui.words.players import (
    SCORE_HEADS,
    TOTAL_HEADS,
    YEAR_HEADS,
    interval_text,
    kind_text,
    lost_text,
    rating_years,
    share_text,
    side_text,
)
from hextui.words.reviews import numbered_move


class GameAt(NamedTuple):
    """A game of the library to open, by its id, and the ply to show."""

    id: int
    ply: int = 0


@dataclass(frozen=True)
class ViewRow:
    """A row: its cells, and the games that it stands for, which are opened at ``ply``.

    ``leads_to``: what Enter shows, None for the games.
    """

    cells: tuple[str, ...]
    games: tuple[PlayerGame, ...] = ()
    ply: int = 0
    leads_to: "Callable[[], PlayerView] | GameAt | None" = None


@dataclass(frozen=True)
class PlayerView:
    """A table: its title, the heads of its columns, its rows, and what to say without any."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[ViewRow]
    nothing: str = "no game"


@dataclass
class PlayerViews:
    """Makes the views about a player; ``review`` is None until it is read."""

    player: PlayerGames
    review: PlayerReview | None
    names: Names

    def results(self) -> PlayerView:
        """Return the scores in all games, by colour and by board."""
        games = self.player.games
        rows = [self._score_row("all games", games)]
        for color in by_color(games):
            own = [game for game in games if game.color is color]
            rows.append(self._score_row(self.names.player(color), own))
        for board in by_board(games):
            own = [game for game in games if game.board == board]
            rows.append(self._score_row(str(board), own))
        return PlayerView("Results", ("", *SCORE_HEADS), rows if games else [])

    def openings(self) -> PlayerView:
        """Return the boards, and who moves first, from which the openings begin."""
        rows = []
        for root in repertoires(self.player.games):
            name = f"{root.position.board}, {side_text(root.opened)}"
            rows.append(self._node_row(name, root))
        return PlayerView("Openings", ("", *SCORE_HEADS, *TOTAL_HEADS), rows)

    def node(self, node: RepertoireNode) -> PlayerView:
        """Return the moves from a position of the openings."""
        board = node.position.board
        plies = enumerate(node.moves, start=1)
        line = [numbered_move(ply, move.name(board)) for ply, move in plies]
        title = f"{board}, {side_text(node.opened)}{':' if line else ''} {' '.join(line)}"
        rows = []
        for after in node.following:
            name = after.moves[-1].name(board)
            rows.append(self._node_row(numbered_move(after.ply, name), after))
        is_own = (node.ply % 2 == 0) is node.opened
        heads = ("own move" if is_own else "opponent", *SCORE_HEADS, *TOTAL_HEADS)
        return PlayerView(title.strip(), heads, rows, "no game goes on from here")

    def _node_row(self, name: str, node: RepertoireNode) -> ViewRow:
        total = total_of(self._mistakes_after(node))
        cells = (name, *_score_cells(node.score), *self._total_cells(total))
        alone = len(node.games) == 1
        leads_to = GameAt(node.games[0].id, node.ply) if alone else lambda: self.node(node)
        return ViewRow(cells, node.games, node.ply, leads_to)

    def all_mistakes(self) -> PlayerView:
        """Return the mistakes in all games."""
        return self.mistakes(ViewRow(("all games",), self.player.games))

    def _mistakes_after(self, node: RepertoireNode) -> Sequence[PlayerMistake]:
        if self.review is None:
            return ()
        return self.review.of(node.games).from_ply(node.ply).mistakes

    def opponents(self) -> PlayerView:
        """Return the score against each opponent."""
        rows = []
        for opponent in opponents(self.player.games):
            games = self.player.against(opponent.name).games
            rows.append(self._score_row(printable(opponent.name) or "?", games))
        return PlayerView("Opponents", ("opponent", *SCORE_HEADS), rows)

    def ratings(self) -> PlayerView:
        """Return the ratings of each year."""
        rows = []
        given = ((rating.date, rating.rating) for rating in ratings(self.player.games))
        for year, values in rating_years(given).items():
            games = [game for game in self.player.games if game.date[:4] == year]
            own = tuple(game for game in games if game.rating is not None)
            rows.append(ViewRow((year, *map(str, values)), own))
        heads = ("year", *YEAR_HEADS)
        return PlayerView("Rating", heads, rows, "no game has a rating and a date")

    def mistakes(self, row: ViewRow) -> PlayerView:
        """Return the mistakes in the games of a row from its ply on: all, by phase, by kind."""
        review = PlayerReview() if self.review is None else self.review.of(row.games)
        mistakes = review.from_ply(row.ply).mistakes
        rows = [self._total_row("all mistakes", total_of(mistakes), mistakes)]
        for phase, total in by_phase(mistakes).items():
            own = [mistake for mistake in mistakes if mistake.phase is phase]
            rows.append(self._total_row(str(phase), total, own))
        for kind, total in by_mistake_kind(mistakes).items():
            own = [mistake for mistake in mistakes if mistake.kind is kind]
            rows.append(self._total_row(kind_text(kind), total, own))
        title = f"Mistakes: {row.cells[0]}"
        nothing = "reading the reviews"
        if self.review is not None:
            title = f"{title}, {counted(len(review.games), 'reviewed game')}"
            nothing = "a in the library reviews games"
        heads = ("mistakes", *TOTAL_HEADS)
        return PlayerView(title, heads, rows if review.games else [], nothing)

    def _total_row(
        self, name: str, total: MistakeTotal, mistakes: Sequence[PlayerMistake]
    ) -> ViewRow:
        ids = {mistake.game for mistake in mistakes}
        games = tuple(game for game in self.player.games if game.id in ids)
        cells = (name, *self._total_cells(total))
        return ViewRow(cells, games, 0, lambda: self._listed(name, mistakes))

    def _listed(self, title: str, mistakes: Sequence[PlayerMistake]) -> PlayerView:
        """Return a list of mistakes, the proved ones first, each with its game."""
        games = {game.id: game for game in self.player.games}
        rows = []
        for mistake in sorted(mistakes, key=lambda mistake: mistake.kind is None):
            game = games[mistake.game]
            moves = " ".join(map(numbered_move, mistake.plies, mistake.moves))
            lost = "" if mistake.lost is None else lost_text(mistake.lost)
            about = (printable(game.opponent) or "?", printable(game.date))
            cells = (moves, kind_text(mistake.kind), str(mistake.phase), lost, *about)
            rows.append(ViewRow(cells, (game,), mistake.before, GameAt(game.id, mistake.before)))
        heads = ("moves", "kind", "phase", "lost", "opponent", "date")
        return PlayerView(title.capitalize(), heads, rows, "none")

    def games(self, row: ViewRow) -> PlayerView:
        """Return the games that a row stands for, the newest ids first."""
        rows = []
        for game in reversed(row.games):
            result = {True: "won", False: "lost", None: ""}[game.won]
            rating = "" if game.rating is None else str(game.rating)
            color = self.names.player(game.color)
            about = (printable(game.date), str(game.board), color, result, rating, str(game.id))
            cells = (printable(game.opponent) or "?", *about)
            rows.append(ViewRow(cells, (game,), row.ply, GameAt(game.id, row.ply)))
        heads = ("opponent", "date", "size", "colour", "result", "rating", "id")
        return PlayerView(f"Games: {row.cells[0]}", heads, rows)

    def _score_row(self, name: str, games: Iterable[PlayerGame]) -> ViewRow:
        games = tuple(games)
        return ViewRow((name, *_score_cells(score_of(games))), games)

    def _total_cells(self, total: MistakeTotal) -> tuple[str, str, str]:
        if self.review is None:
            return ("", "", "")
        return (f"{total.proved:,}", f"{total.estimated:,}", lost_text(total.lost))


def _score_cells(score: PlayerScore) -> tuple[str, str, str]:
    share = share_text(score.wins, score.losses)
    return (f"{score.games:,}", share, interval_text(score.wins, score.losses))
