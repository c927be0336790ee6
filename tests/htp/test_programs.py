"""As other programs see it: a real process, HexGui's own sequence, a game of two processes."""

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
