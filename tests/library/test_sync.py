"""Games of players at other sites: only new ones, whatever the sites answer, whenever it ends."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.library import sync_sites
from hextui.library.answers import Imported
from hextui.library.library import Library
from hextui.library.sync import sync_games
from hextui.library.sync_sites import SITES
from hextui.library.syncs import syncs_of
from hextui.locations import library_file
from hextui.records import fetching
from hextui.records.formats import read_record
from tests.player_sites import (
    ANN,
    NUMBER,
    PlayerSites,
    little_golem_file,
    moves_of,
    player_sites,
    playhex_game,
)

NAMES = {"playhex": "Ann", "littlegolem": NUMBER}


@pytest.fixture
def sites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PlayerSites]:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    with player_sites(monkeypatch) as made:
        yield made


def give(sites: PlayerSites, numbers: range) -> None:
    sites.playhex += [playhex_game(number) for number in numbers]
    sites.files |= {number: little_golem_file(number) for number in numbers}


def sync(site: str, player: str = "", stopped: Callable[[], bool] = lambda: False) -> Imported:
    with Library() as library:
        return sync_games(library, SITES[site], player or NAMES[site], stopped=stopped)[0]


def stored_moves() -> list[list[str]]:
    """Return the three moves of each game of the library, sorted."""
    with Library() as library:
        texts = [library.text(row.id) or "" for row in library.games()]
    return sorted(re.findall(r";[BW]\[([a-e][1-5])\]", text) for text in texts)


def expected_moves(numbers: range) -> list[list[str]]:
    return sorted(map(moves_of, numbers))


@pytest.mark.parametrize("site", NAMES)
def test_only_what_the_library_lacks_is_fetched(sites: PlayerSites, site: str) -> None:
    give(sites, range(1, 121))
    assert sync(site).added == 120
    assert stored_moves() == expected_moves(range(1, 121))
    assert sites.most_running == 1
    sites.asked.clear()
    give(sites, range(121, 124))
    done = sync(site)
    assert (done.added, done.broken) == (3, ())
    assert stored_moves() == expected_moves(range(1, 124))
    if site == "littlegolem":  # the list, and three games
        files = [path for path in sites.asked if path.startswith("/servlet")]
        assert files == [f"/servlet/sgf/{n}/game{n}.hsgf" for n in (123, 122, 121)]
    else:  # the player, and one page of games
        assert len(sites.asked) == 2


@pytest.mark.parametrize("site", NAMES)
def test_what_is_kept_of_a_game(sites: PlayerSites, site: str) -> None:
    give(sites, range(7, 8))
    sync(site)
    with Library() as library:
        (row,) = library.games()
        record = read_record(library.text(row.id) or "")
    assert (row.black, row.white, str(row.board)) == ("Ann", "Bob", "5x5")
    assert str(row.winner) == "white"
    link = {
        "playhex": "https://playhex.org/games/0d1f8e8c-3000-49ff-831a-000000000007",
        "littlegolem": "https://littlegolem.net/jsp/game/game.jsp?gid=7",
    }[site]
    assert record.info("PC") == link
    assert row.how == ("R" if site == "playhex" else "")
    assert row.date == ("2026-01-01" if site == "playhex" else "")


def test_games_imported_from_files_are_not_fetched(sites: PlayerSites, tmp_path: Path) -> None:
    give(sites, range(1, 6))
    old = tmp_path / "old.hsgf"
    old.write_text("\n".join(sites.files[n] for n in (1, 2, 3)))
    with Library() as library:
        library.import_paths([old])
    assert sync("littlegolem").added == 2
    assert not [path for path in sites.asked if "/game2." in path]


@pytest.mark.parametrize("site", NAMES)
def test_equal_games_and_those_that_cannot_be_kept_are_fetched_once(
    sites: PlayerSites, site: str
) -> None:
    give(sites, range(1, 3))
    sites.playhex += [playhex_game(1, publicId=ANN), playhex_game(9, moves=[])]
    sites.files |= {3: little_golem_file(1).replace("#1]", "#3]")}
    sites.files |= {4: "(;FF[4]EV[x]PB[Ann]PW[Bob]SZ[5]SO[http://www.littlegolem.com])"}
    first = sync(site)
    assert (first.added, first.duplicates) == (2, 1)
    assert "no moves" in first.broken[0].reason
    sites.asked.clear()
    again = sync(site)
    assert again.added == 0
    assert not [path for path in sites.asked if path.startswith("/servlet")]


@pytest.mark.parametrize("player", ["Ann & co", f"http://littlegolem.net/x?plid={NUMBER}", NUMBER])
def test_players_of_little_golem(sites: PlayerSites, player: str) -> None:
    give(sites, range(1, 2))
    assert sync("littlegolem", player).added == 1


@pytest.mark.parametrize("player", ["Ann", "@ann", "https://playhex.org/@ann"])
def test_players_of_playhex(sites: PlayerSites, player: str) -> None:
    give(sites, range(1, 2))
    assert sync("playhex", player).added == 1


@pytest.mark.parametrize("fault", ["503", "429", "500", "cut", "slow", "rubbish"])
@pytest.mark.parametrize(
    "path", ["/api/players", "/api/games", "/jsp/info/player_game_list", "/servlet/sgf/2/"]
)
def test_what_passes_is_asked_again(
    sites: PlayerSites, monkeypatch: pytest.MonkeyPatch, path: str, fault: str
) -> None:
    if fault == "rubbish" and not path.startswith("/api"):
        pytest.skip("a page and a file may hold anything")
    if fault == "slow":
        monkeypatch.setattr(sync_sites, "fetched_text", partial(fetching.fetched_text, seconds=0.2))
    give(sites, range(1, 4))
    sites.faults = {path: [fault]}
    site = "playhex" if path.startswith("/api") else "littlegolem"
    assert sync(site).added == 3
    assert stored_moves() == expected_moves(range(1, 4))
    assert len([asked for asked in sites.asked if asked.startswith(path)]) == 2


@pytest.mark.parametrize(
    ("site", "path", "fault", "line"),
    [
        (
            "playhex",
            "/api/games",
            "503",
            "playhex.org: it answered HTTP Error 503: Service Unavail",
        ),
        (
            "playhex",
            "/api/games",
            "rubbish",
            "playhex.org: what it answered is not a list of games",
        ),
        ("playhex", "/api/games", "403", "playhex.org: it answered HTTP Error 403: Forbidden"),
        ("littlegolem", "/servlet", "cut", "littlegolem.net: the answer ends after"),
        (
            "littlegolem",
            "/servlet",
            "rubbish",
            "littlegolem.net: 3 games in a row could not be read",
        ),
    ],
)
def test_what_stays_ends_with_one_line_and_goes_on_later(
    sites: PlayerSites,
    capsys: pytest.CaptureFixture[str],
    site: str,
    path: str,
    fault: str,
    line: str,
) -> None:
    give(sites, range(1, 60))
    sites.faults = {path: ["", *[fault] * 60]}
    assert main(["library", "sync", site, NAMES[site]]) == 1
    out, err = capsys.readouterr()
    (complaint,) = [text for text in err.splitlines() if text.startswith("hextui: ")]
    assert complaint.startswith(f"hextui: {line}")
    assert re.search(r"; \d+ games? added before, and the next sync fetches the rest$", complaint)
    assert out == ""
    kept = len(stored_moves())
    assert kept == (50 if site == "playhex" else 1)
    assert syncs_of(library_file())[:1] == [] or not syncs_of(library_file())[0].last
    sites.faults = {}
    sites.asked.clear()
    assert main(["library", "sync", site, NAMES[site]]) == 0
    assert stored_moves() == expected_moves(range(1, 60))
    files = [asked for asked in sites.asked if asked.startswith("/servlet")]
    assert len(files) == (0 if site == "playhex" else 58)


def test_a_game_that_is_gone_is_passed_over(
    sites: PlayerSites, capsys: pytest.CaptureFixture[str]
) -> None:
    give(sites, range(1, 5))
    sites.faults = {"/servlet/sgf/3/": ["404"]}
    assert main(["library", "sync", "littlegolem", NUMBER, "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["added"] == 3
    assert "hextui: littlegolem.net: 44438: 3 skipped: there is no game 3" in err


def test_the_time_that_a_site_asks_for_is_waited(
    sites: PlayerSites, capsys: pytest.CaptureFixture[str]
) -> None:
    give(sites, range(1, 3))
    sites.retry_after = "1"
    sites.faults = {"/api/games": ["429"]}
    assert sync("playhex").added == 2
    waits = [after - before for before, after in pairwise(sites.times)]
    assert max(waits) >= 1
    sites.retry_after = "3600"
    sites.faults = {"/api/games": ["503"]}
    assert main(["library", "sync", "playhex", "Ann"]) == 1
    assert "Service Unavailable: it asks to wait 3,600 s" in capsys.readouterr().err


def test_pauses_between_requests(sites: PlayerSites, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync_sites, "PAUSE_SECONDS", 0.2)
    give(sites, range(1, 3))
    sync("littlegolem")
    assert len(sites.times) == 3
    assert min(after - before for before, after in pairwise(sites.times)) >= 0.2


@pytest.mark.parametrize(("site", "least"), [("playhex", 50), ("littlegolem", 1)])
def test_a_stop_keeps_what_was_fetched(sites: PlayerSites, site: str, least: int) -> None:
    give(sites, range(1, 121))

    done = sync(site, stopped=lambda: len(sites.asked) >= 3)
    assert done.stopped
    assert least <= done.added == len(stored_moves()) < 120
    assert sync(site).added == 120 - done.added
    assert stored_moves() == expected_moves(range(1, 121))


def test_a_site_that_lists_the_same_games_without_end(sites: PlayerSites) -> None:
    give(sites, range(1, 51))
    listed = sites._listed

    sites._listed = lambda query: listed(query | {"paginationPage": "0"})  # type: ignore[method-assign]
    with pytest.raises(fetching.FetchError, match="the same games again and again; 50 games added"):
        sync("playhex")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["playhex", "nobody"], "playhex.org: there is no player nobody"),
        (["littlegolem", "nobody"], "littlegolem.net: there is no player nobody"),
        (["littlegolem", "5"], "littlegolem.net: it lists no finished game of player 5"),
    ],
)
def test_players_that_are_not_there(
    sites: PlayerSites, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    assert main(["library", "sync", *words]) == 1
    assert capsys.readouterr().err.splitlines() == [f"hextui: {line}"]


def test_when_players_were_synced(sites: PlayerSites, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library", "sync"]) == 0
    assert capsys.readouterr().out == "no player was synced\n"
    give(sites, range(1, 3))
    begin = datetime.now(UTC).replace(microsecond=0)
    assert main(["library", "sync", "playhex", "Ann", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert begin <= datetime.fromisoformat(done["last"]) <= datetime.now(UTC)
    assert main(["library", "sync", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["syncs"]
    assert listed == {"site": "playhex.org", "id": ANN, "name": "Ann", "last": done["last"]}
    assert main(["library", "sync", "playhex"]) == 2


@pytest.mark.parametrize("text", ["", "[", "7", "[7, {}]", '[{"passed": 5}]', "\x00\xff"])
def test_damaged_notes_count_as_none(sites: PlayerSites, text: str) -> None:
    give(sites, range(1, 3))
    sync("playhex")
    library_file().with_suffix(".syncs").write_text(text, encoding="latin-1")
    assert syncs_of(library_file()) == []
    assert sync("playhex").added == 0
    assert len(syncs_of(library_file())) == 1


def test_a_new_library_gets_all_games_again(sites: PlayerSites) -> None:
    give(sites, range(1, 60))
    sync("playhex")
    library_file().unlink()
    assert sync("playhex").added == 59


@pytest.mark.parametrize("site", NAMES)
def test_a_kill_loses_nothing_that_was_stored(sites: PlayerSites, site: str) -> None:
    give(sites, range(1, 121))
    program = (
        "import pytest, sys; from tests.sites import sites_at; from hextui.commands import main;"
        "from hextui.library import sync_sites; sync_sites.PAUSE_SECONDS = 0.05;"
        f"sites_at(pytest.MonkeyPatch(), {sites.port});"
        f"sys.exit(main(['library', 'sync', '{site}', '{NAMES[site]}']))"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    while len(sites.asked) < 4 and child.poll() is None:
        pass
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = len(stored_moves())
    assert kept > 0
    assert sync(site).added == 120 - kept
    assert stored_moves() == expected_moves(range(1, 121))
