"""Shares of time by hand."""

from hextui.engine.board import Color
from hextui.htp.clocks import Clock, Clocks

B, W = Color.BLACK, Color.WHITE


def test_without_settings_there_is_no_limit() -> None:
    clocks = Clocks()
    clocks.spend(B, 5)
    assert clocks.share(B, 100) is None
    assert clocks.left(B) is None


def test_main_time_is_shared_out_among_the_moves_to_come() -> None:
    clocks = Clocks(main=100)
    assert clocks.share(B, 100) == 4  # 25 moves more
    assert clocks.share(B, 4) == 12.5  # 8 at least
    clocks.spend(B, 20)
    assert clocks.left(B) == Clock(80)
    assert clocks.left(W) == Clock(100)
    clocks.spend(B, 90)
    assert clocks.share(B, 100) == 0


def test_periods_follow_main_time() -> None:
    clocks = Clocks(main=10, period=30, stones=3)
    assert clocks.share(W, 400) == 10  # a period's move has more than a hundredth of main time
    clocks.spend(W, 11)
    assert clocks.left(W) == Clock(30, 3)
    clocks.spend(W, 12)
    assert clocks.left(W) == Clock(18, 2)
    assert clocks.share(W, 400) == 9
    clocks.spend(W, 1)
    clocks.spend(W, 1)
    assert clocks.left(W) == Clock(30, 3)
    assert clocks.rewound().left(W) == Clock(10)
    assert Clocks(period=30, stones=3).left(B) == Clock(30, 3)


def test_the_clients_clock_is_taken_over() -> None:
    clocks = Clocks()
    clocks.set_left(B, 6, 2)
    assert clocks.share(B, 9) == 3
    assert clocks.share(W, 9) is None
