"""The agreement panel: how far the evaluators agree on the position, pair by pair."""

from string import ascii_uppercase

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from hextui.analysis import Snapshot
from hextui.analysis.estimates import agreements
from hextui.ui.panels.panel import Panel, PanelInput, PanelText
from hextui.ui.panels.value_texts import short_name


class AgreementPanel(Panel):
    """The evaluators with their letters, and a line a pair, the least agreement first."""

    TITLE = "Agree"
    KEY = "f10"
    TEXT = PanelText(
        "evaluators compared, on this position",
        (
            ("corr.", "Rank correlation (Spearman), 1: same order, -1: the reverse; least first."),
            ("best 5", "How many of their five best moves two evaluators share."),
            ("rank of", "The rank of the record's move."),
            ("A B C", "The letters of the evaluators, also on the board with their overlay."),
        ),
        (),
        ("choose-evaluators", "second-evaluator"),
    )
    IN_SCOPE = ""

    def __init__(self) -> None:
        super().__init__(VerticalScroll(Static("No values yet", markup=False)))

    def fill(self, given: PanelInput) -> None:
        if given.snapshot is not None:
            text = agreement_text(given.snapshot, given.session.next_cell)
            shown = self.query_one(Static)
            if shown.content != text:  # a new text has the whole screen laid out anew
                shown.update(text)


def agreement_text(snapshot: Snapshot, played: int | None) -> Text:
    """Return the lines; ``played`` is the record's move."""
    board, rankings = snapshot.position.board, snapshot.rankings
    letters = dict(zip(rankings, ascii_uppercase, strict=False))
    text = Text(no_wrap=True, overflow="ellipsis")
    wide = max([9, *(len(short_name(name)) for name in letters)])
    rank = "" if played is None else f"  rank of {board.name(played)}"
    text.append(f"{'':{wide + 2}}{'best':>5}{rank}\n", "dim")
    for name, letter in letters.items():
        ranking = rankings[name]
        best = board.name(ranking.moves[0].cell) if ranking.moves else "-"
        move = ranking.by_cell.get(-1 if played is None else played)
        place = str(move.rank) if move else "-" if rank else ""
        text.append(f"{letter} ", "bold")
        text.append(f"{short_name(name):{wide}}{best:>5}{place:>{len(rank)}}\n")
    if len(rankings) < 2:
        text.append("Choose two evaluators or more: C", "dim")
        return text
    text.append("\nwho agree least come first\n", "dim")
    text.append(f"{'pair':5}{'corr.':>6}{'best 5':>8}\n", "dim")
    for pair in agreements(rankings):
        if pair.first not in letters or pair.second not in letters:
            continue
        number = "-" if pair.correlation is None else f"{pair.correlation:+.2f}"
        text.append(f"{letters[pair.first]} {letters[pair.second]}  ", "bold")
        shared = f"{pair.shared} of {pair.best}"
        text.append(f"{number:>6}{shared:>8}\n")
    return text
