"""The command palette: finds what can be done by the words that a user would type."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rich.text import Text
from textual import on
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.message import Message
from textual.widgets import Input, OptionList

from hextui.ui.textual_fixes import BaseScreen

_FILLERS = frozenset({"a", "an", "the", "my", "of", "to", "on", "in", "at", "for", "show", "go"})
_LEAST_STEM = 4  # letters of a word that may have another ending
_IN_TITLE = 3.0
_IN_WORDS = 2.5
_IN_HELP = 1.0

OTHER_WORDS = {
    "today": "daily day sync review puzzles due training routine tomorrow",
    "next": "forward step move on",
    "previous": "backward undo step move",
    "first": "beginning start game root",
    "last": "end final position",
    "go-to-ply": "jump move number position",
    "autoplay": "play through replay slideshow automatic forward",
    "next-variation": "branch sibling alternative",
    "previous-variation": "branch sibling alternative",
    "play": "place stone put move enter",
    "swap": "pie rule swap pieces sides",
    "pass": "skip turn",
    "resign": "give up surrender",
    "undo": "take back revert",
    "redo": "again repeat",
    "comment": "note annotate write text remark",
    "mark": "label annotate triangle circle square",
    "glyph": "annotate symbol good bad mistake blunder !? ??",
    "promote": "variation up reorder",
    "main-line": "variation promote",
    "delete": "remove cut branch variation",
    "setup": "edit position puzzle place stones free",
    "analysis": "engine start stop analyze think on off",
    "play-best": "engine move computer suggestion hint",
    "next-evaluator": "heuristic resistance change",
    "choose-evaluators": "heuristics select columns resistance",
    "overlays": "heat colours colors map heatmap highlight winning moves",
    "region": "avoid allow only these moves restrict limit area part corner engine search",
    "region-cell": "mark area restrict",
    "allow-move": "only these moves restrict",
    "avoid-move": "leave out exclude forbid not these moves",
    "region-box": "rectangle area corner",
    "all-moves": "clear region avoid allow remove marks whole board",
    "must-play": "region threats cells",
    "inferior": "dead captured vulnerable dominated pruned useless cells",
    "solve-on": "solver prove longer more time continue",
    "why": "explain reason proof who wins carrier winning because",
    "defend": "hold the win practise exercise play against longest resistance proof",
    "explain": "reason value score formula",
    "links": "network neighbours neighbors adjacent",
    "connection-color": "virtual connections other side opponent",
    "connection-kinds": "virtual filter semi full",
    "whole-game": "analyse analyze whole record review report blunders evaluate",
    "keep-analysis": "save results write",
    "analysis-side": "only red blue black white half",
    "win-probability-side": "win rate perspective always red blue black white",
    "worst-move": "blunder error mistakes jump",
    "next-mistake": "blunder error mistakes jump",
    "disagreement": "differ evaluators jump",
    "filter-library": "player event date filter games",
    "maximise": "maximize full screen fullscreen enlarge zoom panel alone",
    "zoom": "board size bigger smaller larger enlarge",
    "turn": "flip rotate mirror board orientation view",
    "move-numbers": "numbering digits order last",
    "theme": "colours colors dark light contrast appearance",
    "second-evaluator": "compare two boards",
    "boards": "compare more evaluators side by side three four",
    "save": "write file sgf store",
    "save-as": "write file rename sgf",
    "open": "load file record game sgf import",
    "new": "empty board size game start",
    "library": "games collection database import search",
    "game-info": "players names event date result round place rules swap rating metadata edit",
    "engines": "attach katahex mohex wolve benzene htp gtp program settings log",
    "export": "picture image png svg diagram print screenshot",
    "copy-link": "clipboard hexworld share url",
    "copy-sgf": "clipboard share",
    "help": "keys shortcuts bindings manual marks",
    "redraw": "refresh repaint clear screen terminal stray text",
    "suspend": "stop background shell job fg pause",
    "quit": "exit leave close program",
    "board": "escape focus back",
    "activity-review": "review mistakes analyse lost game",
    "activity-explain": "why reasons connections must play carrier template",
    "activity-compare": "two boards evaluators side by side agreement",
    "activity-explore": "openings database statistics explorer joseki",
    "train": "practice practise learn exercise play against computer puzzles guess the move ladder "
    "rating level",
    "panel-moves": "ranking candidates winning moves list best",
    "panel-mistakes": "blunders errors lost bad moves",
    "panel-record": "tree variations game moves comment",
    "panel-connections": "virtual carrier bridge template ladder semi full threat",
    "panel-solver": "who wins winning moves proof must play carrier solve tablebase",
    "panel-lines": "principal variation pv best play sequence",
    "panel-explorer": "openings statistics database",
    "panel-graph": "curve chart win rate probability advantage",
    "panel-agree": "agreement correlation compare evaluators",
    "panel-explain": "why reasons proof tree",
}
"""By the name of an action: words for it that neither its label nor its tooltip has."""


@dataclass(frozen=True)
class Entry:
    """Something that can be done by its name: what it is called, what it does, its key."""

    title: str
    help: str
    callback: Callable[[], Any]
    key: str = ""
    words: str = ""


def found(query: str, entries: Iterable[Entry]) -> list[tuple[float, Entry]]:
    """Return the entries with all words of a query, or their stems, and scores up to 1."""
    words = [word for word in _words(query) if word not in _FILLERS] or _words(query)
    scored = [(score, entry) for entry in entries if (score := _score(words, entry))]
    return sorted(scored, key=lambda pair: -pair[0])


def _score(words: list[str], entry: Entry) -> float:
    places = (
        (_IN_TITLE, _words(entry.title)),
        (_IN_WORDS, _words(entry.words)),
        (_IN_HELP, _words(entry.help)),
    )
    scores = []
    for word in words:
        scores.append(max(weight * _match(word, texts) for weight, texts in places))
    if not scores or not all(scores):
        return 0
    brevity = 1 / (1 + len(_words(entry.title)))  # of two that match, the shorter name
    return (sum(scores) / len(scores) + brevity / 2) / (_IN_TITLE + 0.5)


def _match(word: str, texts: list[str]) -> float:
    """Return how well a word is found: 1 as it is or in the plural, less by beginning or stem."""
    if word in texts or f"{word}s" in texts:
        return 1
    stem = min(len(word), _LEAST_STEM)
    begun = any(text.startswith(word) for text in texts)
    ended = any(len(text) >= stem and word.startswith(text.rstrip("s")) for text in texts if text)
    if begun:
        return 0.9
    return 0.8 if ended and len(word) > _LEAST_STEM else 0


def _words(text: str) -> list[str]:
    return "".join(map(_letter_or_space, text.lower())).split()


def _letter_or_space(character: str) -> str:
    return character if character.isalnum() or character in "!?+" else " "


class CommandScreen(CommandPalette, BaseScreen[None]):
    """The command palette, which runs the chosen command once."""

    @on(Input.Changed)
    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _ignore_when_closed(self, event: Message) -> None:
        """Ignore late keys, with which Textual would run the command again or search no list."""
        if not self.is_active:
            event.prevent_default()


def provider_of(entries: Callable[[], Iterable[Entry]]) -> type[Provider]:
    """Return a provider class for these entries; Textual makes an instance for each palette."""

    class WordProvider(Provider):
        """Finds entries by plain words."""

        async def discover(self) -> Hits:
            """Yield all entries in their order."""
            for entry in entries():
                yield DiscoveryHit(_title_of(entry), entry.callback, entry.title, entry.help)

        async def search(self, query: str) -> Hits:
            """Yield the entries that match, with their scores."""
            for score, entry in found(query, entries()):
                yield Hit(
                    score,
                    match_display=_title_of(entry),
                    command=entry.callback,
                    text=entry.title,
                    help=entry.help,
                )

    return WordProvider


def _title_of(entry: Entry) -> Text:
    title = Text(entry.title)
    return title.append(f"   {entry.key}", "bold") if entry.key else title
