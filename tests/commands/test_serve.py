import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from hextui.commands import main
from tests.processes import PATIENCE, children_of, gone, on_linux, wait_for


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--port", "70000"], "1 to 65535"),
        (["missing.sgf"], "missing.sgf"),
        (["broken.sgf"], "broken.sgf"),
        (["game.sgf", "--game", "2"], "game.sgf"),
    ],
)
def test_what_cannot_be_served_is_one_line_before_the_server_starts(
    words, line, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.sgf").write_text("(;SZ[99]")
    (tmp_path / "game.sgf").write_text("(;FF[4]GM[11]SZ[5];B[a1])")
    assert main(["serve", *words]) == 2
    printed = capsys.readouterr()
    assert line in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def status(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers
    except urllib.error.URLError:
        return 0, b"", {}


@contextmanager
def serving(folder, *words):
    """Serve on a free port; yields the address and its token. Another may take the port before."""
    environment = {**os.environ, "HEXTUI_HOME": str(folder)}
    end = time.monotonic() + PATIENCE
    while True:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "hextui", "serve", "--port", str(port), *words]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True
        ) as server:
            said = server.stdout.readline()  # once it listens
            url = f"http://127.0.0.1:{port}"
            if "token=" not in said:
                assert "in use" in said
                assert time.monotonic() < end
                continue
            assert status(url)[0] == 403
            try:
                yield url, said.split("token=")[1].split()[0], server.pid
            finally:
                server.terminate()
                server.communicate(timeout=PATIENCE)
            return


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_only_who_knows_the_token_is_answered(tmp_path):
    with serving(tmp_path) as (url, token, _):
        code, page, headers = status(f"{url}/?token={token}")
        assert code == 200
        assert b"hextui" in page
        cookie = headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        known = {"Cookie": cookie.split(";")[0]}
        assert status(url, **known)[0] == 200
        for path in ("", "ws", "static/js/textual.js", "download/x", "nothing"):
            for word in ("", "?token=", f"?token={token[:-1]}", "?token=%F0%9F%98%80"):
                assert status(f"{url}/{path}{word}")[0] == 403, (path, word)
        assert status(f"{url}/static/js/textual.js", **known)[0] == 200
        for origin in ({}, {"Origin": "http://elsewhere.example"}):
            assert status(f"{url}/ws", **known, **origin, **UPGRADE)[0] == 403
        assert status(f"{url}/ws", Origin=url, **UPGRADE)[0] == 403


def websocket(url, token, **size):
    """Open a page's socket, which starts a program."""
    port = int(url.rpartition(":")[2])
    talk = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    words = "&".join(f"{name}={value}" for name, value in {"token": token, **size}.items())
    lines = [f"GET /ws?{words} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in UPGRADE.items()]
    lines += [f"Origin: http://127.0.0.1:{port}", "", ""]
    talk.sendall("\r\n".join(lines).encode())
    return talk


# the event loop of the program stops for good once a page asks it to end
HANGS = """
import sys, threading
if "TEXTUAL_DRIVER" in __import__("os").environ:
    import asyncio
    asyncio.BaseEventLoop.call_soon_threadsafe = lambda *_, **__: None
"""


def descendants(process):
    """Return the processes that a process has started, and those that these have started."""
    own = children_of(process)
    return own + [further for child in own for further in descendants(child)]


def heard(talk, *words):
    """Read until all words came."""
    data = b""
    while not all(word in data for word in words):
        piece = talk.recv(1 << 16)
        assert piece, data[-500:]
        data += piece
    return data


def test_a_page_shows_the_game_and_no_more_programs_run_than_allowed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = "(;FF[4]GM[11]SZ[5];B[a1];W[b2];B[c3])"
    (tmp_path / "rank").write_text(game + game)  # a command has the same name
    words = ("rank", "--game", "2", "--ply", "2", "--programs", "1")
    with serving(tmp_path, *words) as (url, token, _), ExitStack() as stack:
        page = f"{url}/?token={token}"
        first = stack.enter_context(websocket(url, token))
        assert heard(first, b"rank, game 2", b"2. b2 ").startswith(b"HTTP/1.1 101")
        second = stack.enter_context(websocket(url, token))
        assert heard(second, b"--programs").startswith(b"HTTP/1.1 503")
        assert status(page)[0] == 503
        first.close()
        end = time.monotonic() + PATIENCE
        while status(page)[0] == 503:
            assert time.monotonic() < end
            time.sleep(0.1)


def test_a_port_in_use_is_one_line_and_no_address(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert f"port {port}" in printed.err


@pytest.mark.parametrize("end", ["the page closes", "the server ends", "the server is killed"])
@on_linux
def test_a_pages_program_ends_with_its_page_and_its_server(end, tmp_path):
    with serving(tmp_path) as (url, token, server), websocket(url, token, width=20_000) as page:
        heard(page, b"GAME")
        programs = descendants(server)
        assert programs
        match end:
            case "the page closes":
                page.close()
            case "the server ends":
                os.kill(server, signal.SIGTERM)
            case _:
                os.kill(server, signal.SIGKILL)
        for program in programs:
            wait_for(lambda program=program: gone(program))  # type: ignore[misc]


@on_linux
def test_a_page_that_hangs_ends_too(tmp_path, monkeypatch):
    hanging = tmp_path / "sitecustomize.py"
    hanging.write_text(HANGS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with serving(tmp_path) as (url, token, server), websocket(url, token) as page:
        heard(page, b"GAME")
        programs = descendants(server)
        page.close()
        for program in programs:
            wait_for(lambda program=program: gone(program))  # type: ignore[misc]


def test_a_page_has_a_bounded_size(tmp_path):
    with serving(tmp_path) as (url, token, _):
        with websocket(url, token, width=20_000, height=20_000) as page:
            data = heard(page, b"\x1b[250;1H")
        assert b"\x1b[251;" not in data
