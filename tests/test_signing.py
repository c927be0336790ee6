"""Signatures: the same key for the same user, another one where others may know it."""

import os
from pathlib import Path

import pytest

from hextui import locations, signing
from hextui.signing import Signer
from tests.compiling import use_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_home(monkeypatch, tmp_path / "home")
    return tmp_path / "home"


def test_a_user_signs_the_same_in_the_same_way(home: Path) -> None:
    first = Signer("a.key").sign("x", {"b": 1, "a": [2.5, None]})
    assert Signer("a.key").sign("x", {"a": [2.5, None], "b": 1}) == first
    assert Signer("a.key").sign("y", {"a": [2.5, None], "b": 1}) != first
    assert Signer("b.key").sign("x", {"b": 1, "a": [2.5, None]}) != first
    key = home / "state" / "a.key"
    assert (key.stat().st_size, key.stat().st_mode & 0o777) == (32, 0o600)
    assert sorted(path.name for path in key.parent.iterdir()) == ["a.key", "b.key"]


def test_another_home_signs_otherwise(home: Path, tmp_path: Path, monkeypatch) -> None:
    first = Signer("a.key").sign("x")
    use_home(monkeypatch, tmp_path / "other")
    assert Signer("a.key").sign("x") != first


def expose(key: Path) -> None:
    key.chmod(0o666)


def shorten(key: Path) -> None:
    key.write_bytes(b"short")


def link(key: Path) -> None:
    key.rename(key.with_name("elsewhere"))
    key.symlink_to("elsewhere")


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
@pytest.mark.parametrize("damage", [expose, shorten, link])
def test_a_key_that_others_may_know_is_replaced(home: Path, damage) -> None:
    first = Signer("a.key").sign("x")
    damage(home / "state" / "a.key")
    second = Signer("a.key").sign("x")
    assert second != first
    assert Signer("a.key").sign("x") == second
    locations.check_private_file(home / "state" / "a.key")


def test_without_a_folder_signatures_hold_for_the_process(home: Path) -> None:
    home.write_text("a file")
    assert Signer("a.key").sign("x") == Signer("b.key").sign("x")
    assert Signer("a.key").problem.startswith(f"{home}/state/a.key: ")


def test_a_key_that_cannot_be_read_now_stays(home: Path, monkeypatch) -> None:
    first = Signer("a.key").sign("x")
    with monkeypatch.context() as patch:
        patch.setattr(signing, "open_private_file", lambda path: os.open(f"{path}/x", os.O_RDONLY))
        assert Signer("a.key").sign("x") != first
    assert Signer("a.key").sign("x") == first
