"""The report on a game as a JSON document."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_report import (
    Advantage,
    JudgedMove,
    PlayerReport,
    advantages,
    claimed_stretches,
    decided,
    decision,
    player_reports,
    stretches,
)
from hextui.analysis.game_story import story_facts
from hextui.analysis.mistakes import (
    PROVED,
    Blunder,
    CostlyMove,
    LowRank,
    MistakeKind,
    OpeningMistake,
    ReviewEntry,
    blunders,
    costly_moves,
    game_summary,
    kind_of,
    opening_mistakes,
    review_entries,
)
from hextui.commands.documents import Document
from hextui.engine.board import Board, Color
from hextui.engine.json_values import as_json
from hextui.engine.verdicts import ClaimedWinner
from hextui.records.record import Record
from hextui.text import Names
from hextui.words.reviews import entry_move, entry_words, mistake_sentence
from hextui.words.story import story_text


def game_document(
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
    players: Names,
    budget: float,
) -> Document:
    """Return the report on a game as JSON; its sentences use the names ``players``.

    ``budget``: the solver's for the game, in seconds of CPU time.
    """
    board = record.board
    winner = record.result.winner
    faults = blunders(line, estimates)
    agreement = player_reports(line, names, estimates)
    judged = review_entries(line, estimates, next(iter(names), ""))
    opening = next(iter(opening_mistakes(line, estimates)), None)
    summary = game_summary(line, estimates, budget)
    return {
        "size": as_json(board),
        "players": {str(color): record.player(color) for color in Color},
        "result": record.info("RE"),
        "winner": winner and str(winner),
        "evaluators": {name: _players(reports, board) for name, reports in agreement.items()},
        "proved": [
            {"from": s.first, "to": s.last, "winner": str(s.winner), "by": str(s.kind)}
            for s in stretches(line, estimates)
        ],
        "claimed": [
            {"from": s.first, "to": s.last} | _claim(s.claim)
            for s in claimed_stretches(line, estimates)
        ],
        "decided": decided(line, estimates),
        "decision": _decision(line, names, estimates),
        "worst": _worst(judged, players),
        "lost_chances": _lost_chances(line, names, estimates),
        "judged": [_judged_move(entry, players) for entry in judged if entry.by != PROVED],
        "mistakes": [_mistake(m, faults, estimates, players) for m in faults],
        "opening": _opening(opening, players),
        "story": story_text(story_facts(line, summary), summary, record.result, players),
        "plies": _plies(line, names, estimates),
    }


def _lost_chances(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> Document:
    """Return the costly moves by each evaluator that estimates win probabilities."""
    lost = {}
    for name in names:
        judged = (estimates.of(game_position, name) for game_position in line)
        if any(estimate and estimate.winrate is not None for estimate in judged):
            lost[name] = list(map(_costly_move, costly_moves(line, estimates, name)))
    return lost


def _claim(claim: ClaimedWinner) -> Document:
    """Return who is claimed to win, and by whom; nothing of it is proved."""
    return {"winner": str(claim.winner), "by": str(claim.source), "engine": claim.engine or None}


def _move(ply: int, cell: int, board: Board) -> Document:
    return {"ply": ply, "move": board.name(cell)}


def _costly_move(lost: CostlyMove) -> Document:
    before = lost.before
    board = before.position.board
    return {
        **_move(before.ply + 1, lost.cell, board),
        "color": str(before.position.to_move),
        "player": str(before.player),
        "before": lost.rate_before,
        "after": lost.rate_after,
        "best": board.name(lost.best),
    }


def _decision(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> Document | None:
    """Return where the game was decided; None if its end is open."""
    end = decision(line, estimates, names)
    if end is None:
        return None
    return {"ply": end.ply, "winner": str(end.winner), "proved": end.proved}


def _worst(entries: Sequence[ReviewEntry], names: Names) -> Document | None:
    """Return the first mistake of a review, and the win probability it lost; None without any.

    The words about a proved one are those of ``mistakes``.
    """
    if not entries:
        return None
    worst = entries[0]
    document = _judged_move(worst, names) | {"lost": _lost(worst)}
    if isinstance(worst, Blunder | OpeningMistake) and worst.by == PROVED:
        document["words"] = mistake_sentence(worst, names)
    return document


def _lost(entry: ReviewEntry) -> float | None:
    """Return the win probability that a mistake lost: all if it is proved; None if unknown."""
    if isinstance(entry, Blunder) or entry.by == PROVED:
        return 1.0
    if isinstance(entry, LowRank):
        return None
    return entry.cost or None


def _judged_move(entry: ReviewEntry, names: Names) -> Document:
    ply, _, turn = entry_move(entry).partition(". ")
    return {
        "ply": int(ply),
        "move": turn,
        "color": str(entry.color),
        "player": str(entry.player),
        "mark": str(entry.severity),
        "by": entry.by,
        "words": entry_words(entry, names)[0],
    }


def _opening(mistake: OpeningMistake | None, names: Names) -> Document | None:
    if mistake is None:
        return None
    return {
        "color": str(mistake.color),
        "player": str(mistake.player),
        "ply": mistake.before.ply + 1,
        "wrong": str(mistake.kind),
        "kind": str(MistakeKind.OPENING),
        "words": mistake_sentence(mistake, names),
    }


def _mistake(
    mistake: Blunder, others: Sequence[Blunder], estimates: Estimates, names: Names
) -> Document:
    board = mistake.before.position.board
    ends = {"before": mistake.before, "after": mistake.after}
    verdicts = {
        key: estimates.verdict(game_position.position) for key, game_position in ends.items()
    }
    return {
        "color": str(mistake.color),
        "player": str(mistake.player),
        "kind": str(kind_of(mistake, others, estimates)),
        "moves": [_move(move.ply, move.cell, board) for move in mistake.moves],
        "won_at": mistake.before.ply,
        "lost_at": mistake.after.ply,
        "by": {key: str(verdict.kind) for key, verdict in verdicts.items() if verdict},
        "winning_moves": [board.name(cell) for cell in mistake.wins],
        "all_winning_moves": mistake.all_wins,
        "words": mistake_sentence(mistake, names),
    }


def _players(players: Mapping[Color, PlayerReport], board: Board) -> Document:
    """Return how far an evaluator agrees with each player's moves."""
    documents = {}
    for color, player_report in players.items():
        worst = [_ranked_move(move, board) for move in player_report.worst]
        documents[str(color)] = asdict(player_report) | {"worst": worst}
    return documents


def _ranked_move(move: JudgedMove, board: Board) -> Document:
    return {
        **_move(move.ply, move.cell, board),
        "rank": move.quality.rank,
        "candidates": move.quality.candidates,
        "q": move.quality.q,
        "best": board.name(move.best),
    }


def _plies(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> list[Document]:
    """Return what is known at each ply: who wins, the estimates, Black's win probability."""
    ahead = advantages(line, estimates, names)
    plies = []
    for game_position in line:
        board = game_position.position.board
        verdict = estimates.verdict(game_position.position)
        document = {
            "ply": game_position.ply,
            "to_move": str(game_position.position.to_move),
            "move": None if game_position.cell is None else board.name(game_position.cell),
            "winner": str(verdict.winner) if verdict else None,
            "by": str(verdict.kind) if verdict else None,
            "claims": [_claim(claim) for claim in estimates.claims(game_position.position)],
            "evaluators": _judged_ply(game_position, names, estimates),
            "chance": _chance(ahead.get(game_position.ply)),
        }
        plies.append(document)
    return plies


def _judged_ply(
    game_position: GamePosition, names: Sequence[str], estimates: Estimates
) -> Document:
    """Return the estimates of each evaluator that has judged a ply, and where the move stands."""
    board = game_position.position.board
    judged: Document = {}
    for name in names:
        estimate = estimates.of(game_position, name)
        if estimate is None:
            continue
        quality = estimates.quality(game_position, name)
        judged[name] = {
            "value": as_json(estimate.value),
            "winrate": estimates.win_probability(game_position, name),
            "best": [board.name(cell) for cell in estimate.best],
            "rank": quality and quality.rank,
            "q": quality and quality.q,
        }
    return judged


def _chance(ahead: Advantage | None) -> Document | None:
    """Return Black's win probability and where it is from; None if it is unknown."""
    if ahead is None or ahead.win_probability is None:
        return None
    return {"black": ahead.win_probability, "by": ahead.by.value}
