"""A server that lists and gives players' games as playhex.org and littlegolem.net do, and fails."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from hextui.library import sync_sites
from tests.sites import sites_at

ANN = "11111111-0000-0000-0000-000000000001"
NUMBER = "44438"
CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]


def moves_of(number: int) -> list[str]:
    """Return three moves on a 5x5 board that no other game below 550 has."""
    first, second = divmod(number, 22)
    return [CELLS[first % 25], CELLS[(first + 1 + second) % 25], CELLS[(first + 24) % 25]]


def playhex_game(number: int, **changes: object) -> dict[str, object]:
    """Return a game as the site's program answers it."""
    ended = f"2026-01-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00.000Z"
    players = [{"pseudo": "Ann", "publicId": ANN}, {"pseudo": "Bob", "publicId": ANN[::-1]}]
    return {
        "publicId": f"0d1f8e8c-3000-49ff-831a-{number:012x}",
        "host": players[0],
        "hostedGameToPlayers": [{"player": player} for player in players],
        "state": "ended",
        "ranked": True,
        "boardsize": 5,
        "swapRule": True,
        "chatMessages": [],
        "moves": moves_of(number),
        "moveTimestamps": [ended],
        "winner": number % 2,
        "outcome": "resign",
        "startedAt": ended,
        "endedAt": ended,
    } | changes


def little_golem_file(number: int) -> str:
    """Return a game as the site's files have it."""
    points = [
        "abcde"["abcde".index(name[0])] + "abcde"[int(name[1]) - 1] for name in moves_of(number)
    ]
    turns = "".join(f";{'WBW'[ply]}[{point}]" for ply, point in enumerate(points))
    info = f"(;FF[4]EV[x]PB[Ann]PW[Bob]SZ[5]RE[{'BW'[number % 2]}]GC[ game #{number}]"
    return f"{info}SO[http://www.littlegolem.com]{turns})"


class PlayerSites:
    """What the server holds, how it misbehaves, and what it was asked.

    ``faults`` has what happens to the next requests of paths that begin so: a status, ``cut``,
    ``rubbish``, ``slow``, or '' for the answer itself. ``retry_after`` goes with each status.
    """

    def __init__(self) -> None:
        self.playhex: list[dict[str, object]] = []
        self.files: dict[int, str] = {}
        self.faults: dict[str, list[str]] = {}
        self.retry_after: str | None = None
        self.asked: list[str] = []
        self.times: list[float] = []
        self.running = 0
        self.most_running = 0
        self.port = 0

    def answer(self, path: str) -> tuple[int, str]:
        parts = urlsplit(path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/api/players":
            player = {"publicId": ANN, "pseudo": "Ann", "slug": "ann"}
            return (200, json.dumps(player)) if query["slug"] == "ann" else (404, "{}")
        if parts.path == "/api/games":
            return 200, json.dumps(self._listed(query))
        if parts.path == "/jsp/info/player_list.jsp":
            row = f"<a href='/jsp/info/player.jsp?plid={NUMBER}'>Ann &amp; Co</a>"
            return 200, f"<html><a href='/jsp/info/player.jsp?plid=7'>Other</a>{row}</html>"
        if parts.path == "/jsp/info/player_game_list.jsp":
            assert query["gtid"] == "hex"
            links = [f'<a href="/jsp/game/game.jsp?gid={number}">#</a>' for number in self.files]
            return 200, f"<html>{''.join(links) if query['plid'] == NUMBER else ''}</html>"
        number = int(parts.path.split("/")[3])
        return (200, self.files[number]) if number in self.files else (404, "nothing")

    def _listed(self, query: dict[str, str]) -> list[dict[str, object]]:
        assert (query["states[0]"], query["endedAtSort"]) == ("ended", "asc")
        assert query["players[0][publicId]"] == ANN
        begin = query.get("fromEndedAt", "")
        games = [game for game in self.playhex if str(game["endedAt"]) >= begin]
        games.sort(key=lambda game: str(game["endedAt"]))
        size = int(query["paginationPageSize"])
        assert size <= 50
        first = int(query["paginationPage"]) * size
        return games[first : first + size]

    def next_fault(self, path: str) -> str:
        for begin, faults in self.faults.items():
            if path.startswith(begin) and faults:
                return faults.pop(0)
        return ""


def _handler(sites: PlayerSites) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sites.running += 1
            sites.most_running = max(sites.most_running, sites.running)
            sites.asked.append(self.path)
            sites.times.append(time.monotonic())
            with suppress(OSError):  # who asked has gone
                self._answer(sites.next_fault(self.path))

        def _answer(self, fault: str) -> None:
            status, text = sites.answer(self.path)
            if fault.isdecimal():
                status, text = int(fault), "not now"
            if fault == "slow":
                time.sleep(0.5)
            if fault == "rubbish":
                text = "\x00<html>\udcff".encode("utf-8", "replace").decode()
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if fault.isdecimal() and sites.retry_after is not None:
                self.send_header("Retry-After", sites.retry_after)
            sites.running -= 1  # before who asked can have the answer, and ask again
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if fault == "cut" else body)

        def log_message(self, *words: object) -> None:
            pass

    return Handler


@contextmanager
def player_sites(monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayerSites]:
    """Have players' games fetched from a server of this process, almost without pauses."""
    sites = PlayerSites()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(sites))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    sites.port = server.server_port
    sites_at(monkeypatch, sites.port)
    monkeypatch.setattr(sync_sites, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(sync_sites, "BACK_OFF", (0.01, 0.02, 0.03))
    try:
        yield sites
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
