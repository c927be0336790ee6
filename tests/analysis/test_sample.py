"""The sample game of the package: it opens before a proved mistake, which its record holds."""

from hextui.analysis import keeping
from hextui.analysis.judgements import Judgements
from hextui.analysis.mistakes import mistakes
from hextui.analysis.stations import stations
from hextui.commands.workstation import SAMPLE, SAMPLE_PLY
from hextui.engine.limit import Limit
from hextui.engine.solver.dfpn import Solver
from hextui.records.formats import read_record


def test_the_sample_opens_before_the_mistake_that_decided_it() -> None:
    record = read_record(SAMPLE)
    line, found = stations(record, record.main_line()), Judgements()
    assert keeping.read(line, found) == ("search",)
    mistake = mistakes(line, found)[-1]
    assert (mistake.before.ply, len(mistake.moves), mistake.all_wins) == (SAMPLE_PLY, 1, True)
    assert "Ctrl+P" in record.main_line()[SAMPLE_PLY].comment
    solver = Solver(record.board)
    for station, winner in ((mistake.before, mistake.color), (mistake.after, record.result.winner)):
        *_, solution = solver.solve(station.position, Limit())
        assert solution.winner is winner
    solver.close()
