"""The story of a game: a paragraph of sentences, each about a fact that is proved.

The sentence about turning points is the one that the screen shows as GAME.
"""

from collections.abc import Sequence

from hextui.analysis.game_story import ProvedPly, StoryFact
from hextui.analysis.mistakes import Blunder, GameSummary, OpeningMistake, ProvedSpan
from hextui.records.record import Result
from hextui.text import Names
from hextui.words.reviews import mistake_sentence
from hextui.words.verdicts import Wording, span_plies, turning_points


def story_text(
    facts: Sequence[StoryFact], summary: GameSummary, result: Result, names: Names
) -> str:
    """Return the story of a game, whose result is the record's, as one paragraph."""
    sentences = [result_sentence(result, names)]
    sentences += [fact_sentence(fact, summary, names) for fact in facts]
    sentences += [no_mistake_sentence(summary), contradiction_sentence(summary, result, names)]
    return " ".join(filter(None, sentences))


def result_sentence(result: Result, names: Names) -> str:
    """Return who won by the record; '' if it does not say.

    >>> result_sentence(Result.parse("W+R"), Names.RED_BLUE)
    'Blue won, Red resigned.'
    """
    said = names.result(result.winner, result.how)
    return f"{said}." if said else ""


def fact_sentence(fact: StoryFact, summary: GameSummary, names: Names) -> str:
    """Return the sentence about a fact."""
    match fact.about:
        case ProvedSpan():
            return _span_sentence(fact.about, summary, names)
        case OpeningMistake():
            return mistake_sentence(fact.about, names)
        case points:
            return plain_text(turning_points(summary, points, names, instead=True))


def point_sentence(point: Blunder, summary: GameSummary, names: Names) -> str:
    """Return the sentence about a turning point alone."""
    return plain_text(turning_points(summary, (point,), names, instead=True))


def _span_sentence(span: ProvedSpan, summary: GameSummary, names: Names) -> str:
    player = names.player(span.color)
    plies = span_plies(span, summary.last_ply, "ply ")
    if span is summary.spans[-1]:
        return f"{player} is proved to win {plies}."
    return f"{player} had a won game {plies} (proved)."


def no_mistake_sentence(summary: GameSummary) -> str:
    """Return that nothing is proved to have lost a win; '' if something is."""
    return "" if summary.mistakes else "No move is proved to have given a win away."


def contradiction_sentence(summary: GameSummary, result: Result, names: Names) -> str:
    """Return that the loser of the record is proved to win at the end; '' otherwise."""
    last = summary.spans[-1] if summary.spans else None
    if last is None or last.last != summary.last_ply or result.winner in (None, last.color):
        return ""
    return f"{names.player(last.color)} wins the last position nevertheless."


def proof_words(ply: ProvedPly, names: Names) -> str:
    """Return what the proof of a ply shows.

    >>> from hextui.engine.board import Color
    >>> proof_words(ProvedPly(24, Color.BLACK), Names.RED_BLUE)
    'ply 24: Red wins'
    """
    return f"ply {ply.ply}: {names.player(ply.winner)} wins"


def plain_text(wording: Wording) -> str:
    """Return the text of a sentence, without what decides its colours."""
    text = ""
    for piece in wording:
        text += piece if isinstance(piece, str) else piece[0]
    return text
