"""The mistakes panel: the mistakes of the game, the worst first."""

from rich.style import Style

from hextui.analysis.mistakes import PROVED, ReviewEntry
from hextui.engine.board import Color
from hextui.text import Names
from hextui.ui.drawing.palette import Palette
from hextui.ui.drawing.whole_words import within
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.panel import LIST_KEYS, Change, ListPanel, PanelInput, PanelText
from hextui.ui.panels.value_texts import short_name
from hextui.ui.widgets.line_list import DIM, PLAIN, Span, TextLine
from hextui.words.reviews import entry_move, entry_words

_MOVE, _MARK = 8, 3  # columns of "23. i4" and "??", each with a blank after it
_LEAST_WORDS = 24  # columns of words that leave room for the evaluator or proof
_GAP = 2
_PROVISIONAL = "provisional"
_UNFINISHED = "Analysed in part; a resumes the analysis"


class MistakesPanel(ListPanel):
    """One line for each mistake; moving to it goes to the position before the move."""

    TITLE = "Mistakes"
    KEY = "f3"
    TEXT = PanelText(
        "worst first, proved before estimated",
        (
            ("??", "Gives away a proved win."),
            ("?", "A poor move."),
            ("?!", "A doubtful move."),
            ("proved", "A proved win before the move, a proved loss after it."),
            ("provisional", "An estimate that the solver may still contradict."),
        ),
        LIST_KEYS,
        ("worst-move", "try-again", "next-mistake", "whole-game", "keep-analysis"),
    )
    SHOWS = frozenset({Change.SESSION, Change.ANALYSIS, Change.GAME})

    @property
    def _entries(self) -> tuple[ReviewEntry, ...]:
        return self.given.survey.mistakes(self.given.options.evaluator)

    def begin(self) -> None:
        """Keep the cursor: the mistakes are those of the whole game."""

    def fill(self, given: PanelInput) -> None:
        is_provisional = given.survey.is_provisional
        final = [entry.color for entry in self._entries if not is_provisional(entry)]
        title = self.TITLE
        if final:
            for color in Color:
                title += f"  {given.options.names.player(color)} {final.count(color)}"
        self.set_title(title)
        self.write(self.note, "" if self._entries else empty_note(given.survey))
        self.note.display = not self._entries
        self.fit()
        current = given.session.node
        for place, entry in enumerate(self._entries):
            if entry.before.node is current:
                self.list.point_at(place)

    def fit(self) -> None:
        width = self.list.room
        palette = self.given.palette
        names = self.given.options.names
        lines = []
        for place, entry in enumerate(self._entries):
            provisional = self.given.survey.is_provisional(entry)
            spans = entry_spans(entry, width, palette, names, provisional)
            lines.append(TextLine(place, spans))
        self.list.show(lines)

    def pointed(self, key: int) -> None:
        self.post_message(self.NodeChosen(self._entries[key].before.node))

    chosen = pointed


def empty_note(survey: LineReview) -> str:
    """Return why no mistake is listed."""
    if survey.progress is not None:
        return f"{survey.progress.label}: {survey.progress.amount}"
    if survey.known:
        return (
            "No mistake found; a resumes the analysis" if survey.summary.finished else _UNFINISHED
        )
    return "Not analysed yet; a analyses the game"


def entry_spans(
    entry: ReviewEntry, width: int, palette: Palette, names: Names, provisional: bool = False
) -> tuple[Span, ...]:
    """Return a line: move, glyph, words, and the evaluator or proof if there is room."""
    by = entry.by if entry.by == PROVED else short_name(entry.by)
    wordings = entry_words(entry, names)
    least = min(_LEAST_WORDS, len(wordings[0]))
    if provisional:
        by = _PROVISIONAL
        least = len(wordings[-1])

    room = width - _MOVE - _MARK
    beside = room - len(by) - _GAP
    names_judge = beside >= least
    left = beside if names_judge else room
    words = next((text for text in wordings if len(text) <= left), within(wordings[-1], left))
    spans: list[Span] = [
        (f"{entry_move(entry):>{_MOVE - 1}} ", Style(color=palette.ink(entry.color), bold=True)),
        (entry.severity.ljust(_MARK), Style(color=palette.must_play, bold=True)),
        (words, PLAIN),
    ]
    if names_judge:
        spans.append((" " * (room - len(words) - len(by)) + by, DIM))
    if provisional:
        spans = [(text, DIM) for text, _ in spans]
    return tuple(spans)
