"""Lines and answers: ids, comments, odd bytes, long lines; clocks: shares of time by hand."""

import os
import threading

import pytest

from hextui.children import read_lines
from hextui.engine.board import Color
from hextui.htp.htp_requests import LONGEST, HtpRequest, answer, comment_of, parse, refusal
from hextui.htp.htp_session import Clock, Clocks


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"name", HtpRequest("", "name")),
        (b" \t12\tplay  black\tc4 \r", HtpRequest("12", "play", ("black", "c4"), "black c4")),
        (b"play b c4 # my best", HtpRequest("", "play", ("b", "c4"), "b c4")),
        (b"99999999999999999999999 name", HtpRequest("99999999999999999999999", "name")),
        (b"7", HtpRequest("7", "")),
        (b"5x5", HtpRequest("", "5x5")),
        (b"na\x00me\x07", HtpRequest("", "name")),
        (
            "loadsgf a b\xe9.sgf".encode(),
            HtpRequest("", "loadsgf", ("a", "b\xe9.sgf"), "a b\xe9.sgf"),
        ),
        (b"\xff\xfe", HtpRequest("", "\ufffd\ufffd")),
        (b"", None),
        (b"  \r", None),
        (b"# interrupt", None),
        (b"#", None),
    ],
)
def test_a_line_is_a_command_or_none(line: bytes, found: HtpRequest | None) -> None:
    assert parse(line) == found


@pytest.mark.parametrize(
    ("line", "comment"),
    [(b"# interrupt\r", "interrupt"), (b"name # x", "x"), (b"name", ""), (b"a#b", "")],
)
def test_comments(line: bytes, comment: str) -> None:
    assert comment_of(line) == comment


def test_answers_have_no_empty_lines_inside_and_are_ascii() -> None:
    assert answer(HtpRequest("", "x"), "") == b"= \n\n"
    assert answer(HtpRequest("3", "x"), "a\n\nb\n") == b"=3 a\nb\n\n"
    assert answer(HtpRequest("", "x"), "\nb") == b"= \nb\n\n"
    assert answer(HtpRequest("", "x"), "\xe9") == b"= \\xe9\n\n"
    assert refusal(HtpRequest("4", "x"), "a\n\n b") == b"?4 a b\n\n"


def lines_through_a_pipe(*parts: bytes) -> list[bytes]:
    read, written = os.pipe()

    def write() -> None:
        with os.fdopen(written, "wb", buffering=0) as pipe:
            for part in parts:
                pipe.write(part)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        return list(read_lines(read, LONGEST))
    finally:
        thread.join()
        os.close(read)


def test_lines_come_whole_however_they_are_cut() -> None:
    assert lines_through_a_pipe(b"na", b"me\nver", b"sion\n\nquit") == [
        b"name",
        b"version",
        b"",
        b"quit",
    ]


def test_of_an_endless_line_little_is_kept_and_the_next_one_is_read() -> None:
    long, after = lines_through_a_pipe(b"x" * (3 * LONGEST), b"\nname\n")
    assert LONGEST < len(long) <= LONGEST + (1 << 16) + 1
    assert parse(long).name == "a line of more than a megabyte"
    assert after == b"name"


B, W = Color.BLACK, Color.WHITE


def test_without_settings_there_is_no_limit() -> None:
    clocks = Clocks()
    clocks.spend(B, 5)
    assert clocks.share(B, 100) is None
    assert clocks.left == {}


def test_main_time_is_shared_out_among_the_moves_to_come() -> None:
    clocks = Clocks(main=100)
    assert clocks.share(B, 100) == 4  # 25 moves more
    assert clocks.share(B, 4) == 12.5  # 8 at least
    clocks.spend(B, 20)
    assert clocks.left[B] == Clock(80)
    assert clocks.left[W] == Clock(100)
    clocks.spend(B, 90)
    assert clocks.share(B, 100) == 0


def test_periods_follow_main_time() -> None:
    clocks = Clocks(main=10, period=30, stones=3)
    assert clocks.share(W, 400) == 10  # a period's move has more than a hundredth of main time
    clocks.spend(W, 11)
    assert clocks.left[W] == Clock(30, 3)
    clocks.spend(W, 12)
    assert clocks.left[W] == Clock(18, 2)
    assert clocks.share(W, 400) == 9
    clocks.spend(W, 1)
    clocks.spend(W, 1)
    assert clocks.left[W] == Clock(30, 3)
    assert clocks.rewound().left[W] == Clock(10)
    assert Clocks(period=30, stones=3).left[B] == Clock(30, 3)


def test_the_clients_clock_is_taken_over() -> None:
    clocks = Clocks()
    clocks.left[B] = Clock(6, 2)
    assert clocks.share(B, 9) == 3
    assert clocks.share(W, 9) is None
