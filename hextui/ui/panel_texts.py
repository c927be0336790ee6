"""What each panel says of itself: a caption, the meaning of its words, and its keys."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PanelText:
    """The words of one panel.

    ``caption`` is one line, whose first clause must do where there is no room for all; ``words``
    are explained one by one, with ``{black}`` and ``{white}`` for the players. ``own`` are keys
    that only the panel knows, each with what it does; ``actions`` are names of actions that matter
    here.
    """

    caption: str
    words: tuple[tuple[str, str], ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    actions: tuple[str, ...] = ()


_LIST = (("up down", "Move"),)
_CONNECTION_WORDS = (
    ("connection", "Two ends that the opponent cannot keep apart, whoever moves next."),
    ("full", "Holds even if the opponent moves first."),
    ("semi", "Holds if its owner moves first, at the key."),
    ("carrier", "The empty cells that the connection needs; it holds if they stay empty."),
    ("key", "The move that turns a semi connection into a full one."),
)

PANEL_TEXTS = {
    "card": PanelText(
        "who wins, what to play, what the record's move makes of it",
        (
            ("proved", "Certain, whatever either side plays."),
            ("70% by search", "Win probability of the side to move: an estimate."),
            ("prefers", "The best move by search and by the evaluator in focus: estimates."),
            ("played", "The record's next move, and what it changes."),
        ),
        (("enter", "Why"), ("v", "Add the better move")),
        ("why", "solve-on", "play-best"),
    ),
    "moves": PanelText(
        "every move, proved wins first, then by rank",
        (
            ("wins, loses", "Proved with best play."),
            (
                "search",
                "Win probability by the tree search; until it has results, another one ranks.",
            ),
            ("bar", "The move's value beside that of the best one, by the evaluator in focus."),
            (
                "rank",
                "1 is the evaluator's best move. A search ranks by visits: the win probability of "
                "a move with few visits says little.",
            ),
            ("*", "The record's next move."),
            ("evaluator", "A formula that gives every move a value: an estimate, not a proof."),
            (
                "only 14 cells",
                "You marked the moves to consider (J); verdicts are about all moves.",
            ),
            ("visits", "How often a search, ours or another engine's, has visited the move."),
            ("policy", "The probability that another engine's network gives the move."),
        ),
        (*_LIST, ("enter", "Play")),
        ("next-evaluator", "choose-evaluators", "play-best"),
    ),
    "mistakes": PanelText(
        "where it was lost, the worst first",
        (
            ("??", "Gives away a proved win."),
            ("?", "A poor move."),
            ("?!", "A doubtful move."),
            ("proved", "A proved win before the move, a proved loss after it."),
        ),
        _LIST,
        ("worst-move", "whole-game", "keep-analysis"),
    ),
    "record": PanelText(
        "moves, variations and comments",
        (
            (
                "variation",
                "Moves other than the game's, listed below those that they replace.",
            ),
            ("+", "Folded: Enter opens it."),
            ("underlined", "A move with a comment."),
            ("! ? !! ?? !? ?!", "Glyphs: an annotator's judgement of a move."),
        ),
        (("left right", "Walk"), ("enter", "Open or fold")),
        ("comment", "promote", "main-line"),
    ),
    "connections": PanelText(
        "cannot be cut",
        (
            *_CONNECTION_WORDS,
            ("rule", "How the connection was made from others; open it to see them."),
            ("ways", "Several connections of the same ends; open it to see them."),
        ),
        (*_LIST, ("enter", "Why it holds")),
        ("connection-color", "connection-kinds"),
    ),
    "solver": PanelText(
        "who wins, with which moves, proved",
        (
            (
                "must-play region",
                "The cells where a winning move can be: every move outside loses.",
            ),
            ("carrier", "The empty cells that the winner needs."),
            ("wins, loses", "Proved for the side to move."),
            ("open", "Not decided within the time limit."),
        ),
        (*_LIST, ("enter", "Play")),
        ("solve-on", "must-play"),
    ),
    "lines": PanelText(
        "best play of both sides",
        (
            ("line", "The best moves of both sides found so far."),
            ("depth", "How many moves ahead the search has gone."),
            ("score", "The value at the end of the line, by its evaluator."),
            ("only 14 cells", "You marked the moves to consider (J); others are left out."),
        ),
        (("left right", "Step on the board"), ("enter", "Add as a variation")),
        ("line-evaluator", "region"),
    ),
    "explorer": PanelText(
        "played here, in the games of your library",
        (
            ("games", "How many of the counted games played the move here."),
            ("{black}", "The share of those games that {black} won."),
            (
                "verdict",
                "Who wins with the best moves in the library; bold if proved.",
            ),
            (
                "a line of, in",
                "The length of the line behind the verdict, often one game.",
            ),
            ("reply", "The reply that refutes a losing move."),
            ("swap", "The share of those games in which this first move was swapped."),
        ),
        (*_LIST, ("enter", "Play, or open the game"), ("s", "Sort")),
        ("filter-library", "library"),
    ),
    "graph": PanelText(
        "who is ahead, solid = proved",
        (
            ("curve", "{black} ahead above the even line, {white} below it."),
            ("solid", "Proved: who wins with best play."),
            ("pale", "An estimate: win probability by search, or by resistance."),
            ("dots", "{black}'s win rate by another engine, named below."),
            ("ply", "One turn of one side."),
        ),
        (("left right", "Walk"), ("click", "Go there")),
        ("whole-game", "worst-move", "disagreement"),
    ),
    "agree": PanelText(
        "evaluators compared, on this position",
        (
            ("corr.", "Rank correlation (Spearman), 1: same order, -1: the reverse; least first."),
            ("best 5", "How many of their five best moves two evaluators share."),
            ("rank of", "The rank of the record's move."),
            ("A B C", "The letters of the evaluators, also on the board with their overlay."),
        ),
        (),
        ("choose-evaluators", "second-evaluator"),
    ),
    "explain": PanelText(
        "why, the reasons as a tree",
        (
            *_CONNECTION_WORDS,
            (
                "must-play region",
                "The cells where a winning move can be: every move outside loses.",
            ),
            ("threat", "What the opponent would connect after a pass."),
            ("any other move", "Moves that the winner can ignore: one reply answers them all."),
            ("captured", "Two cells: whichever the opponent takes, the owner takes the other."),
            ("dead", "A cell that helps neither side."),
        ),
        (
            *_LIST,
            ("enter", "Open or close"),
            ("right", "Open, then go to what is below"),
            ("left", "Close, then go to what is above"),
        ),
        ("why", "must-play", "inferior"),
    ),
}
"""By the id of the panel; ``card`` is the verdict card."""
