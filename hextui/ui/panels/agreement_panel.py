"""The agreement panel: how far the evaluators agree on the position, pair by pair."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from hextui.analysis.comparison import agreements
from hextui.engines.snapshot import Snapshot
from hextui.ui.drawing.whole_words import within
from hextui.ui.panels.panel import Panel, PanelInput, PanelText
from hextui.ui.panels.value_texts import short_name

_BEST = 6  # columns of the best move
_GAP = "    "  # between evaluators and pairs beside each other


class AgreementPanel(Panel):
    """The evaluators with their letters, and a line a pair, the least agreement first."""

    TITLE = "Agree"
    KEY = "f10"
    TEXT = PanelText(
        "evaluators compared, on this position",
        (
            ("corr.", "Rank correlation (Spearman): 1 same order, -1 reversed; needs five moves."),
            ("best 5", "How many of their five best moves two evaluators share."),
            ("#", "The rank of the record's next move, which is named."),
            ("A B C", "The letters of the evaluators, also on the board with their overlay."),
        ),
        (),
        ("disagreement", "next-evaluator", "second-evaluator", "choose-evaluators", "export"),
    )
    IN_SCOPE = ""

    def __init__(self) -> None:
        super().__init__(VerticalScroll(Static("No values yet", markup=False)))

    def fill(self, given: PanelInput) -> None:
        self.fit()

    def fit(self) -> None:
        snapshot = self.given.snapshot
        if snapshot is not None:
            width = self.content_size.width - 1  # beside the scroll bar
            text = agreement_text(snapshot, self.given.session.next_cell, width)
            shown = self.query_one(Static)
            if shown.content != text:  # a new text has the whole screen laid out anew
                shown.update(text)


def agreement_text(snapshot: Snapshot, played: int | None, width: int) -> Text:
    """Return the evaluators and, beside or below them, the pairs; ``played`` by the record."""
    rankings = snapshot.rankings
    letters = dict(zip(rankings, ascii_uppercase, strict=False))
    rows = _evaluators(snapshot, letters, played, width)
    if len(rankings) < 2:
        late = len(snapshot.evaluators) > 1
        text = (
            "No other evaluator has answered"
            if late
            else "Two evaluators are needed: C chooses them"
        )
        rows.append(_row(within(text, width), style="dim"))
        return _joined(rows)

    pairs = _pairs(snapshot, letters)
    left = max(row.cell_len for row in rows) + len(_GAP)
    if left + pairs[0].cell_len > width:
        rows += [Text(), _row("lowest agreement first", style="dim"), *pairs]
        return _joined(rows)

    for place, pair_row in enumerate(pairs):
        if place == len(rows):
            rows.append(Text())
        rows[place].pad_right(left - rows[place].cell_len)
        rows[place].append_text(pair_row)
    return _joined(rows)


def _pairs(snapshot: Snapshot, letters: Mapping[str, str]) -> list[Text]:
    """Return a heading and a row for each pair of evaluators, the lowest agreement first."""
    rows = [_row(f"{'pair':5}{'corr.':>6}{'best 5':>8}", style="dim")]
    for pair in agreements(snapshot.rankings):
        if pair.first in letters and pair.second in letters:
            both = f"{letters[pair.first]} {letters[pair.second]}  "
            number = "-" if pair.correlation is None else f"{pair.correlation:+.2f}"
            shared = f"{pair.shared} of {pair.best}"
            rows.append(_row(f"{number:>6}{shared:>8}", both))
    return rows


def _evaluators(
    snapshot: Snapshot, letters: Mapping[str, str], played: int | None, width: int
) -> list[Text]:
    """Return a row an evaluator: letter, name, best move and rank of the record's move."""
    board = snapshot.position.board
    rank_of = "" if played is None else f"  #{board.name(played)}"
    names = list(letters)
    room = width - 2 - _BEST - len(rank_of)
    if max(map(len, names), default=0) > room:
        names = [within(short_name(name), room) for name in letters]

    wide = max(map(len, names), default=0)
    rows = [_row(f"{'':{wide + 2}}{'best':>{_BEST}}{rank_of}", style="dim")]
    for name, (by, letter) in zip(names, letters.items(), strict=True):
        ranking = snapshot.rankings[by]
        best = board.name(ranking.moves[0].cell) if ranking.moves else "-"
        rank = ""
        if played is not None:
            move = ranking.by_cell.get(played)
            rank = str(move.rank) if move else "-"
        text = f"{name:{wide}}{best:>{_BEST}}{rank:>{len(rank_of)}}"
        rows.append(_row(text, f"{letter} "))
    return rows


def _joined(rows: Sequence[Text]) -> Text:
    return Text("\n", no_wrap=True).join(rows)


def _row(text: str, letters: str = "", style: str = "") -> Text:
    return Text.assemble((letters, "bold"), (text, style))
