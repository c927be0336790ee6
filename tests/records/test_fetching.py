"""Games of other sites, from a server of this test: found, missing, late, strange, gone."""

import socket
import threading
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.records.codecs import CODECS
from hextui.records.formats import fetch_game, is_game_link, parse_position_argument, read_record
from hextui.records.record_text import RecordError
from tests.records.trees import names as names_of
from tests.sites import ID, LINK, PLAYHEX, REDIRECTS, served, sites_at


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with served(monkeypatch):
        yield


@pytest.mark.parametrize(
    ("names", "moves"),
    [
        ([LINK, "1512976", " 1512976 ", LINK.replace("https", "http")], "a2 swap-pieces c3"),
        ([PLAYHEX, ID, ID.upper(), f"{PLAYHEX}#move"], "a2 b3"),
    ],
)
def test_games_by_links_and_names(server: None, names: list[str], moves: str) -> None:
    for name in names:
        assert names_of(read_record(fetch_game(name))) == moves
    assert names_of(parse_position_argument(names[0])) == moves  # of every command


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        (LINK, True),
        (PLAYHEX, True),
        ("http://www.littlegolem.net/servlet/sgf/12/game12.hsgf", True),
        ("https://littlegolem.net/jsp/game/game.jsp?nmove=3&gid=12", True),
        ("1512976", False),
        ("https://hexworld.org/board/#5,a1", False),
        ("https://littlegolem.net/jsp/game/game.jsp", False),
        ("https://evil.example/littlegolem.net/jsp/game/game.jsp?gid=12", False),
        ("https://playhex.org/games/7", False),
        ("file:///etc/passwd", False),
    ],
)
def test_links_to_games(text: str, is_link: bool) -> None:
    assert is_game_link(text) is is_link
    if not (is_link or text.isdigit()):
        with pytest.raises(RecordError, match="not a link"):
            fetch_game(text)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("999", "there is no game 999"),
        ("777", "there is no game 777"),
        ("555", "it answered HTTP Error 500: Internal Server Error"),
    ],
)
def test_what_is_not_there_is_one_line(server: None, name: str, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        fetch_game(name)
    assert str(caught.value) == f"littlegolem.net: {what}"


@pytest.fixture
def sites_by_https(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have whatever host is asked, by http or https, answered by a server of this test."""
    sites = {type(codec): codec.site for codec in CODECS}
    with served(monkeypatch) as port:
        for codec, site in sites.items():
            monkeypatch.setattr(codec, "site", site)

        def here(host: str, **options: object) -> HTTPConnection:
            return HTTPConnection("127.0.0.1", port)

        for name in ("http", "https"):
            handler = getattr(urllib.request, f"{name.upper()}Handler")
            monkeypatch.setattr(handler, f"{name}_open", lambda self, r: self.do_open(here, r))
        yield


def test_only_redirects_to_the_same_host_over_https_are_followed(sites_by_https: None) -> None:
    for name, to in REDIRECTS.items():
        if name in ("301", "302"):
            assert read_record(fetch_game(name)).plies == 3
            continue
        with pytest.raises(RecordError) as caught:
            fetch_game(name)
        line = f"littlegolem.net: it redirects to {to}; only https to the same host is followed"
        assert str(caught.value) == line


def test_a_site_that_does_not_answer_takes_its_time_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        sites_at(monkeypatch, silent.getsockname()[1])
        with pytest.raises(RecordError, match=r"no answer in 0.1 s|cannot be reached: timed out"):
            fetch_game("1512976", 0.1)


def test_an_answer_that_is_no_http(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as strange:
        sites_at(monkeypatch, strange.getsockname()[1])

        def answer() -> None:
            talk, _ = strange.accept()
            with talk:
                talk.recv(1000)
                talk.sendall(b"220 ready\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(RecordError, match=r"littlegolem\.net: cannot be reached: 220 ready"):
            fetch_game("1512976")
        thread.join()


def test_without_a_network_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    sites_at(monkeypatch, port)
    assert main(["fetch", "1512976"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "hextui: littlegolem.net: cannot be reached: Connection refused\n"


def test_the_command_prints_or_saves(
    server: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fetch", "1512976"]) == 0
    assert "PB[Ann]" in capsys.readouterr().out
    target = tmp_path / "game.sgf"
    assert main(["fetch", PLAYHEX, str(target)]) == 0
    assert capsys.readouterr().out == f"1 game written to {target}\n"
    assert read_record(target).plies == 2
    assert main(["fetch", "888"]) == 2
    assert "hextui: " in capsys.readouterr().err
    assert main(["fetch", "1512976", "game.gif"]) == 2
