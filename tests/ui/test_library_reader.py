"""Reading the library for its screen: a reading that is stopped ends, the next one is whole."""

import asyncio
import threading
from pathlib import Path

import pytest

from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board
from hextui.library.filters import games_filter
from hextui.library.library import Library
from hextui.library.schema import LibraryError, reported
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.ui.screens.library_columns import Listing
from hextui.ui.screens.library_reader import LibraryReader
from tests.library.generated import write_games

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


async def test_a_new_reading_ends_the_one_before(tmp_path: Path) -> None:
    write_games(tmp_path / "games.jsonl", 300, Board(5, 5), seed=1)
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([tmp_path / "games.jsonl"])
        count = library.count()
    reader = LibraryReader(tmp_path / "library.sqlite", Names.RED_BLUE, None)
    listings = [Listing(chosen=games_filter(word)) for word in ("a", "an", "ann", "anna")]
    whole = [await reader.page(listing, "", 60, 0) for listing in listings]
    before = [asyncio.create_task(reader.page(listing, "", 60, 0)) for listing in listings]
    await asyncio.sleep(0)
    games, in_all = await reader.page(Listing(), "", 60, 0)
    assert (len(games), in_all) == (60, count)
    ended = await asyncio.gather(*before, return_exceptions=True)
    for page, complete in zip(ended, whole, strict=True):
        # one that was read before it could be ended is whole
        assert page == complete or isinstance(page, RecordError)


@pytest.mark.parametrize("mine", [True, False])
async def test_no_further_game_is_looked_up_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: bool
) -> None:
    names = '"playerRed": "Ann", "playerBlue": "Bo"'
    games = [f'{{"size": 5, {names}, "moves": "a1 b{row}"}}' for row in range(1, 6)]
    (tmp_path / "games.jsonl").write_text("\n".join(games))
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([tmp_path / "games.jsonl"])
    ReviewStore(tmp_path / "reviews.sqlite").close()
    reader = LibraryReader(tmp_path / "library.sqlite", Names.RED_BLUE, tmp_path / "reviews.sqlite")
    looked_up = []

    def mistakes(store: ReviewStore, record: Record) -> tuple[tuple[int, ...], ...]:
        looked_up.append(record)
        reader.stop()
        return ()

    assert (await reader.page(Listing(mine), "ann", 60, 0))[1] == (0 if mine else 5)
    monkeypatch.setattr(ReviewStore, "mistakes", mistakes)
    with pytest.raises(RecordError, match="stopped"):
        await reader.page(Listing(mine), "ann", 60, 0)
    assert len(looked_up) == 1


async def test_without_a_library_there_are_no_games(tmp_path: Path) -> None:
    reader = LibraryReader(tmp_path / "none.sqlite", Names.RED_BLUE, None)
    assert await reader.page(Listing(), "", 60, 0) == ([], 0)
    assert not reader.path.exists()


def test_a_query_of_another_thread_is_ended(tmp_path: Path) -> None:
    opened = threading.Event()
    seen = threading.Event()
    libraries: list[Library] = []
    errors: list[LibraryError] = []

    def query() -> None:
        with Library(tmp_path / "library.sqlite") as library:
            libraries.append(library)
            opened.set()
            with pytest.raises(LibraryError) as raised, reported(library.path):
                library._database.execute(ENDLESS).fetchall()
            errors.append(raised.value)
            seen.wait()  # a library that is closed cannot be interrupted

    thread = threading.Thread(target=query)
    thread.start()
    opened.wait()
    while not errors:
        libraries[0].interrupt()
        thread.join(0.01)
    seen.set()
    thread.join()
    assert "interrupted" in str(errors[0])
