"""As other programs see it: real processes, HexGui's sequence, interrupts, the end of input."""

import subprocess
import sys
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from tests.htp.clients import InProcess, InThread
from tests.transcripts import TRANSCRIPTS, commands, with_transcripts

HEXGUI_CONNECTS = ("name", "version", "hexgui-analyze_commands", "boardsize 11 11")


def test_hexguis_sequence(client: InThread) -> None:
    """What HexGui sends: connect, a move and our reply, a swap, back, the solver, disconnect."""
    for command in HEXGUI_CONNECTS:
        client.good(command)
    client.done("clear_board", "clear_board")
    assert client.good("showboard").endswith("black to move")
    client.done("boardsize 5 5", "clear_board", "play black c2")
    client.good("showboard")
    reply = client.good("genmove white")
    assert reply in client.good("showboard")
    client.done("undo", "undo", "clear_board", "play white b3")
    assert client.good("showboard").endswith("last move b3")
    client.done("param_dfpn use_guifx 1")
    assert client.good("dfpn-solve-state black") in ("black", "white")
    client.good("vc-build black")
    client.send("# interrupt")
    client.done("clear_board")


@with_transcripts
@pytest.mark.parametrize(
    "path", [p for p in TRANSCRIPTS if p.stem.startswith("hexgui")], ids=lambda path: path.stem
)
def test_what_hexgui_has_sent_to_other_engines(client: InThread, path: Path) -> None:
    for command in commands(path):
        client.send(command)
        if "-solve-" in command or "-gfx-" in command:
            client.send("# interrupt")
        assert client.read().startswith("= "), command
    client.done("clear_board")


def test_a_process_says_nothing_but_answers_and_ends_when_it_is_told() -> None:
    client = InProcess()
    client.send(*HEXGUI_CONNECTS, "# interrupt", "", "play b a1", "quit", "name")
    code, out, err = client.end()
    answers = out.decode("ascii").split("\n\n")
    assert [answer[:2] for answer in answers] == ["= "] * 6 + [""]
    assert (code, err) == (0, b"")


def test_the_end_of_the_input_ends_a_process_quietly() -> None:
    client = InProcess()
    client.hang_up()
    client.process.stdin = None
    assert client.end() == (0, b"", b"")


@pytest.mark.slow
def test_two_processes_play_to_the_end() -> None:
    players = {Color.BLACK: InProcess(), Color.WHITE: InProcess()}
    for player in players.values():
        player.send("boardsize 5 5", "clear_board", "play black a2")
    for player in players.values():
        assert [player.read() for _ in range(3)] == ["= "] * 3
    position = Position.empty(Board(5, 5)).play("a2")
    while (move := players[position.to_move].good(f"genmove {position.to_move}")) != "resign":
        players[position.to_move.opponent].done(f"play {position.to_move} {move}")
        position = position.play(move)
    assert position.winner is not None
    score = f"{str(position.winner)[0].upper()}+"
    for player in players.values():
        assert player.good("final_score") == score
        player.done("quit")
        assert player.end()[0] == 0


def test_an_input_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with open(tmp_path / "written", "wb") as only_written:
        done = subprocess.run(
            [sys.executable, "-m", "hextui", "htp"], stdin=only_written, capture_output=True
        )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"hextui: standard input: cannot be read: Bad file descriptor\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_output_that_is_full_is_one_line() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'echo name | "$0" -m hextui htp > /dev/full', sys.executable],
        capture_output=True,
    )
    assert done.returncode == 1
    assert done.stderr == b"hextui: standard output: No space left on device\n"


FOREVER = ("boardsize 11", "play b a10", "play w k2")
"""A position that is not solved in a lifetime."""


def working(client: InThread) -> bool:
    """Return whether a live block came: the solver is at work."""
    return client._part().startswith("gogui-gfx:")


def test_an_interrupt_ends_the_solver_with_what_it_knows(client: InThread) -> None:
    client.done(*FOREVER, "param_dfpn use_guifx 1")
    client.send("3 dfpn-solve-state black")
    assert working(client)
    client.send("# interrupt")
    assert client.read() == "=3 empty"
    client.done("clear_board")


def test_an_interrupt_ends_a_search_with_its_best_move(client: InThread) -> None:
    client.done(*FOREVER, "param_hextui player minimax(resistance/30,30,30,30,30,30,0)")
    client.send("genmove black", "# interrupt")
    move = client.read().removeprefix("= ")
    legal = client.good("all_legal_moves").split()
    assert move not in legal
    client.done("undo")
    assert move in client.good("all_legal_moves").split()


def test_an_interrupt_ends_all_that_was_asked_before_and_nothing_after(client: InThread) -> None:
    client.done(*FOREVER)
    commands = ("1 dfpn-solve-state b", "2 dfpn-solver-find-winning w", "3 dfpn-solve-state w")
    client.send(*commands, "# interrupt", "boardsize 3", "dfpn-solve-state b")
    assert [client.read() for _ in commands] == ["=1 empty", "=2 ", "=3 empty"]
    assert client.read() == "= "
    assert client.read() == "= black"


def test_an_interrupt_while_nothing_is_done_is_forgotten(client: InThread) -> None:
    client.send("# interrupt", "  # a remark", "")
    assert client.good("dfpn-solve-state b") == "black"


def test_limits_of_time_end_a_search(client: InThread) -> None:
    client.done(*FOREVER, "param_dfpn timelimit 0.05", "param_hextui max_time 0.05")
    assert client.good("dfpn-solve-state b") == "empty"
    client.done("param_hextui player minimax(resistance/30,30,30,30,30,30,0)")
    assert client.good("reg_genmove b") in client.good("all_legal_moves").split()


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_at_the_end_of_the_input_what_was_asked_is_answered(end: bytes) -> None:
    client = InThread()
    client._questions.write(b"boardsize 4\ndfpn-solve-state b" + end)
    client.hang_up()
    assert [client.read() for _ in range(3)] == ["= ", "= black", ""]
    client.wait()


def test_when_nobody_reads_any_more_it_ends() -> None:
    client = InThread()
    client.done(*FOREVER, "param_dfpn use_guifx 0")
    client.send("dfpn-solve-state b")
    client.hang_up()
    client.stop_reading()
    client.wait()
