"""The JSON document about players of the library: results, openings, opponents and mistakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hextui.analysis.player_mistakes import PlayerMistake, by_mistake_kind, by_phase, total_of
from hextui.commands.documents import Document
from hextui.engine.board import Board
from hextui.engine.json_values import as_json
from hextui.engine.position import Move
from hextui.library.player_games import PlayerGames, PlayerScore
from hextui.library.player_results import by_board, by_color, by_opening, opponents, ratings
from hextui.library.repertoire import RepertoireNode, repertoires
from hextui.train.player_review import PlayerReview


@dataclass(frozen=True)
class TreeSize:
    """How much of a tree of openings is listed: its plies, and moves of ``least`` games or more."""

    plies: int
    least: int


def player_document(games: PlayerGames, review: PlayerReview, size: TreeSize) -> Document:
    """Return all that is counted of a player."""
    return {
        "name": games.name,
        **score_document(games.score),
        "against_itself": games.against_itself,
        "colors": _by_text({str(color): score for color, score in by_color(games.games).items()}),
        "sizes": _sizes(games),
        "openings": _openings(games),
        "opponents": _opponents(games),
        "ratings": [vars(rating) for rating in ratings(games.games)],
        "reviewed": len(review.games),
        "kinds": _kinds(review.mistakes),
        "phases": _phases(review.mistakes),
        "mistakes": [_mistake(mistake) for mistake in review.mistakes],
        "least": size.least,
        "repertoires": [_root(root, review, size) for root in repertoires(games.games)],
    }


def score_document(score: PlayerScore) -> Document:
    """Return a score; the share of wins and its interval are null without decided games."""
    interval = score.interval
    share = interval.value if score.decided else None
    return {
        "games": score.games,
        "wins": score.wins,
        "losses": score.losses,
        "share": share,
        "interval": [interval.low, interval.high],
    }


def _by_text(scores: Mapping[str, PlayerScore]) -> Document:
    return {name: score_document(score) for name, score in scores.items()}


def _sizes(games: PlayerGames) -> list[Document]:
    scores = by_board(games.games).items()
    return [{"size": as_json(board), **score_document(score)} for board, score in scores]


def _openings(games: PlayerGames) -> list[Document]:
    documents = []
    for opening in by_opening(games.games):
        document = {
            "size": as_json(opening.board),
            "move": opening.first.name(opening.board),
            "same": _names(opening.same, opening.board),
            "opened": opening.opened,
            "swapped": opening.swapped,
            **score_document(opening.score),
        }
        documents.append(document)
    return documents


def _opponents(games: PlayerGames) -> list[Document]:
    documents = []
    for opponent in opponents(games.games):
        documents.append({"name": opponent.name, **score_document(opponent.score)})
    return documents


def _kinds(mistakes: Sequence[PlayerMistake]) -> list[Document]:
    documents = []
    for kind, total in by_mistake_kind(mistakes).items():
        name = None if kind is None else str(kind)
        documents.append({"kind": name, **vars(total)})
    return documents


def _phases(mistakes: Sequence[PlayerMistake]) -> list[Document]:
    totals = by_phase(mistakes).items()
    return [{"phase": str(phase), **vars(total)} for phase, total in totals]


def _mistake(mistake: PlayerMistake) -> Document:
    return {
        "id": mistake.game,
        "plies": list(mistake.plies),
        "moves": list(mistake.moves),
        "kind": None if mistake.kind is None else str(mistake.kind),
        "phase": str(mistake.phase),
        "lost": mistake.lost,
    }


def _root(root: RepertoireNode, review: PlayerReview, size: TreeSize) -> Document:
    about = {"size": as_json(root.position.board), "opened": root.opened}
    return about | _node(root, review, size)


def _node(node: RepertoireNode, review: PlayerReview, size: TreeSize) -> Document:
    """Return the score at a node, the mistakes after it and the moves from it.

    ``rare``: the moves that are left out because fewer games have them.
    """
    own = review.of(node.games).from_ply(node.ply)
    total = total_of(own.mistakes)
    document = score_document(node.score) | vars(total)
    if node.ply < size.plies:
        following = node.following
        common = [after for after in following if len(after.games) >= size.least]
        document["rare"] = len(following) - len(common)
        document["moves"] = [_move(after, own, size) for after in common]
    return document


def _move(node: RepertoireNode, review: PlayerReview, size: TreeSize) -> Document:
    board = node.position.board
    about = {
        "ply": node.ply,
        "move": node.moves[-1].name(board),
        "same": _names(node.same, board),
        "own": node.is_own_move,
    }
    return about | _node(node, review, size)


def _names(moves: Sequence[Move], board: Board) -> list[str]:
    return [move.name(board) for move in moves]
