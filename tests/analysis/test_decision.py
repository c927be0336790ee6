"""Where a game was decided: by proof, else by search, else it is open."""

from hextui.analysis.game_report import Decision, decision
from hextui.engines.snapshot import Verdict, VerdictKind
from tests.analysis.games import BLUE, RED, known, played, rate

LINE = played("a1 d4 b2 c3 d1")


def test_a_proof_to_the_last_ply_decides() -> None:
    estimates = known(LINE, {2: RED, 3: BLUE, 4: BLUE, 5: BLUE})
    assert decision(LINE, estimates) == Decision(3, BLUE, proved=True)


def test_without_one_the_search_decides_where_it_is_clear_to_the_end() -> None:
    # win probabilities of the side to move, Red at even plies
    clear = rate(LINE, "search", None, None, 0.95, 0.5, 0.92, 0.05)
    assert decision(LINE, clear) == Decision(4, RED, proved=False)
    changed = rate(LINE, "search", None, None, 0.95, 0.05, 0.02, 0.95)
    assert decision(LINE, changed) == Decision(4, BLUE, proved=False)
    assert decision(LINE, rate(LINE, "search", None, None, 0.95, 0.05, 0.95, 0.2)) is None
    assert decision(LINE, known(LINE, {})) is None


def test_proved_plies_count_as_clear() -> None:
    estimates = rate(LINE, "search", None, None, 0.95, 0.5, None, 0.05)
    estimates.keep_verdict(LINE[4].position, Verdict(VerdictKind.SOLVER, RED))
    assert decision(LINE, estimates) == Decision(4, RED, proved=False)
