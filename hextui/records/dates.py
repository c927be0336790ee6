"""Dates of games in any of the ways that files write them, as ISO 8601 has them."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from itertools import permutations

from hextui.text import visible

_MONTHS = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_ISO = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}")
_WORD = "(?P<month>[A-Za-z]{3,9})"
_DAY = "(?P<day>[0-9]{1,2})"
_MONTH = "(?P<month>[0-9]{1,2})"
_YEAR = "(?P<year>[0-9]{4})(?![0-9])"
_ENDING = "(?:st|nd|rd|th)?"
_WEEKDAY = "(?:[A-Za-z]{3,9},? +)?"
_CLOCK = "(?:[0-9:]{5,8} +(?:[A-Z]+ +)?)?"
_FORMS = [
    re.compile(form)
    for form in (
        rf"{_YEAR}\s*[-/.\u5e74]\s*{_MONTH}(?:\s*[-/.\u6708]\s*{_DAY})?(?![0-9])",
        r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})(?![0-9])",
        rf"{_DAY}\.\s*{_MONTH}\.\s*{_YEAR}",
        rf"{_WEEKDAY}{_DAY}{_ENDING}\.?[ -]*{_WORD}\.?[ ,-]*{_YEAR}",
        rf"{_WEEKDAY}{_WORD}\.? +{_DAY}{_ENDING},? +{_CLOCK}{_YEAR}",
        rf"{_WORD}\.?,? +{_YEAR}",
    )
]
_SIDES = re.compile(rf"(?P<one>[0-9]{{1,2}})[/-](?P<other>[0-9]{{1,2}})[/-]{_YEAR}")
_USUAL_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_SECONDS = re.compile(r"([0-9]{9,10})(?:[0-9]{3})?(?:\.[0-9]*)?")  # since 1970; or milliseconds


def iso_date(text: str) -> str:
    """Return the first date of a text as ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``.

    A text that begins with no date, or with one that could be two, is returned as it is. Numbers of
    nine digits or more are seconds or milliseconds since 1970, in UTC.

    >>> iso_date("1996-05-06,07"), iso_date("3 May 2019, 10:15"), iso_date("1556840000")
    ('1996-05-06', '2019-05-03', '2019-05-02')
    >>> iso_date("31/12/2019"), iso_date("1/2/2019")
    ('2019-12-31', '1/2/2019')
    """
    if _ISO.fullmatch(text):
        return text
    plain = visible(text).strip()
    if seconds := _SECONDS.fullmatch(plain):
        return datetime.fromtimestamp(int(seconds[1]), UTC).date().isoformat()
    return next(_dates(plain), plain if _ISO.fullmatch(plain) else text)


def year_of(text: str) -> int | None:
    """Return the first year from 1800 to 2099 in a text, None without one.

    >>> year_of("spring 2019"), year_of("2019-05-03"), year_of("20190503")
    (2019, 2019, None)
    """
    year = _USUAL_YEAR.search(text)
    return int(year[1]) if year else None


def _dates(text: str) -> Iterator[str]:
    """Yield what a text begins with, as each form reads it."""
    for form in _FORMS:
        match = form.match(text)
        if match and (day := _written(match.groupdict())):
            yield day
    if match := _SIDES.match(text):
        sides = (match["one"], match["other"])
        readings = {
            _written({"year": match["year"], "month": month, "day": day})
            for month, day in permutations(sides)
        } - {""}
        if len(readings) == 1:
            yield readings.pop()


def _written(parts: Mapping[str, str | None]) -> str:
    """Return a date of its parts, '' for one that no calendar has."""
    word = parts["month"] or ""
    month = int(word) if word.isdigit() else _MONTHS.get(word.lower(), 0)
    day = parts.get("day")
    try:
        whole = date(int(parts["year"] or 0), month, int(day or 1))
    except ValueError:
        return ""
    return whole.isoformat() if day else whole.isoformat()[: len("2019-05")]
