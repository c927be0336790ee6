"""Diagrams and links of positions, and the command that writes them."""

import re
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import resvg_py

from hextui.commands import main
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.records.board_view import BoardView, Connected
from hextui.records.codecs import diagrams
from hextui.records.codecs.diagrams import text_diagram
from hextui.records.codecs.hexworld import HexWorld
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.tree import Node
from hextui.records.writing import export, export_form_of
from hextui.text import Names

SGF = "(;GM[11]SZ[4:3];B[a1];W[b2];B[d3]TR[b1]LB[a1:7])"


def text_of(record: Record, node: Node, form: str, **options: Any) -> str:
    """Return an export that is text."""
    text = export(record, node, form, **options)
    assert isinstance(text, str)
    return text


def test_text() -> None:
    record = read_record("#4x3,a1b2d3")
    assert text_diagram(BoardView(record.position(record.root.end())), Names.RED_BLUE) == (
        "  a b c d\n 1 B . . . 1\n  2 . W . . 2\n   3 . . . B 3\n     a b c d\n"
        "B Red (top to bottom), W Blue (left to right), . empty\n"
    )
    assert text_diagram(BoardView(Position.empty(record.board)), Names.RED_BLUE).endswith(
        "     a b c d\n"
    )


def test_hexwiki_writes_rows_before_columns() -> None:
    record = read_record(SGF)
    text = text_of(record, record.root.end(), "hexwiki")
    assert text == '<hexboard size="3x4" contents="R 7:a1 d3 B b2 E +:b1"/>\n'
    numbered = text_of(read_record("#4x3,a1b2d3"), read_record(SGF).root, "hexwiki")
    assert "R" not in numbered.partition("contents")[2]


def test_svg_holds_every_cell_stone_and_name() -> None:
    record = read_record(SGF)
    tree = ET.fromstring(text_of(record, record.root.end(), "svg", numbers=True))
    name = "{http://www.w3.org/2000/svg}"
    assert len(tree.findall(f"{name}polygon")) == 12
    assert len(tree.findall(f"{name}circle")) == 3
    texts = [text.text for text in tree.findall(f"{name}text")]
    assert {"7", "2", "3", "▲"} <= set(texts[:4])
    assert texts.count("a") == 2
    width, height = float(tree.get("width", "0")), float(tree.get("height", "0"))
    for polygon in tree.findall(f"{name}polygon"):
        for x, y in re.findall(r"([\d.]+),([\d.]+)", polygon.get("points", "")):
            assert 0 < float(x) < width
            assert 0 < float(y) < height


def drawn(**shown: Any) -> ET.Element:
    record = read_record("#5,c3b2")
    end = record.root.end()
    view = BoardView(record.position(end), **shown)
    return ET.fromstring(text_of(record, end, "svg", shown=[view]))


def attributes(tree: ET.Element, name: str, attribute: str) -> list[str]:
    return [one.get(attribute, "") for one in tree.findall("{http://www.w3.org/2000/svg}" + name)]


def test_svg_carries_what_is_shown() -> None:
    plain = drawn()
    cells = attributes(plain, "polygon", "fill")
    heat = attributes(drawn(heat={0: 1.0, 4: 0.0}), "polygon", "fill")
    assert {at for at in range(25) if heat[at] != cells[at]} == {0, 4}
    proved = drawn(verdicts={0: True, 4: False}, labels={0: "1"})
    fills = attributes(proved, "polygon", "fill")
    assert len({fills[0], fills[4], cells[0]}) == 3
    checks = set(attributes(proved, "polyline", "stroke")) - set(
        attributes(plain, "polyline", "stroke")
    )
    assert len(checks) == 1
    ringed = drawn(played=0, last_move=12)
    assert len(attributes(ringed, "circle", "r")) == len(attributes(plain, "circle", "r")) + 2
    must = drawn(must_play=frozenset({0, 1}))
    assert len(attributes(must, "polygon", "fill")) == 27
    told = drawn(legend="rank by <one>")
    texts = [text.text for text in told.iter() if text.text]
    assert "rank by <one>" in texts
    assert float(told.get("height", "0")) > float(plain.get("height", "0"))


def test_a_carrier_has_one_outline_around_all_its_cells() -> None:
    before = len(attributes(drawn(), "polyline", "points"))
    for carrier, sides in (({6}, 6), ({1, 2}, 10), ({6, 7, 2}, 12)):
        tree = drawn(connected=Connected(Color.WHITE, frozenset(carrier)))
        assert len(attributes(tree, "polyline", "points")) == before + sides


def test_text_and_wiki_carry_what_they_can() -> None:
    record = read_record("#4x3,a1b2d3")
    end = record.root.end()
    view = BoardView(
        record.position(end),
        labels={1: "1", 2: "12"},
        verdicts={2: True, 3: False},
        connected=Connected(Color.BLACK, frozenset({4, 6}), key=6),
        must_play=frozenset({7}),
        played=8,
        source="rank by one",
    )
    assert text_diagram(view, Names.RED_BLUE) == (
        "  a b c d\n 1 B 1 + - 1\n  2 * W @ : 2\n   3 o . . B 3\n     a b c d\n"
        "B Red (top to bottom), W Blue (left to right), . empty\n"
        "1 2 rank by one, + wins, - loses, @ key, * carrier, : must-play, o played next\n"
    )
    assert text_of(record, end, "hexwiki", shown=[view]) == (
        '<hexboard size="3x4" contents="R a1 d3 B b2 E 1:b1 12:c1"/>\n'
    )
    view = BoardView(record.position(end), verdicts={2: True, 3: False})
    wins = text_of(record, end, "hexwiki", shown=[view])
    assert 'E *:c1"' in wins


@pytest.mark.parametrize("label", ["\0", "\x1b[2J", "\x85", "\ufffe", "\uffff", "\u202e", '<"&>'])
def test_labels_of_any_characters_are_drawn(label: str) -> None:
    record = read_record(SGF.replace("a1:7", "a1:7" + label))
    svg = text_of(record, record.root.end(), "svg")
    ET.fromstring(svg)
    assert "\u202e" not in svg
    wiki = text_of(record, record.root.end(), "hexwiki")
    assert wiki.rstrip("\n").isprintable()


def test_a_link_that_would_say_something_else_is_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = read_record(SGF)
    monkeypatch.setattr(HexWorld, "write", lambda *_: "#4x3,a1")
    with pytest.raises(RecordError, match="would not read back"):
        export(record, record.root.end(), "hexworld")


def test_png_shows_the_texts_whatever_fonts_a_system_has(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", partial(draw, skip_system_fonts=True))
    record = read_record(
        "(;FF[4]GM[11]SZ[3];B[a1];W[b2]LB[a3:x][b3:\u0142]TR[c1]SQ[c2]CR[c3]MA[a2])"
    )
    svg = text_of(record, record.root.end(), "svg", numbers=True)
    texts = re.findall("<text.*?</text>", svg)
    assert len(texts) == 12 + 2 + 6
    data = export(record, record.root.end(), "png", numbers=True)
    assert isinstance(data, bytes)
    assert data.startswith(b"\x89PNG")
    for text in texts:
        less = svg.replace(text, "")
        monkeypatch.setattr(diagrams, "svg_diagram", lambda *_, less=less: less)
        assert export(record, record.root.end(), "png", numbers=True) != data, text


def test_a_file_without_a_known_ending() -> None:
    with pytest.raises(RecordError, match=r"\.svg"):
        export_form_of(Path("x.doc"))
    with pytest.raises(RecordError, match=r"ends in .*\.url, \.json, \.csv$"):
        export_form_of(Path("x.doc"), (".json", ".csv"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "#5,a1b2", "--as", "hexworld"]) == 0
    assert capsys.readouterr().out == "https://hexworld.org/board/#5,a1b2\n"
    target = tmp_path / "a.svg"
    assert main(["export", "#5,a1b2", "--ply", "1", "-o", str(target)]) == 0
    assert target.read_text().count("<circle") == 1
    assert main(["export", "#5,a1b2", "--ply", "9"]) == 2
    assert main(["export", "#5,a1b2", "-o", str(tmp_path / "a.doc")]) == 2
    assert main(["export", "nonsense"]) == 2
    assert "Traceback" not in capsys.readouterr().err
