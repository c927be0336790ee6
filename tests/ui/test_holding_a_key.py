"""A held key over a long game never shows the analysis of another ply."""

import random

from hextui.analysis import Snapshot
from hextui.engine.board import Board
from hextui.engine.ranking import rank_by_value
from hextui.records.record import Record
from hextui.ui.session import Session

from .helpers import ScriptedAnalyst, all_shown, running


class LateAnalyst(ScriptedAnalyst):
    """Answers each question only when another has been asked, and the one before it as well."""

    def request(self, position, again=False, played=None):
        generation = super().request(position, again, played)
        for late in range(max(generation - 2, 1), generation):
            self.tell(late)
        return generation

    def tell(self, generation):
        position = self.asked[generation - 1]
        values = {cell: float(-cell) for cell in position.empties}
        rankings = {"one": rank_by_value("one", values)}
        self.emit(Snapshot(position, generation=generation, rankings=rankings))


def long_game(plies=100, side=11):
    """Return a session at the start of a game that nobody wins soon."""
    session = Session(Record(Board(side, side)))
    cells = random.Random(1).sample(range(side * side), side * side)
    for cell in cells:
        if session.node.ply < plies and not session.position.play(cell).winner:
            session.play(cell)
    session.first()
    return session


async def test_the_analysis_of_another_ply_is_never_shown():
    session, made = long_game(), []

    def make(emit):
        made.append(LateAnalyst(emit))
        return made[0]

    async with running(session, (80, 24), make_analyst=make) as pilot:
        main = pilot.app.main
        for key in ["n"] * 30 + ["p"] * 10:
            await pilot.press(key)
            assert main.workspace.live.of(session.position) is None
            assert not main.board.view.heat
            assert main.workspace.live.stale(session.position) is (
                main.workspace.live.snapshot is not None
            )
        made[0].tell(len(made[0].asked))
        await all_shown(pilot)
        assert set(main.board.view.heat) <= set(session.position.empties)
        assert main.board.view.heat
