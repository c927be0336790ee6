"""A held key over a long game never shows the analysis of another ply."""

from hextui.analysis import Snapshot
from hextui.engine.ranking import rank_by_value

from .helpers import ScriptedAnalyst, all_shown, analysing, long_game


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


async def test_the_analysis_of_another_ply_is_never_shown():
    session = long_game()
    session.first()
    async with analysing(session, (80, 24), LateAnalyst) as (pilot, analyst):
        main = pilot.app.main
        for key in ["n"] * 30 + ["p"] * 10:
            await pilot.press(key)
            assert main.workspace.live.of(session.position) is None
            assert not main.board.view.heat
            assert main.workspace.live.stale(session.position) is (
                main.workspace.live.snapshot is not None
            )
        analyst.tell(len(analyst.asked))
        await all_shown(pilot)
        assert set(main.board.view.heat) <= set(session.position.empties)
        assert main.board.view.heat
