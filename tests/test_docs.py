"""The documents: every link leads somewhere, every citation can be opened, nothing is left out."""

import json
import re
import shlex
import shutil
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args, get_type_hints
from urllib.parse import urlsplit

import pytest
from textual.keys import _character_to_key

import hextui
from hextui.commands import main
from hextui.commands.command_list import COMMANDS
from hextui.engine.evaluators import names
from hextui.ui.app.main_screen import all_actions
from hextui.ui.app.settings import Settings
from hextui.ui.panels.all_panels import PANELS

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
    assert len(text.split()) <= 920
    assert 0 < text.index("![") < text.index("## ")


def test_the_docs_are_short_and_only_methods_is_long() -> None:
    words = {path.stem: len(path.read_text("utf-8").split()) for path in ROOT.glob("docs/*.md")}
    assert sum(words.values()) <= 20_000
    assert [name for name, count in words.items() if count > 2_500] == ["methods"]


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
    " ": "space",
    "PgDn": "pagedown",
    "PgUp": "pageup",
    "arrow keys": "up",
    **{sign: _character_to_key(sign) for sign in string.punctuation},
}
"""What the docs call a key, and its name in the program."""


def keys_in(text: str) -> set[str]:
    """Return the names of the keys that a text mentions."""
    signs = re.findall(r"`(\S)`", text)
    words = re.findall(r"\b(?:Ctrl\+\w+|Tab|Enter|Escape|Space|Home|End|Delete|F\d+)\b", text)
    words += [word for word in KEYS if len(word) > 1 and word in text]
    return {KEYS.get(word, word if len(word) == 1 else word.lower()) for word in signs + words}


def test_every_key_of_the_screen_is_in_the_tour() -> None:
    tour = (ROOT / "docs" / "tour.md").read_text("utf-8")
    assert "F2 to F10 and F12 go to a panel" in tour
    assert [panel.TITLE for panel in PANELS if panel.TITLE not in tour] == []
    told = keys_in(tour) | {"shift+tab", *(f"f{number}" for number in (*range(2, 11), 12))}
    missing = [action.id for action in all_actions() if told.isdisjoint(action.keys.split(","))]
    assert sorted(missing) == ["down", "left", "right"]  # the other arrow keys


def test_the_free_keys_are_free() -> None:
    text = (ROOT / "docs" / "contributing.md").read_text("utf-8")
    signs = text.partition("Free keys: ")[2].partition("``")[2].partition("``")[0]
    bound = {key for action in all_actions() for key in action.keys.split(",")}
    assert len(signs.split()) > 3
    assert [sign for sign in signs.split() if _character_to_key(sign) in bound] == []


def test_every_setting_is_in_the_settings_page() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    document = tomllib.loads(page.partition("```toml")[2].partition("```")[0])
    written = {f"{table}.{key}" for table, values in document.items() for key in values}
    hints = get_type_hints(Settings, include_extras=True)
    assert {get_args(hint)[1] for hint in hints.values()} - written == set()


def test_every_option_that_the_docs_name_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    options = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    named = set()
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        for code in re.findall(r"`[^`\n]+`|^    hextui .*", page.read_text("utf-8"), re.MULTILINE):
            named |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", code))
    assert len(named) > 50
    assert named - options == {"--benchmark-timer", "--largest"}  # of benchmarks


def test_the_keys_of_the_readme_are_those_of_the_screen() -> None:
    rows = re.findall(r"^\| (.*) \| .* \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    told = {key for row in rows for key in keys_in(row)}
    bound = {key for action in all_actions() for key in action.keys.split(",")}
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
