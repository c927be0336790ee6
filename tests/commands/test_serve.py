import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from hextui.commands import main
from tests.processes import PATIENCE


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
            said = server.stdout.readline()  # before it listens
            url = f"http://127.0.0.1:{port}"
            while status(url)[0] == 0 and server.poll() is None:
                assert time.monotonic() < end, said
                time.sleep(0.1)
            if server.poll() is not None:
                assert "in use" in said + server.stdout.read()
                continue
            try:
                yield url, said.split("token=")[1].split()[0]
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
    with serving(tmp_path) as (url, token):
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


def websocket(port, token):
    """Open a page's socket, which starts a program."""
    talk = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    lines = [f"GET /ws?token={token} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in UPGRADE.items()]
    lines += [f"Origin: http://127.0.0.1:{port}", "", ""]
    talk.sendall("\r\n".join(lines).encode())
    return talk


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
    with serving(tmp_path, *words) as (url, token), ExitStack() as stack:
        page, port = f"{url}/?token={token}", int(url.rpartition(":")[2])
        first = stack.enter_context(websocket(port, token))
        assert heard(first, b"rank, game 2", b"2. b2 ").startswith(b"HTTP/1.1 101")
        second = stack.enter_context(websocket(port, token))
        assert heard(second, b"--programs").startswith(b"HTTP/1.1 503")
        assert status(page)[0] == 503
        first.close()
        end = time.monotonic() + PATIENCE
        while status(page)[0] == 503:
            assert time.monotonic() < end
            time.sleep(0.1)
