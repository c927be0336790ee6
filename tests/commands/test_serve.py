import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from hextui.commands import main, serve
from tests.processes import PATIENCE


def test_a_missing_package_gives_one_line(monkeypatch, capsys):
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == (
        "hextui: textual-serve is missing: pip install 'hextui[web]'\n"
    )


def test_a_port_out_of_range_gives_one_line(capsys):
    pytest.importorskip("textual_serve")
    assert main(["serve", "--port", "70000"]) == 2
    assert "1 to 65535" in capsys.readouterr().err


def status(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, b""
    except urllib.error.URLError:
        return 0, b""


@contextmanager
def serving(folder):
    """Serve on a free port; yields the address. Another program may take the port before us."""
    environment = {**os.environ, "HEXTUI_HOME": str(folder)}
    end = time.monotonic() + PATIENCE
    while True:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "hextui", "serve", "--port", str(port)]
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
                yield url
            finally:
                server.terminate()
                server.communicate(timeout=PATIENCE)
            return


def test_the_page_is_served_on_this_machine_and_to_no_other_site(tmp_path):
    pytest.importorskip("textual_serve")
    with serving(tmp_path) as url:
        code, page = status(url)
        assert code == 200
        assert b"hextui" in page
        upgrade = {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        assert status(f"{url}/ws", Origin="http://elsewhere.example", **upgrade)[0] == 403
        assert status(f"{url}/ws", **upgrade)[0] == 403
