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
    ("key", "The move that makes a full connection of a semi one."),
)

PANEL_TEXTS = {
    "card": PanelText(
        "who wins, what to play, what the record's move makes of it",
        (
            ("proved", "Whoever plays perfectly cannot change it: no opinion."),
            ("70% by search", "How likely the side to move wins as the search holds: an opinion."),
            ("prefers", "A search's best move, and that of the evaluator in focus: opinions."),
            ("played", "The move of the record, and what it makes of the position."),
        ),
        (("enter", "Why"), ("v", "Add the better move")),
        ("why", "solve-on", "play-best"),
    ),
    "moves": PanelText(
        "every move, proved wins first, then by rank",
        (
            ("wins, loses", "Proved: whoever plays perfectly cannot change it."),
            ("search", "Whom the card trusts; until it has looked around another one ranks."),
            ("bar", "How the evaluator in focus values the move beside the best one."),
            (
                "rank",
                "1 is the evaluator's best move. A search looks at good moves most often: the "
                "chance of a move that it looked at seldom says little.",
            ),
            ("*", "The move of the record."),
            ("evaluator", "A formula that gives every move a value: an opinion, no proof."),
            (
                "only 14 cells",
                "You marked which moves are thought of (J); verdicts are of all moves.",
            ),
            ("visits", "How often a search, ours or another engine's, has looked at the move."),
            ("policy", "Of another engine: what it expected of the move before that."),
        ),
        (*_LIST, ("enter", "Play")),
        ("next-evaluator", "choose-evaluators", "play-best"),
    ),
    "mistakes": PanelText(
        "where it was lost, the worst first",
        (
            ("??", "Gives a proved win away."),
            ("?", "A poor move."),
            ("?!", "A doubtful one."),
            ("proved", "Both sides of the mistake are proved: before it a win, after it a loss."),
        ),
        _LIST,
        ("worst-move", "whole-game", "keep-analysis"),
    ),
    "record": PanelText(
        "moves, variations and comments",
        (
            (
                "variation",
                "Other moves than the game's; they stand below what they replace.",
            ),
            ("+", "Folded: Enter opens it."),
            ("underlined", "There is a comment."),
            ("! ? !! ?? !? ?!", "Glyphs: what an annotator thinks of a move."),
        ),
        (("left right", "Walk"), ("enter", "Open or fold")),
        ("comment", "promote", "main-line"),
    ),
    "connections": PanelText(
        "cannot be cut",
        (
            *_CONNECTION_WORDS,
            ("rule", "How the connection was made from others: open it to see them."),
            ("ways", "The same ends joined inside different cells: open it to see them."),
        ),
        (*_LIST, ("enter", "Why it holds")),
        ("connection-color", "connection-kinds"),
    ),
    "solver": PanelText(
        "who wins, with which moves, proved",
        (
            ("must-play region", "The cells of a winning reply: every move outside it loses."),
            ("carrier", "The empty cells that the winner needs."),
            ("wins, loses", "Proved for the side to move."),
            ("open", "Not decided in the time there was."),
        ),
        (*_LIST, ("enter", "Play")),
        ("solve-on", "must-play"),
    ),
    "lines": PanelText(
        "best play of both sides",
        (
            ("line", "Moves in turn, the best ones that the search has found so far."),
            ("depth", "How many moves ahead the search has looked."),
            ("score", "The value of the end of the line, as its evaluator writes it."),
            ("only 14 cells", "You marked which moves are thought of (J); others are left out."),
        ),
        (("left right", "Step on the board"), ("enter", "Add as a variation")),
        ("line-evaluator", "region"),
    ),
    "explorer": PanelText(
        "played here, in the games of your library",
        (
            ("games", "How many of the games that are counted played the move here."),
            ("{black}", "The share of those games that {black} won."),
            (
                "verdict",
                "Who wins if both play the best on file; bold if it is proved.",
            ),
            (
                "a line of, in",
                "Moves to the end of the line that says so: often one game.",
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
            ("pale", "How likely that side wins as the search holds, or by resistance: opinions."),
            ("dots", "{black}'s win rate by another engine, which is named below."),
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
            ("rank of", "The place of the record's move."),
            ("A B C", "The letters of the evaluators, also on the board with their overlay."),
        ),
        (),
        ("choose-evaluators", "second-evaluator"),
    ),
    "explain": PanelText(
        "why, the reasons as a tree",
        (
            *_CONNECTION_WORDS,
            ("must-play region", "The cells of a winning reply: every move outside it loses."),
            ("threat", "What the opponent would join if one passed."),
            ("any other move", "What the winner need not mind: one answer serves for all."),
            ("captured", "Two cells: whichever the opponent takes, the owner takes the other."),
            ("dead", "A cell that joins nothing, whoever has it."),
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
