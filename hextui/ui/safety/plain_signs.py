"""Signs in place of those that a terminal's encoding lacks: as wide, so that columns stay.

Python would write ``\\u2713`` for one column, and all that follows on the line would be elsewhere.
"""

import codecs
from io import TextIOWrapper
from typing import IO

from rich.cells import cell_len

_NAME = "hextui.plain-signs"
_SIGNS = {
    "✓": "+",
    "•": "*",
    "…": ".",
    "▲": "^",
    "▼": "v",
    # halves of a field: what is behind them is seen
    "▀": " ",
    "▄": " ",
    **dict.fromkeys("█▇▆▅▉▊▋", "#"),
    **dict.fromkeys("▌▍▎▏▐▕│┃║╎╏╵╷╹╻", "|"),
    **dict.fromkeys("▁▂▃", "_"),
    **dict.fromkeys("▔─━═╌╍╴╶╸╺", "-"),
    **dict.fromkeys("┌┏┐┓└┗┘┛├┣┤┫┬┳┴┷┻┼╋╭╮╯╰╔╗╚╝╪╫", "+"),
}


def plain_signs(text: str) -> str:
    """Return ``text`` in ASCII, each character as wide as it was; ``?`` for what has no sign.

    >>> plain_signs("✓b3 ██▌ 白")
    '+b3 ##| ??'
    """
    return "".join(c if c.isascii() else _SIGNS.get(c, "?" * cell_len(c)) for c in text)


def write_plain_signs(file: IO[str]) -> None:
    """Have a file write plain signs for what its encoding lacks."""
    if isinstance(file, TextIOWrapper):
        file.reconfigure(errors=_NAME)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain_signs(error.object[error.start : error.end]), error.end


codecs.register_error(_NAME, _replace)
