"""Which games are to be counted, as one types it: ``cup 2019``, ``player=ann size=11 least=2``."""

from hextui.library.answers import Filter
from hextui.ui.files import read_size

_NAMES = ("player", "event", "date", "size", "results", "least")
_ANYWHERE = ""
_CONTRADICTING = "contradicting"


def filter_text(chosen: Filter) -> str:
    """Return a filter as one types it: ``cup 2019``, ``player=ann event=cup date=2019``."""
    named = (("player", chosen.player), ("event", chosen.event), ("date", chosen.date))
    words = [chosen.words] if chosen.words else []
    words += [f"{name}={value}" for name, value in named if value]
    if chosen.contradicting:
        words.append(f"results={_CONTRADICTING}")
    if chosen.board is not None:
        words.append(f"size={chosen.board}")
    if chosen.least > 1:
        words.append(f"least={chosen.least}")
    return " ".join(words)


def read_filter(text: str) -> Filter:
    """Read what `filter_text` writes; words without a name belong to the last one.

    Words before any name are to be found in whatever a list shows of a game.

    Raises ValueError for a name that is none, and for results that are not ``contradicting``.
    """
    words = _words(text)
    board = read_size(words["size"]) if words.get("size") else None
    least = words.get("least") or "1"
    if not (least.isascii() and least.isdigit() and 0 < int(least) < 10**9):
        raise ValueError(f"least is a number of games, 1 or more, not {least!r}")
    results = words.get("results", "")
    if results not in ("", _CONTRADICTING):
        raise ValueError(f"results can be {_CONTRADICTING}, not {results!r}")
    return Filter(
        words.get("player") or None,
        words.get("event") or None,
        words.get("date") or None,
        board,
        contradicting=bool(results),
        least=int(least),
        words=words.get(_ANYWHERE) or None,
    )


def _words(text: str) -> dict[str, str]:
    """Return the words of a filter by the name before them; raises ValueError if it is none."""
    values: dict[str, list[str]] = {}
    name = _ANYWHERE
    for word in text.split():
        before, equals, value = word.partition("=")
        if equals:
            name = before.lower()
            if name not in _NAMES:
                raise ValueError(f"{before!r} is none of {', '.join(_NAMES)}")
            values[name] = [value]
        else:
            values.setdefault(name, []).append(word)
    return {name: " ".join(words) for name, words in values.items()}
