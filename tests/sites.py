"""A server that answers as littlegolem.net and playhex.org do, for tests without a network."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hextui.records.codecs import CODECS

LINK = "https://littlegolem.net/jsp/game/game.jsp?gid=1512976&nmove=27"
ID = "0d1f8e8c-3000-49ff-831a-84c20e514528"
PLAYHEX = f"https://playhex.org/games/{ID}"
HSGF = "(;FF[4]EV[x]PB[Ann]PW[Bob]SZ[5]RE[B]SO[http://www.littlegolem.com];W[ab];B[swap];W[cc])"
JSON = json.dumps({"publicId": ID, "boardsize": 5, "moves": ["a2", "b3"]})
ANSWERS = {
    "/servlet/sgf/1512976/game1512976.hsgf": HSGF.encode(),
    "/servlet/sgf/777/game777.hsgf": b"<html>no such game</html>",
    "/servlet/sgf/888/game888.hsgf": b"(" * 100,
    f"/api/games/{ID}": JSON.encode(),
}
REDIRECTS = {
    "301": "https://littlegolem.net/servlet/sgf/1512976/game1512976.hsgf",
    "302": "/servlet/sgf/1512976/game1512976.hsgf",
    "303": "http://littlegolem.net/servlet/sgf/1512976/game1512976.hsgf",
    "304": "https://www.littlegolem.net/servlet/sgf/1512976/game1512976.hsgf",
    "305": "https://littlegolem.net:444/servlet/sgf/1512976/game1512976.hsgf",
    "306": "//elsewhere.example/servlet/sgf/1512976/game1512976.hsgf",
    "307": "file:///etc/passwd",
    "308": "https://littlegolem.net/servlet/sgf/308/game308.hsgf",
}


class Handler(BaseHTTPRequestHandler):
    """Answers what `ANSWERS` holds, by path; leads from games in `REDIRECTS` elsewhere."""

    def do_GET(self) -> None:
        if to := REDIRECTS.get(self.path.split("/")[3]):
            self.send_response(302)
            self.send_header("Location", to)
            self.end_headers()
            return
        body = ANSWERS.get(self.path)
        self.send_response(200 if body else 500 if "555" in self.path else 404)
        self.end_headers()
        self.wfile.write(body or b"nothing")

    def log_message(self, *words: object) -> None:
        pass


def sites_at(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """Have games fetched from a port of this machine."""
    own = f"http://127.0.0.1:{port}"
    for codec in CODECS:
        if site := codec.site:
            moved = replace(site, address=f"{own}/{site.address.split('/', 3)[3]}")
            monkeypatch.setattr(type(codec), "site", moved)


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Have games fetched from a server of this process; yields its port."""
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    sites_at(monkeypatch, server.server_port)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
