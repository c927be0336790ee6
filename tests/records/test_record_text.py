"""SGF's escapes, and what is safe to show."""

import json

from hypothesis import given
from hypothesis import strategies as st

from hextui.records.record_text import (
    escape,
    json_text,
    printable,
    shorten,
    unescape,
    unescape_line,
)

CONTROLS = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F))}


@given(st.text())
def test_escaping(text: str) -> None:
    raw = escape(text)
    plain = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    shown = "".join(" " if c.isspace() and c != "\n" else c for c in plain)
    assert unescape(raw).encode(errors="replace") == shown.encode(errors="replace")
    assert "\n" not in unescape_line(raw)


@given(st.text())
def test_printable_text_holds_no_control(text: str) -> None:
    for shown in (printable(text), printable(text, keep_lines=True).replace("\n", "")):
        assert all(c.isprintable() or c.isspace() or ord(c) > 0x7F for c in shown)
        assert not set(shown) & set(
            map(chr, [*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F)])
        )


def test_printable_text() -> None:
    assert printable("Zoë \x1b[2J\x9b1m\u202eabc\x00\tx\ny") == (
        "Zoë \\x1b[2J\\x9b1m\\u202eabc\\x00 x y"
    )
    assert printable("a\nb\r\nc", keep_lines=True) == "a\nb\nc"
    assert printable("\ud800") == "\\ud800"
    assert shorten("abcdef", 5) == "ab..."


def test_a_line_that_ends_with_a_backslash_keeps_its_break() -> None:
    text = "a\\\nb\\\\\n\\]"
    assert unescape(escape(text)) == text


@given(st.text())
def test_json_holds_no_control_and_is_read_as_it_was(text: str) -> None:
    written = json_text([text])
    assert not set(written) & CONTROLS
    assert json.loads(written) == [text]
