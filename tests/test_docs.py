"""The documents: every link leads somewhere, every citation can be opened, nothing is left out."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import hextui
from hextui.commands import main
from hextui.commands.command_list import COMMANDS
from hextui.engine.evaluators import names
from hextui.ui.app.main_screen import screen_actions

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md")),
    *sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("research/*.md")]),
]
NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))
SOURCES = sorted(
    path
    for name in ("hextui", "tests", "research", "docs")
    for path in ROOT.glob(f"{name}/**/*.py")
)

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")
_CITED = re.compile(r"\bdocs/[\w./-]*\w(?:#[\w-]+)?")
# what a reader cannot open, and what a merge leaves behind
_CLOSED = re.compile(
    r"(science|design) notes|\bseed 0\d\d|\bits document\b|^<{7} |^>{7} ",
    re.IGNORECASE | re.MULTILINE,
)


def text_of(page: Path) -> str:
    """Return the prose of a page, or of a notebook's cells, without code."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"^```.*?^```|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE)


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """Return the anchors that a reader's browser makes of the headings."""
    without_code = re.sub(
        r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    headings = re.findall(r"^#+ (.*)$", without_code, re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings
    )


def why_not(target: str, start: Path) -> str:
    """Return what is wrong with a link in a file of the folder ``start``, '' if nothing is."""
    if target.startswith(("http://", "https://")):
        parts = urlsplit(target)
        return "" if re.fullmatch(r"[\w.-]+(\.\w+|:\d+)", parts.netloc) else "no address"
    name, _, anchor = target.partition("#")
    path = (start / name).resolve()
    if not path.is_file():
        return "no such file"
    if anchor and (path.suffix != ".md" or anchor not in anchors_of(path)):
        return "no such heading"
    return ""


@pytest.mark.parametrize("page", PAGES + NOTEBOOKS, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = text_of(page)
    # a link to a heading of the same page names no file
    targets = [page.name + t if t.startswith("#") else t for t in _LINK.findall(text)]
    targets += _ADDRESS.findall(re.sub(_LINK, "", text))
    assert {t: why_not(t, page.parent) for t in targets if why_not(t, page.parent)} == {}


def citations() -> Iterator[tuple[str, str]]:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        for found in _CITED.findall(text):
            yield str(source.relative_to(ROOT)), found


def test_every_citation_of_the_docs_in_code_can_be_opened() -> None:
    found = list(citations())
    assert len(found) > 30
    assert [(where, c) for where, c in found if why_not(c, ROOT)] == []


def test_code_cites_nothing_that_no_reader_has() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        if source != Path(__file__):
            assert not _CLOSED.findall(text), source
            assert "paper" not in text.lower() or _opens_the_paper(text), source


def _opens_the_paper(text: str) -> bool:
    told = ("https://hdl.handle.net/2115/51049", "https://doi.org/", "docs/methods.md")
    of_colours_only = not re.search(r"\b(the|a|2010) paper", text)
    return of_colours_only or any(address in text for address in told)


def test_the_readme_is_short_and_shows_a_picture_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 1000
    assert 0 < text.index("![") < text.index("## ")


def test_every_reference_is_numbered_and_cited() -> None:
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    body, references = text.split("## References")
    numbers = [int(n) for n in re.findall(r"^(\d+)\. ", references, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    cited = {int(n) for n in re.findall(r"(?<!\w)\[(\d+)[\],]", body)}
    assert cited == set(numbers)
    entries = re.split(r"^\d+\. ", references, flags=re.MULTILINE)[1:]
    assert [e.strip()[:40] for e in entries if not _ADDRESS.search(e)] == []


def test_what_there_is_is_told() -> None:
    commands = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`hextui {name}" not in commands] == []
    methods = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    assert [n for n in names() if n.partition(":")[0].rpartition("-")[0] not in methods] == []
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [n for n in hextui.__all__ if not re.search(rf"\b{n}\b", api)] == []
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [p for p in (ROOT / "docs").glob("*.md") if f"docs/{p.name}" not in readme] == []


KEYS = {
    ",": "comma",
    ".": "full_stop",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "?": "question_mark",
}


def test_the_keys_of_the_readme_are_those_of_the_screen() -> None:
    rows = re.findall(r"^\| (.*) \| .* \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    told = {KEYS.get(key, key) for row in rows for key in re.findall(r"`(\S)`", row)}
    told |= {word.lower() for row in rows for word in re.findall(r"Ctrl\+\S|Tab", row)}
    bound = {key for action in screen_actions() for key in action.keys.split(",")}
    bound.add("ctrl+p")  # Textual's own
    assert len(told) > 12
    assert told <= bound


def test_the_commands_of_the_readme_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "hextui" / "samples" / "sample.sgf", "game.sgf")
    lines = re.findall(
        r"^    (hextui \w+ .*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(lines) >= 5
    for line in lines:
        # a report may spend a minute on proofs
        sooner = ["--solve", "0.05", "--evaluator", "resistance"] if " report " in line else []
        assert main(shlex.split(line, comments=True)[1:] + sooner) == 0, line
        assert capsys.readouterr().out or "-o" in line
    assert (tmp_path / "game.svg").read_text("utf-8").startswith("<svg")


def test_wrong_links_are_seen() -> None:
    docs = ROOT / "docs"
    assert why_not("methods.md#resistance", docs) == ""
    assert why_not("methods.md#no-such", docs) == "no such heading"
    assert why_not("none.md", docs) == "no such file"
    assert why_not("https://nowhere", docs) == "no address"
