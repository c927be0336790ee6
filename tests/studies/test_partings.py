"""Where games part, by hand; and what counts as a proof, against exhaustive play."""

import random

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings, find_connections
from hextui.engine.position import Move, Position
from hextui.matches.match import MatchGame
from hextui.runs.proportions import proportion
from hextui.runs.reports import RunReport
from hextui.runs.results import Table
from hextui.studies.match_table import COLUMNS, first_proof
from hextui.studies.partings import add_partings, partings, positions_to_solve
from tests.matches.games import play_game
from tests.oracles.winners import Exhaustive

DEFAULT = ConnectionSettings()


def games(lines: dict[tuple[int, int], tuple[str, str]], proved: int) -> Table:
    """Rows of table 2; ``lines`` gives moves and winner of some, the others are a1 b1 c1."""
    rows = []
    for a in range(3):
        for b in range(3):
            moves, winner = lines.get((a, b), ("a1 b1 c1", "first"))
            known = {"reading": "default", "table": "2", "first": f"E_{a}", "second": f"E_{b}"}
            known |= {"winner": winner, "moves": moves, "opening": ""}
            known |= {"proved after": str(proved), "proved for": "first"}
            rows.append(tuple(known.get(column, "") for column in COLUMNS))
    return Table(COLUMNS, tuple(rows))


def test_equal_games_do_not_part() -> None:
    found = partings(games({}, 1))
    assert (len(found.pairs), found.counts()["equal"], found.parted) == (18, 18, ())
    assert (found.games, found.lost) == (9, 0)
    assert found.share_before_proof(0) == proportion(0, 9)


@pytest.mark.parametrize(("proved", "after"), [(1, True), (2, True), (3, False)])
def test_games_part_where_one_player_deviates(proved: int, after: bool) -> None:
    """E_2 plays d1 at the third move, and loses: six pairs hold one of its games as first."""
    own = {(2, b): ("a1 b1 d1 c1", "second") for b in range(3)}
    found = partings(games(own, proved))
    assert (len(found.pairs), found.counts()["equal"], len(found.parted)) == (18, 12, 6)
    assert {parting.shared for parting in found.parted} == {2}
    counts = found.counts()
    assert (counts["parted_proved"], counts["parted_not_proved"]) == ((6, 0) if after else (0, 6))
    share = found.share_before_proof(0)
    assert share is not None
    assert share.value == pytest.approx(0 if after else 1 / 3)
    assert share.low < 1 / 3 < share.high or after
    assert (counts["other_winner"], counts["proved_and_lost"]) == (6, 3)
    report = RunReport("", {})
    add_partings(report, {"2": found}, "7x7")
    assert "| #7,a1b1  | E_0 c1, E_1 c1 | E_2 d1  |" in report.markdown(False)
    to_solve = positions_to_solve(found.parted, "7x7")
    assert to_solve == ([] if after else ["#7,a1b1c1", "#7,a1b1d1"])


@pytest.mark.parametrize("board", [Board(3, 3), Board(3, 4)], ids=str)
def test_the_first_proof_is_a_win(board: Board) -> None:
    """No connection joins sides before it; who has it wins by looking at every line."""
    truth = Exhaustive(board)
    for seed in range(30):
        rng = random.Random(seed)
        cells, position = [], Position.empty(board)
        while position.winner is None:
            cells.append(rng.choice(position.empties))
            position = position.play(cells[-1])
        moves = tuple(Move.play(cell) for cell in cells)
        number, color = first_proof(MatchGame(board, "", "", 0, moves, position.winner), DEFAULT)
        position = Position.empty(board)
        for cell in cells[:number]:
            assert not any(find_connections(position, c).edge_fulls for c in Color)
            assert not find_connections(position, position.to_move).edge_semis
            position = position.play(cell)
        assert truth.winner(position) is color


def test_a_chain_is_the_last_proof() -> None:
    game = play_game("k-paths:0", "k-paths:0", Board(1, 1))
    assert first_proof(game, DEFAULT) == (0, Color.BLACK)
