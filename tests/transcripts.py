"""Transcripts of real programs: ``protocols`` in the folder that ``HEXTUI_TEST_DATA`` names.

Files of lines: seconds, ``IN``, ``OUT`` or ``ERR`` (``GUI`` and ``ENG`` where a program stood
between), and the text as a literal of Python.
"""

import ast
import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

_DATA = os.environ.get("HEXTUI_TEST_DATA", "")
TRANSCRIPTS = sorted(Path(_DATA, "protocols").glob("*.log")) if _DATA else []
with_transcripts = pytest.mark.skipif(
    not TRANSCRIPTS, reason="HEXTUI_TEST_DATA names no folder of transcripts"
)


def of(path: Path, *kinds: str) -> Iterable[tuple[str, str]]:
    for line in path.read_text().splitlines():
        found = re.match(r"\s*[\d.]+ (\S+)\s+(['\"].*['\"])$", line)
        if found and found[1] in kinds:
            yield found[1], ast.literal_eval(found[2])


def commands(path: Path) -> list[str]:
    """Return the commands of a transcript that are answered."""
    sent = "\n".join(text for _, text in of(path, "IN", "GUI")).split("\n")
    return [text.strip() for text in sent if text.strip() and not text.startswith(("#", "<"))]
