"""Whose proofs count: this user's own; what a file or another engine claims is shown apart.

Forged results are put wherever one could come from, and each is contradicted by exhaustive play.
Others are forged in tests of their own: solved positions (test_solution_cache.py), libraries
(ui/test_explorer.py), puzzles (ui/test_puzzles_screen.py), live engines (test_attached_live.py),
proofs in JSON (test_check.py), runs of other workers (test_received_runs.py).
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hextui import locations
from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, line_key
from hextui.analysis.mistakes import blunders, game_summary, opening_mistakes, review_entries
from hextui.analysis.review_notes import annotate
from hextui.analysis.stored_analysis import ReviewStore
from hextui.analysis.whole_game import analyse_game
from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, Verdict, VerdictKind
from hextui.engines.questions import Judge, Judged
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
from hextui.records.writing import save
from tests.analysis.games import line_of, played
from tests.oracles.winners import Exhaustive

MOVES = "d3 d1 b3 b1 b2 a1"
NAMES = ("resistance", "search:visits=8")
BOARD = Board(3, 4)


def game(moves: str = MOVES) -> Record:
    return Record.of_moves(BOARD, [Move.parse(word, BOARD) for word in moves.split()])


@cache
def oracle() -> Exhaustive:
    return Exhaustive(BOARD)


def truth(line: Sequence[GamePosition]) -> list[Color]:
    return [oracle().winner(here.position) for here in line]


def forged(own: Mapping[str, str], ply: int | None = None) -> Record:
    """Return the game with properties at one ply, or at all."""
    record = game()
    nodes = [node for node in record.main_line() if ply in (None, node.ply)]
    record.set_properties({node: {name: [text] for name, text in own.items()} for node in nodes})
    return read_sgf(write_sgf(record))


def lies(record: Record) -> Record:
    """Return the game in which each ply names the wrong winner, as 0.1.0 wrote it."""
    line = line_of(record)
    wrong = [str(color.opponent) for color in truth(line)]
    record.set_properties(
        {
            here.node: {"HXP": [f"{color} solver"], "HXS": ["600"]}
            for here, color in zip(line, wrong, strict=True)
        }
    )
    return read_sgf(write_sgf(record))


def read(record: Record) -> tuple[Sequence[GamePosition], Estimates]:
    return stored_analysis.stored_estimates(record)


def report(source: Path | str, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    words = ["report", str(source), "--evaluator", "resistance", "--solve", "60", "--json", *more]
    assert main(words) == 0
    return json.loads(capsys.readouterr().out)


FORGERIES: list[dict[str, str]] = [
    {"HXP": "black solver"},
    {"HXP": "white chain"},
    {"HXP": "white connection"},
    {"HXP": "black library"},
    {"HXP": "white engine mohex"},
    {"HXP": "unknown 3600"},
    {"HXW": "all a3"},
    {"HXW": "some a3 c3"},
    {"HXJ": "search:visits=8 0.99 winrate a3"},
    {"HXJ": "resistance 9.5 exact a3", "HXQ": "resistance 12 12 13"},
    {"HXB": "99.0"},
    {"HXS": "3600"},
    {"HXP": "black solver", "HXV": "0" * 64},
    {"HXP": "black solver", "HXV": ""},
]


@pytest.mark.parametrize("own", FORGERIES, ids=str)
def test_what_anybody_could_have_written_in_a_record_changes_nothing(own: dict[str, str]) -> None:
    line, found = read(forged(own))
    assert not any(found.verdict(here.position) for here in line)
    assert not any(found.verdicts.moves(here.position).by_cell for here in line)
    assert not any(found.complete(here, ()) or found.tried(here.position) for here in line)
    assert not any(found.balance(here.position) for here in line)
    assert (found.names, found.spent(line)) == ((), 0)
    assert review_entries(line, found, "resistance") == ()
    assert opening_mistakes(line, found) == ()
    assert not game_summary(line, found, 1.0).finished


def test_the_winners_that_a_record_names_are_its_claims() -> None:
    record = forged({"HXP": "black solver"})
    line, found = read(record)
    claim = ClaimedWinner(Color.BLACK, ClaimSource.RECORD)
    assert all(found.claims(here.position) == (claim,) for here in line)
    found.keep_verdict(line[2].position, Verdict(VerdictKind.SOLVER, Color.WHITE))
    assert found.claims(line[2].position) == ()
    assert found.claims(line[1].position) == (), "a move leads to it"
    assert found.claims(line[4].position) == (claim,)


@pytest.mark.parametrize("more", [(), ("--fresh",)])
def test_a_report_says_nothing_false(tmp_path: Path, capsys, more: tuple[str, ...]) -> None:
    path, clean = tmp_path / "forged.sgf", tmp_path / "clean.sgf"
    save(lies(game()), path)
    save(game(), clean)
    said = [report(source, capsys, *more) for source in (path, clean, path)]
    right = [str(color) for color in truth(line_of(game()))]
    for document in said:
        assert [ply["winner"] for ply in document["plies"]] == right
        assert document["claimed"] == []
    assert said[0]["mistakes"] == said[1]["mistakes"] == said[2]["mistakes"]


def test_without_a_proof_the_claims_are_listed_as_such(tmp_path: Path, capsys) -> None:
    path = tmp_path / "forged.sgf"
    path.write_text("(;GM[11]SZ[6]HXP[white solver];B[a1]HXP[black solver];W[b1]HXP[black chain])")
    words = ["report", str(path), "--evaluator", "resistance", "--solve", "0"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    claims = [{"winner": color, "by": "record", "engine": None} for color in ("white", "black")]
    listed = [{"from": 0, "to": 0, **claims[0]}, {"from": 1, "to": 2, **claims[1]}]
    assert document["claimed"] == listed
    assert [ply["claims"] for ply in document["plies"]] == [claims[:1], claims[1:], claims[1:]]
    assert not any(ply["winner"] for ply in document["plies"])
    assert document["proved"] == document["mistakes"] == []
    assert main(words) == 0
    text = capsys.readouterr().out
    listed_text = """Claimed, not proved

plies   wins  claimed by
0       Blue  the record
1 to 2  Red   the record
"""
    assert listed_text in text


# A review of one's own comes back


def reviewed() -> tuple[Record, Estimates]:
    record = game()
    line, found = line_of(record), Estimates()
    list(analyse_game(line, NAMES, found, solve_seconds=60.0))
    record.set_properties(stored_analysis.properties(line, NAMES, found))
    return read_sgf(write_sgf(record)), found


def winners(record: Record) -> list[Color | None]:
    line, found = read(record)
    verdicts = [found.verdict(here.position) for here in line]
    return [None if verdict is None else verdict.winner for verdict in verdicts]


def test_a_review_of_ones_own_is_proved_wherever_the_file_goes(tmp_path: Path) -> None:
    record, before = reviewed()
    line, found = read(record)
    assert winners(record) == truth(line)
    assert (found.names, found.spent(line)) == (("resistance",), 60.0)
    assert blunders(line, found)
    assert [b.moves for b in blunders(line, found)] == [
        b.moves for b in blunders(line_of(game()), before)
    ]
    assert all(found.quality(here, "resistance") for here in line if here.cell is not None)
    assert found.claims(line[0].position) == ()
    save(record, tmp_path / "moved.sgf")
    (step,) = analyse_game(line, NAMES, found, solve_seconds=60.0)
    assert step.done == step.total, "nothing is proved again"


def test_another_users_review_is_a_claim(tmp_path: Path, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("hextui.signing.state_folder", lambda: tmp_path / "theirs")
        record, _ = reviewed()
    line, found = read(record)
    assert winners(record) == [None] * len(line)
    claims = [found.claims(here.position) for here in line]
    assert [claim.winner for claimed in claims for claim in claimed] == truth(line)
    assert found.names == ()


def test_a_review_holds_for_its_positions_whatever_is_added_or_promoted() -> None:
    record, _ = reviewed()
    end = record.root.end()
    record.play(end, Move.parse("a2", BOARD))
    record.set_comment(end, "mine")
    other = record.play(record.main_line()[2], Move.parse("c2", BOARD))
    record = read_sgf(write_sgf(record))
    assert winners(record)[:7] == truth(line_of(game()))
    record.make_main(record.main_line()[2].children[1])
    assert other.ply == 3
    line, found = read(record)
    assert [bool(found.verdict(here.position)) for here in line[:3]] == [True] * 3
    assert found.spent(line) == 0, "the solver has not had this game"
    assert found.quality(line[2], "resistance") is None, "the ranks are those of another move"


@pytest.mark.parametrize("name", ["HXP", "HXJ", "HXW", "HXB", "HXQ", "HXS"])
def test_one_value_that_was_changed_is_not_used(name: str) -> None:
    record, _ = reviewed()
    node = next(node for node in record.main_line() if name in node.properties)
    ply = node.ply - (name == "HXQ")
    text = str(node.properties[name][0])
    digit = next(c for c in text if c.isdigit() or c in "bw")
    swapped = {"b": "w", "w": "b"}.get(digit, str((int(digit, 36) + 1) % 10))
    record.set_properties({node: {name: [text.replace(digit, swapped, 1)]}})
    line, found = read(record)
    match name:
        case "HXQ":
            assert found.quality(line[ply], "resistance") is None
        case "HXS":
            assert found.spent(line) == 0
        case _:
            assert not found.complete(line[ply], ())
            assert found.of(line[ply], "resistance") is None
            assert found.balance(line[ply].position) is None
    others = [here for here in line if here.ply != ply]
    assert sum(found.verdict(here.position) is not None for here in others) == len(others)


def test_a_signature_is_worth_nothing_at_another_position() -> None:
    record, _ = reviewed()
    first, second = record.main_line()[1:3]
    moved = {name: second.properties[name] for name in ("HXP", "HXV", "HXJ", "HXB", "HXW")}
    other = game("d2 d3 b3 b1")
    node = other.main_line()[2]
    other.set_properties({node: moved})
    line, found = read(other)
    assert found.verdict(line[2].position) is None
    assert found.names == ()
    assert first is not second


def test_a_review_written_over_a_forged_one_leaves_nothing_of_it() -> None:
    record = forged({"HXP": "black solver", "HXW": "all a3", "HXS": "9", "HXV": "00"})
    line, found = read(record)
    found.keep_verdict(line[2].position, Verdict(VerdictKind.SOLVER, Color.WHITE))
    beside = stored_analysis.properties(line, (), found)
    annotate(record, line, found, str, beside)
    again, read_again = read(read_sgf(write_sgf(record)))
    assert "all a3" not in write_sgf(record)
    assert all(read_again.claims(here.position) == () for here in again)


# Reviews on disk


def store_forged(line: Sequence[GamePosition], path: Path | None = None) -> None:
    """Store a review with the wrong winners, as 0.1.0 did."""
    own = [{"HXP": [f"{color.opponent} solver"]} for color in truth(line)]
    entry = {"spent": 600.0, "evaluators": {}, "plies": own, "mistakes": [[1]]}
    data, key = json.dumps(entry).encode(), line_key(line)
    with closing(ReviewStore(path)) as store:
        assert store._database is not None
        store._database.execute(
            "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, 0)",
            (key, data, zlib.crc32(key + data)),
        )


def test_a_review_that_is_not_signed_is_proved_again(tmp_path: Path) -> None:
    path, line, found = tmp_path / "reviews.sqlite", line_of(game()), Estimates()
    store_forged(line, path)
    with closing(ReviewStore(path)) as store:
        assert store.read(line, found)
        assert store.mistakes(game()) == ()
        assert not any(found.verdict(here.position) for here in line)
        assert found.spent(line) == 0
        list(analyse_game(line, ("resistance",), found, solve_seconds=60.0))
        store.keep(line, found)
        again = Estimates()
        assert not store.read(line, again)
        assert [again.verdicts.of(here.position) for here in line] == [
            found.verdicts.of(here.position) for here in line
        ]
        assert store.mistakes(game())
        assert store.problem == ""


def test_a_review_is_due_until_the_solver_has_had_its_time(tmp_path: Path) -> None:
    path, line = tmp_path / "reviews.sqlite", line_of(game())
    store_forged(line, path)
    with closing(ReviewStore(path)) as store:
        for spent, is_due in ((0.0, True), (10.0, True), (60.0, False)):
            found = Estimates()
            found.keep_balance(line[1].position, 0.5)
            found.keep_spent(line, spent)
            store.keep(line, found)
            assert store.read(line, Estimates()) is is_due
        assert store.problem == ""


def test_a_report_proves_a_stored_review_again(capsys) -> None:
    store_forged(line_of(game()))
    document = report(write_sgf(game()), capsys)
    right = [str(color) for color in truth(line_of(game()))]
    assert [ply["winner"] for ply in document["plies"]] == right


def test_reviews_of_another_user_are_not_used(tmp_path: Path, monkeypatch) -> None:
    path, line = tmp_path / "reviews.sqlite", line_of(game())
    _, found = reviewed()
    with monkeypatch.context() as patch:
        patch.setattr("hextui.signing.state_folder", lambda: tmp_path / "theirs")
        with closing(ReviewStore(path)) as store:
            store.keep(line, found)
    with closing(ReviewStore(path)) as store:
        again = Estimates()
        store.read(line, again)
        assert not any(again.verdict(here.position) for here in line)
        assert "ignored" in store.problem
        store.keep(line, found)
    with closing(ReviewStore(path)) as store:
        assert not store.read(line, again)
        assert again.verdict(line[0].position)


# Other engines


class LyingEngine:
    """An attached engine that claims the same winner of every position."""

    winner = Color.WHITE

    def answers(self, question, stop):
        assert isinstance(question, Judge)
        claim = ClaimedWinner(self.winner, ClaimSource.ENGINE, "liar")
        verdict = Verdict(VerdictKind.SOLVER, self.winner)
        yield Judged(verdict, proved=dict.fromkeys(question.position.empties, True), claim=claim)

    def close(self) -> None:
        pass


def analysed_beside_a_liar(line: Sequence[GamePosition], seconds: float) -> Estimates:
    found, liar = Estimates(), LyingEngine()

    def others(name: str) -> Any:
        return liar if name == "engine(liar)" else None

    names = ("resistance", "engine(liar)")
    list(analyse_game(line, names, found, solve_seconds=seconds, others=others))
    return found


def test_what_an_engine_claims_is_shown_with_its_name() -> None:
    line = played("a1 b1", side=6)
    found = analysed_beside_a_liar(line, 0.0)
    claim = ClaimedWinner(Color.WHITE, ClaimSource.ENGINE, "liar")
    assert [found.claims(here.position) for here in line] == [(claim,)] * 3
    assert not any(found.verdict(here.position) for here in line)
    assert not any(found.verdicts.moves(here.position).by_cell for here in line)


def test_what_an_engine_claims_never_ends_the_search_for_a_proof() -> None:
    line = line_of(game())
    found = analysed_beside_a_liar(line, 60.0)
    verdicts = [found.verdict(here.position) for here in line]
    assert [verdict and verdict.winner for verdict in verdicts] == truth(line)
    assert not any(found.claims(here.position) for here in line)


def test_the_folder_of_the_key_is_private() -> None:
    reviewed()
    locations.check_private_file(locations.state_folder() / "proofs.key")
