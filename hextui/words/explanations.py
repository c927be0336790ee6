"""Explanations of evaluators in English: one entry of `_METHODS` an evaluator.

An evaluator without an entry is described by what it is about, and its terms by their symbols.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hextui.engine.board import Board
from hextui.engine.connection import node_name
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.base import BestValues, Source
from hextui.engine.evaluators.resistance import DIGITS
from hextui.engine.explanation import Explanation, Illustration, Note, Remark, Role, Shows, Term
from hextui.engine.search.win_probability import LEAST
from hextui.text import Names, counted, digits

_SMALL_CURRENT = 0.001
"""Wires with less current are counted, not listed."""
_DIRECTIONS = {
    BestValues.HIGH: "The highest value is the best for the side to move.",
    BestValues.LOW: "The lowest value is the best for the side to move.",
    BestValues.HIGH_FOR_BLACK: "{black} maximises it, {white} minimises it.",
}
_SYMBOL = re.compile(r"([A-Za-z]+[0-9]*?)(?:_?\[?([0-9]+)\]?|\((\w+)\))?", re.ASCII)
"""A symbol: its stem, then a level as in ``n_1`` or ``L[1]``, or a side as in ``d2(top)``."""

_Text = str | Callable[[Any], str]
"""A text with ``{black}``, ``{white}``, ``{mover}``, ``{other}`` and options, or what makes it."""
_Meaning = str | Callable[[Any, Term], str]
"""The same of a term; ``{longer}`` is its d + level, ``{owner}`` the player, ``{side}`` a side."""


@dataclass(frozen=True)
class ExplanationWords:
    """An explanation in words: what the value is, its formula, which values are good.

    ``meanings`` says what each term is; ``pictures`` of which set each picture is, and what it
    shows. Both are in the order of the explanation.
    """

    sentence: str
    formula: str
    direction: str
    source: Source
    meanings: tuple[str, ...]
    notes: tuple[str, ...]
    pictures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Method:
    """The words for one evaluator; of the meanings, keys are symbols or their stems."""

    sentence: _Text = ""
    formula: _Text = ""
    direction: str = ""
    meanings: Mapping[str, _Meaning] = field(default_factory=dict)


def explanation_words(explanation: Explanation, names: Names) -> ExplanationWords:
    """Return an explanation in words."""
    by = evaluator(explanation.evaluator)
    board = explanation.before.board
    facts = explanation.facts
    method = _METHODS.get(by.method, _Method())
    black, white = names.both
    proved = explanation.evaluator.startswith("search") and len(facts.terms) == 2

    mover = explanation.before.to_move
    players = {"black": black, "white": white, "mover": names.player(mover)}
    players["other"] = names.player(mover.opponent)

    def filled(text: _Text) -> str:
        written = text if isinstance(text, str) else text(by)
        return written.format(**players, **vars(by))

    return ExplanationWords(
        sentence=filled(method.sentence or f"{by.about[:1].upper()}{by.about[1:]}."),
        formula=_PROVED if proved else filled(method.formula),
        direction=filled(method.direction or _DIRECTIONS[by.scale.better]),
        source=by.source,
        meanings=tuple(
            _meaning(by, method, term, board.name(explanation.best), names) for term in facts.terms
        ),
        notes=tuple(_notes(facts.notes, by, board, names)),
        pictures=tuple(picture_words(facts.pictures, board, explanation.move, names)),
    )


def _meaning(by: Any, method: _Method, term: Term, best: str, names: Names) -> str:
    parts = _SYMBOL.fullmatch(term.symbol)
    stem, level, side = parts.groups("") if parts else (term.symbol, "", "")
    if term.label:
        return term.label
    text = method.meanings.get(term.symbol) or method.meanings.get(stem, "")
    if not isinstance(text, str):
        text = text(by, term)
    return text.format(
        best=best,
        level=level,
        number=int(level or 0) + 1,
        longer=f"d + {level}" if int(level or 0) else "d",
        owner="" if term.color is None else names.player(term.color),
        side=side,
        k=getattr(by, "k", ""),
    )


def _distance(by: Any, term: Term) -> str:
    if term.value == math.inf:
        return "links from side to side: cut off"
    return "nodes between the sides" if getattr(by, "nodes", False) else "links from side to side"


def _paths(by: Any, term: Term) -> str:
    kind = "paths" if getattr(by, "raw", False) else "accepted paths"
    (total,) = term.numbers
    return f"{kind}{f' of {total:,}' if total != term.value else ''}, of {{longer}} links"


def _share(by: Any, term: Term) -> str:
    paths = counted(int(term.numbers[0]), "path")
    return f"share of {{owner}}'s {paths} that {_meet(by)} the cell"


def _meet(by: Any) -> str:
    return "use" if getattr(by, "carriers", False) else "pass through"


def _pattern(by: Any, term: Term) -> str:
    weight, amount = term.numbers
    return f"{digits(weight)} x {digits(amount)}, {term.name}"


def _e_k(by: Any) -> str:
    sums = " + ".join(("x n_0", *(f"x^{i + 1} n_{i}" for i in range(1, by.k + 1))))
    return f"E_{{k}} = E_{{k}}({{white}}) / E_{{k}}({{black}}), E_{{k}}(X) = d - ({sums})"


def _k_sentence(by: Any) -> str:
    return _K_SENTENCES.get(by.k) or (
        f"E_{by.k} is E_{by.k - 1} that also counts the paths {by.k} links longer, "
        f"with the weight x^{by.k + 1}."
    )


_K_SENTENCES = {
    0: "E_0 compares how many links each player's sides are apart after the move and, with a "
    "small weight, how many shortest paths there are.",
    1: "E_1 is E_0 that also counts the paths one link longer, with a smaller weight.",
    2: "E_2 is E_1 that also counts the paths two links longer, with the smallest weight.",
}


def _contribution(whose: str) -> _Method:
    def sentence(by: Any) -> str:
        longer = {1: "one link", 2: "two links"}.get(by.k, f"{by.k} links")
        short = f"up to {longer} longer than d" if by.k else "the shortest ones"
        return f"The share of {whose} that {_meet(by)} the cell; short means {short}."

    return _Method(
        sentence,
        "share = (sigma_0 + ... + sigma_k) / (n_0 + ... + n_k), summed over the networks",
        "The largest share is the best for the side to move.",
        {"sigma": "{longer} links, through the cell", "n": "all accepted paths", "share": _share},
    )


def _networks(by: Any) -> str:
    board = "in each player's network"
    paths = "in the network of each player's shortest paths from side to side"
    if by.local == 0:
        return board
    return paths if by.local == 1 else f"{board} and {paths}"


_K_MEANINGS: dict[str, _Meaning] = {
    "d": _distance,
    "n": _paths,
    "E": "d minus the weighted paths",
    "x": "the weight of a path",
}
_PROBABILITIES = "The highest probability is the best for the side to move."
_PROVED = "The result is proved, so no formula applies."
_NETWORK = _Method(
    "The probability that a strong player chooses the move, by a network trained on games. It "
    "sees the stones only, and proves nothing.",
    "softmax of the network's outputs, the mean of those for the board as it is and "
    "turned by 180 degrees",
    _PROBABILITIES,
    {
        "p": "probability that the move is chosen",
        "v": "win probability of the move",
        "w": "win probability of the side to move",
    },
)

_METHODS = {
    "k-paths": _Method(_k_sentence, _e_k, meanings=_K_MEANINGS),
    "k-mixed": _Method(
        "E_{k} after the move, raised for {black} and lowered for {white} where short paths of "
        "both players pass through the cell before the move.",
        lambda by: (
            "E_{k} (1 + y s) for {black}, E_{k} / (1 + y s) for {white}; s = "
            "(share({black}) + share({white})) / 2, " + _e_k(by)
        ),
        meanings={
            **{f"E_{k}": "d minus the weighted paths" for k in range(3)},
            **_K_MEANINGS,
            "E": "E_{k} after the move",
            "share": _share,
            "y": "the weight of the contribution",
        },
    ),
    "shortest-path": _Method(
        "E compares only how many links each player's sides are apart after the move.",
        "E = d({white}) / d({black})",
        meanings={"d": _distance},
    ),
    "contribution-own": _contribution("the short paths of the side to move"),
    "contribution-opponent": _contribution("the opponent's short paths"),
    "contribution-both": _contribution("each side's short paths, both shares added up,"),
    "betweenness": _Method(
        lambda by: (
            "The share of the pairs of nodes whose shortest paths pass through the cell, "
            f"{_networks(by)}."
        ),
        "(1 - {local:g}) b + {local:g} s, summed over both players",
        "The largest sum is the best for the side to move.",
        {
            "b": "share in {owner}'s network",
            "s": "share in the network of {owner}'s shortest paths",
        },
    ),
    "resistance": _Method(
        "The current through the cell, when a current of 1 flows from side to side through each "
        "player's connections.",
        f"I({{black}}) + I({{white}}), rounded to {DIGITS} decimal places",
        "The largest current is the best for the side to move.",
        {"I": "current through it, circuit of {owner}", "R": "resistance between {owner}'s sides"},
    ),
    "two-distance": _Method(
        "How far the cell is from all four sides, if at every step the opponent blocks the best "
        "way on and the second best is taken.",
        "d2(top) + d2(bottom) + d2(left) + d2(right); d2(x) = 1 beside the side, "
        "else 1 + the second smallest d2 of the neighbours",
        "The smallest sum is the best for the side to move.",
        {"d2": "two-distance to {side}"},
    ),
    "blocking": _Method(
        "The probability that an opponent who plays at random leaves one of four short paths "
        "open, or that none of the opponent's own four stays open.",
        "max(Ev({mover}), 1 - Ev({other})); Ev = P[0], "
        "P[i] = (tot - L[i]) / tot + L[i] / tot * P[i + 1], P[4] = 0",
        "The highest score is the best for the side to move.",
        {
            "tot": "cells of the board",
            "L": lambda by, term: (
                "empty cells of the first path" if by.average else "empty cells of path {number}"
            ),
            "P": "probability that path {number} or a later one stays open",
            "Ev": "P[0], probability that a path stays open",
        },
    ),
    "network": _NETWORK,
    "onnx": replace(
        _NETWORK,
        sentence="The probability that a strong player chooses the move, by the network of the "
        "file. It sees the stones only, and proves nothing.",
    ),
    "patterns": _Method(
        "The probability that a strong player chooses the move, by the currents through the cell "
        "and the patterns around it. The weights were learned from games.",
        "p = exp(z) / sum of exp(z) of all moves; z = sum of weights times terms t",
        _PROBABILITIES,
        {
            "p": "probability that the move is chosen",
            "z": "sum of its weighted terms",
            "t": _pattern,
            "others": lambda by, term: counted(int(term.numbers[0]), "smaller term"),
        },
    ),
    "search": _Method(
        "The win probability from a tree search that evaluates positions by the network; only 1 "
        "and 0 are proved.",
        "v = 1 / (1 + exp(-a L(1 - m))), m = (h + S + k max(q, V)) / (1 + n + k), "
        "q = (h + S) / (1 + n), "
        f"L(p) = ln(p / (1 - p)), p at least {LEAST:g} and at most {1 - LEAST:g}",
        "Moves that are proved to win come first, then those visited most.",
        {
            "v": "win probability of the move",
            "v_best": "win probability of {best}",
            "n": "visits to replies that may win",
            "S": "sum of these replies' values",
            "h": "opponent's win probability by the network",
            "V": "the same, before the move",
            "k": "weight of that value",
            "a": "calibration factor",
        },
    ),
}


_REMARKS = {
    Remark.CAPPED: "A limit stopped a count: there may be fewer accepted paths.",
    Remark.SWAPPABLE: (
        "The other side may swap the first stone or play on: a stone that wins with "
        "probability v is worth the smaller of v and 1 - v."
    ),
    Remark.BY_WIN_PROBABILITY: (
        "As long as a swap is possible, moves are ranked by the network's win "
        "probability after each."
    ),
    Remark.RANDOM_TIES: (
        "The small random r of eq. 11 only orders equal moves; no value includes it."
    ),
}
"""Remarks that are the same for all evaluators and positions."""


def _notes(notes: Sequence[Note], by: Any, board: Board, names: Names) -> Iterator[str]:
    for note in notes:
        if note.remark is not Remark.UPDATED:
            yield _remark(note, by, board, names)
    updated = [_updated(note, names) for note in notes if note.remark is Remark.UPDATED]
    if updated:
        yield (
            "Counted from connections updated after the move. The network of the position after "
            f"it, searched afresh (option fresh), has for {'; for '.join(updated)}."
        )


def _remark(note: Note, by: Any, board: Board, names: Names) -> str:
    """Return a remark other than `Remark.UPDATED` on the evaluator ``by`` and a position."""
    name = other = ""
    if note.color is not None:
        name = names.player(note.color)
        other = names.player(note.color.opponent)
    match note.remark:
        case Remark.SYMMETRIC:
            same = "Turned by 180 degrees the stones are the same"
            return f"{same}: sigma is the mean with {board.name(note.cell)}."
        case Remark.X_REDUCED:
            x = getattr(by, "paths", by).x / 10 ** (note.counts[0] or 0)
            return f"x reduced to {float(x):.3g}: some E_k was not positive"
        case Remark.VISITED:
            return f"{counted(note.counts[0] or 0, 'position')} evaluated"
        case Remark.CUT_OFF:
            return f"{name} is cut off, so {other} has won."
        case Remark.JOINED:
            return _joined(by, name)
        case Remark.BLOCKED_CELLS:
            return _blocked_cells(by)
    return _REMARKS[note.remark]


def _updated(note: Note, names: Names) -> str:
    """Return a colour's distance and path counts in a network that was searched afresh."""
    symbols = ("d", *(f"n_{level}" for level in range(len(note.counts) - 1)))
    terms = []
    for symbol, count in zip(symbols, note.counts, strict=True):
        value = "cut off" if count is None else f"{count:,}"
        terms.append(f"{symbol} = {value}")
    name = "" if note.color is None else names.player(note.color)
    return f"{name} {', '.join(terms)}"


def _joined(by: Any, name: str) -> str:
    said = f"The sides of {name} are linked: won by connection."
    return f"{said} That decides here." if getattr(by, "nodes", False) else said


def _blocked_cells(by: Any) -> str:
    if not by.average:
        return (
            "Equally short paths and the blocked cells are drawn at random, from the stones alone."
        )
    if by.samples:
        return f"Ev is the mean of {counted(by.samples, 'draw')} of the blocked cells."
    return "Ev is the mean over all choices of the blocked cells."


_LEVEL = "S_{p.level} of {w.owner}"
_PATHS = "paths of {w.owner}"
_CIRCUIT = "circuit of {w.owner}"
_WAYS, _LINKS = "ways to {w.node}", "links in {w.owner}'s network"
_PICTURES = {
    Shows.PATH: (_LEVEL, "Path {p.number} of {p.count:,}: {w.path}."),
    Shows.NOT_LISTED: (_LEVEL, f"Not listed: {_LEVEL} has {{p.count:,}} paths."),
    Shows.REFUSED: (f"refused in {_LEVEL}", "{w.refused}"),
    Shows.SHORTEST: (
        "a shortest path of {w.owner}",
        "One of {p.count:,} shortest paths: {w.path}.",
    ),
    Shows.CUT_OFF: (_PATHS, "{w.owner} is cut off: no paths."),
    Shows.FIRST_PATH: (
        _PATHS,
        "The first path; each of its cells is blocked in turn, or some at random.",
    ),
    Shows.OPEN_PATH: (_PATHS, "{w.open_path}"),
    Shows.NO_MORE_PATHS: (_PATHS, "{w.owner} has no path {p.number}: what is blocked cuts it off."),
    Shows.CIRCUIT: (
        _CIRCUIT,
        f"Currents in the {_CIRCUIT}, per cent of what flows from side to side.",
    ),
    Shows.NO_CURRENT: (_CIRCUIT, "The sides of {w.owner} are {w.state}: no current."),
    Shows.WIRES: ("wires of {w.owner}", "{w.wires}"),
    Shows.LIKELY_MOVES: ("likely moves", "The probability of each move."),
    Shows.BESIDE_SIDE: (_WAYS, "{w.cell} is linked to {w.node}: d2 is 1."),
    Shows.NO_TWO_WAYS: (_WAYS, "{w.owner} has no two ways from {w.cell} to {w.node}."),
    Shows.BEST_WAY: (_WAYS, "The best way, which the opponent blocks: {w.way}."),
    Shows.SECOND_WAY: (_WAYS, "The second best, which counts: {w.way}, so d2 is {w.d2}."),
    Shows.LINKS: (_LINKS, "{w.links}"),
    Shows.LINK: (
        _LINKS,
        "Virtual link {p.number} of {p.count}: {w.cell} to {w.node} over {w.carrier}.",
    ),
    Shows.BETWEEN_ON_BOARD: (
        "{w.owner}'s network",
        "Per cent of the pairs of nodes whose shortest paths pass through each cell.",
    ),
    Shows.BETWEEN_ON_PATHS: (
        "shortest paths of {w.owner}",
        "The same in the network of {w.owner}'s shortest paths alone.",
    ),
    Shows.NETWORK: ("all of {w.owner}'s network", "{w.drawn}"),
}
"""Of which set a picture ``p`` is, and what it shows, by `_PictureWords` ``w``."""
_DRAWN = (
    "Its nodes are the empty cells and the player's sides. The next steps show the links by kind.",
    "Direct links: the ends touch, or the player's stones join them.",
    "Virtual links over 2 cells.",
    "Virtual links over more than 2 cells.",
)


def picture_words(
    pictures: Sequence[Illustration], board: Board, cell: int, names: Names
) -> Iterator[tuple[str, str]]:
    """Yield of which set each picture is, and what it shows; ``cell`` is what they are about."""
    for picture in pictures:
        owner = "" if picture.color is None else names.player(picture.color)
        words = _PictureWords(picture, board, board.name(cell), owner)
        group, text = (words_of.format(p=picture, w=words) for words_of in _PICTURES[picture.shows])
        yield f"{group}, before the move" if picture.before else group, text


@dataclass(frozen=True)
class _PictureWords:
    """Pieces of text on a picture about a ``cell``; ``owner`` is whose network it is of."""

    picture: Illustration
    board: Board
    cell: str
    owner: str

    def _named(self, nodes: Sequence[int], between: str = " ") -> str:
        color = self.picture.color
        assert color is not None, "nodes are of a colour's network"
        return between.join(node_name(node, self.board, color) for node in nodes)

    def _side_to_side(self, cells: Sequence[int]) -> str:
        return self._named((self.board.cells, *cells, self.board.cells + 1), "-")

    @property
    def node(self) -> str:
        return self._named([self.picture.node]) if self.picture.node >= 0 else ""

    @property
    def drawn(self) -> str:
        """How many links of a network are drawn as lines, and which."""
        links = counted(len(self.picture.links), "link")
        return f"{links} of {self.owner}'s network, as lines. {_DRAWN[self.picture.level]}"

    @property
    def carrier(self) -> str:
        return self._named(self.picture.cells(Role.CARRIER))

    @property
    def path(self) -> str:
        """A path from side to side, and the cells of its virtual links."""
        path = self._side_to_side(self.picture.cells(Role.WAY))
        return f"{path} over {self.carrier}" if self.carrier else path

    @property
    def refused(self) -> str:
        picture = self.picture
        beside = picture.cells(Role.BESIDE)
        besides = f", with {self._named(beside)} besides" if beside else ""
        holder = f"{self._side_to_side(picture.others)} of S_{picture.holder_level}"
        return (
            f"Refused {picture.number} of {picture.count:,}: {self.path}. All of it is used "
            f"by the shorter {holder}{besides}."
        )

    @property
    def open_path(self) -> str:
        picture = self.picture
        path = self.picture.cells(Role.WAY)
        text = f"Path {picture.number}: {counted(len(path), 'empty cell')}, "
        text += f"missed with probability {picture.amount}"
        if self.node:
            text += f"; {self.node} is blocked next"
        return f"{text}. {self._named(path) or 'only stones'}."

    @property
    def state(self) -> str:
        return "cut off" if self.picture.amount else "joined"

    @property
    def d2(self) -> str:
        return digits(self.picture.amount + 1)

    @property
    def wires(self) -> str:
        wires = self.picture.wires
        large = [wire for wire in wires if wire.amount >= _SMALL_CURRENT]
        listed = ", ".join(f"{self._named(w.ends[1:])} {w.amount:.3f}" for w in large)
        if len(large) < len(wires):
            listed += f" and {counted(len(wires) - len(large), 'smaller one')}"
        carried = listed or "no current"
        return f"Through {self.cell} flows half of what its wires carry: {carried}."

    @property
    def way(self) -> str:
        """A way to a side, and the two-distance of its second cell."""
        cells = self.picture.cells(Role.WAY)
        way = self._named((*cells, self.picture.node), "-")
        return f"{way}; d2({self.board.name(cells[1])}) = {digits(self.picture.amount)}"

    @property
    def links(self) -> str:
        picture, owner = self.picture, self.owner
        place = len(picture.others) - picture.count
        near = picture.others[:place]
        virtual = picture.others[place:]
        text = f"In {owner}'s network {self.cell} has {counted(len(picture.others), 'link')}."
        if near:
            stones = f" Beside it, or joined to it by {owner}'s stones: "
            text += f"{stones}{self._named(near)}."
        return f"{text} By virtual links: {self._named(virtual)}." if virtual else text
