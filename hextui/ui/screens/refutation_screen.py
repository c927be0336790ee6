"""Why a move was a mistake: the proof that refutes it, or the best answer by a search."""

from typing import Any

from hextui.engine.limit import Limit
from hextui.engine.solver.attack import TryAnswer
from hextui.engine.solver.proof import Proof
from hextui.engines.questions import AnswerTry, NotProved, SearchMoves, ShowProof
from hextui.engines.snapshot import Progress, SearchReport
from hextui.records.board_view import BoardView
from hextui.records.record_text import printable
from hextui.train.coach import CoachRemark
from hextui.ui.screens.step_screen import MoveScreen
from hextui.words.proofs import PASSED, ProofTree
from hextui.words.tries import TriedMoves

SEARCH_LIMIT = Limit(visits=200)
"""Of the search for an answer or a hint: about a second on 11x11."""
PROOF_SECONDS = 60.0
"""The most seconds of the proof, and of the answer to a try."""
_SHOWN = 5  # moves of a search's line


class RefutationScreen(MoveScreen[CoachRemark, None]):
    """Shows how a move is answered; against a proof the user tries moves. Changes no record."""

    ABOUT = (
        "Why the move was a mistake. A proof is shown on the board: Enter or a click in the tinted "
        "cells tries a move, and the winner answers it. An estimate shows the moves expected."
    )
    BINDINGS = [
        ("enter", "choose", "Try"),
        ("u", "take_back", "Undo"),
        ("escape", "dismiss", "Back"),
    ]
    _tried: TriedMoves | None = None
    _report: SearchReport | None = None

    def on_mount(self) -> None:
        remark = self.subject
        self.set_text("title", printable(f"Why?  {remark.words(self.names)}"))
        last_move = remark.node.cell
        self.cursor = remark.after.board.middle if last_move is None else last_move
        self.show_board()
        if remark.is_proved:
            self.set_text("task", "Searching for a proof to show ...")
            self.ask(ShowProof(remark.after, PROOF_SECONDS))
        else:
            self._ask_search()

    def _ask_search(self) -> None:
        self.set_text("task", "Searching for the best answer ...")
        self.ask(SearchMoves(self.subject.after, SEARCH_LIMIT))

    @property
    def view(self) -> BoardView:
        remark = self.subject
        if self._tried is not None:
            shown = self._tried.lines[-1]
            moves = [cell for cell in shown.moves if cell != PASSED]
            last_move = moves[-1] if moves else remark.node.cell
            return BoardView(
                shown.position, cursor=self.cursor, last_move=last_move, connected=shown.painted
            )
        line = self._report.moves[0].line.numbers[:_SHOWN] if self._report else ()
        return BoardView(
            remark.after, cursor=self.cursor, last_move=remark.node.cell, line=tuple(line)
        )

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer tries once there is a proof."""
        if action in ("choose", "take_back") and self._tried is None:
            return "Moves can be tried against a proof only"
        if action == "take_back" and self._tried is not None and not self._tried.count:
            return "There is no try to take back"
        return ""

    def action_choose(self) -> None:
        """Try a move of the loser at the cursor."""
        if self._tried is None:
            return  # a click
        asked = self._tried.play(self.cursor)
        if asked is None:
            self._show_tries(self._tried)
        else:
            self.say("Searching for the answer ...")
            self.ask(AnswerTry(asked.position, asked, PROOF_SECONDS))

    def action_take_back(self) -> None:
        if self._tried is not None and self._tried.take_back():
            self.drop_question()
            self._show_tries(self._tried)

    def take(self, answer: Any, problem: str) -> None:
        match answer:
            case Proof():
                self._tried = TriedMoves(ProofTree(answer, self.names))
                self.set_text("task", "The refutation (proved)")
                self._show_tries(self._tried)
            case TryAnswer() if self._tried is not None:
                self._tried.take(answer)
                self._show_tries(self._tried)
            case NotProved():
                self._take_no_proof()
            case SearchReport():
                self._take_report(answer)
            case Progress():
                self.say(f"{answer.label}: {answer.amount} ...")
            case None:
                self.say(problem)

    def _take_no_proof(self) -> None:
        """Answer a try by the proof at hand; without any proof show what a search expects."""
        if self._tried is None:
            self._ask_search()
        elif self._tried.take_known():
            self._show_tries(self._tried)
        else:
            self.say(f"No answer was found in {PROOF_SECONDS:g} s")

    def _take_report(self, report: SearchReport) -> None:
        mover = self.names.player(report.position.to_move)
        if not report.moves:
            self.set_text("task", f"Every move of {mover} loses (proved)")
            self.say("")
            return
        self._report = report
        best = report.moves[0]
        worth = "wins (proved)" if best.proved else f"win probability {best.winrate:.0%} (estimate)"
        self.set_text("task", f"{mover} answers {best.move}: {worth}")
        self.say(f"Expected: {' '.join(best.line[:_SHOWN])}.")
        self.show_board()

    def _show_tries(self, tried: TriedMoves) -> None:
        self.show_board()
        self.say(f"{tried.said or tried.lines[-1].text}\n\n{tried.prompt}.")
        self.refresh_bindings()
