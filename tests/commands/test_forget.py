"""What is kept is shown with its size and place, and removed when its name is typed."""

from pathlib import Path

import pytest

from hextui import locations
from hextui.kept_files import KEPT

FILES = {
    "settings": (locations.config_file,),
    "library": (locations.library_file, locations.library_claims_file),
    "puzzles": (locations.mistakes_file,),
    "studies": (lambda: locations.studies_folder() / "match-1" / "rows",),
    "games": (locations.games_file,),
    "training": (locations.training_file,),
    "reviews": (locations.reviews_file, lambda: locations.state_folder() / "reviews.claims"),
    "session": (lambda: locations.state_folder() / "recovery" / "1.json",),
    "cache": (lambda: locations.cache_folder() / "kernels" / "1" / "code",),
}
SIZE = 1000


@pytest.fixture(params=["folders", "one folder"])
def files(request, tmp_path: Path, monkeypatch) -> dict[str, list[Path]]:
    """One file or two of every kind, in a home of its own, or all in one folder as on macOS."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HEXTUI_HOME", str(home))
    if request.param == "one folder":
        (tmp_path / "one").mkdir()
        for name in ("config", "data", "state"):
            (home / name).symlink_to(tmp_path / "one", target_is_directory=True)
    made = {name: [path() for path in paths] for name, paths in FILES.items()}
    for paths in made.values():
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"#" * SIZE)
    return made


def test_info_shows_the_size_and_place_of_all_that_is_kept(files, document) -> None:
    assert set(FILES) == set(KEPT)
    for kept in document("info")["kept"]:
        paths = files[kept["name"]]
        assert kept["bytes"] == SIZE * len(paths)
        assert all(Path(kept["folder"]) in path.parents for path in paths)


@pytest.mark.parametrize("name", FILES)
def test_forget_removes_what_is_named_and_nothing_else(run, files, name: str) -> None:
    code, out, _ = run("forget", name)
    assert code == 0
    for kind, paths in files.items():
        assert [path.exists() for path in paths] == [kind != name] * len(paths), kind
    assert out.count("removed ") == len(out.splitlines())


def test_forgetting_everything_leaves_nothing(run, files) -> None:
    run("forget", *KEPT)
    home = locations.config_file().parent.parent
    assert not [path for path in home.rglob("*") if not path.is_symlink() and path.is_file()]
    code, out, _ = run("forget", *KEPT)
    assert (code, out) == (0, "nothing to remove\n")


def test_nothing_is_removed_without_its_name(run, files) -> None:
    for words in ((), ("librar",), ("library", "all")):
        code, _, err = run("forget", *words)
        assert code == 2
        assert len(err.splitlines()) == 1
    assert all(path.exists() for paths in files.values() for path in paths)


def test_what_a_link_leads_to_stays(run, files, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine.sgf").touch()
    (locations.data_folder() / "library.old").symlink_to(outside, target_is_directory=True)
    run("forget", "library")
    assert (outside / "mine.sgf").exists()
