"""The sample game of the package: it opens before a proved mistake, which its record holds."""

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.mistakes import blunders
from hextui.engine.limit import Limit
from hextui.engine.solver.dfpn import Solver
from hextui.records.formats import read_record
from hextui.ui.record.files import SAMPLE, SAMPLE_PLY
from tests.analysis.games import line_of


def test_the_sample_opens_before_the_mistake_that_decided_it() -> None:
    record = read_record(SAMPLE)
    stored_analysis.sign(record)
    line, found = line_of(record), Estimates()
    assert stored_analysis.read(line, found) == ("search",)
    mistake = blunders(line, found)[-1]
    assert (mistake.before.ply, len(mistake.moves), mistake.all_wins) == (SAMPLE_PLY, 1, True)
    assert "Ctrl+P" in record.main_line()[SAMPLE_PLY].comment
    solver = Solver(record.board)
    for here, winner in ((mistake.before, mistake.color), (mistake.after, record.result.winner)):
        *_, solution = solver.solve(here.position, Limit())
        assert solution.winner is winner
    solver.close()
