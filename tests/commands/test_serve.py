import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

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


def test_the_page_is_served_on_this_machine_and_to_no_other_site(tmp_path):
    pytest.importorskip("textual_serve")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "hextui", "serve", "--port", str(port)]
    environment = {**os.environ, "HEXTUI_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    ) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            end = time.monotonic() + PATIENCE
            while status(url)[0] == 0:
                assert time.monotonic() < end
                time.sleep(0.1)
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
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE)
