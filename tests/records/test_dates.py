"""Dates are read in the ways that servers, programs and people write them."""

from datetime import date, timedelta

import pytest

from hextui.records.dates import iso_date


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d",
        "%Y-%m-%dT%H:%M:%SZ",
        "%Y-%m-%d 10:00",
        "%Y-%m-%d,31",
        "%Y/%m/%d",
        "%Y.%m.%d",
        "%Y%m%d",
        "%Y\u5e74%m\u6708%d\u65e5",
        "%d.%m.%Y",
        "%d. %m. %Y",
        "%d %B %Y",
        "%d-%b-%Y",
        "%dth %b. %Y",
        "%a, %d %b %Y 10:15:30 +0000",
        "%B %d, %Y",
        "%B %dst, %Y",
        "%a %b %d 10:15:30 %Y",
        "%a %b %d 10:15:30 CEST %Y",
        "\u200b%Y-%m-%d\ufeff",
    ],
)
def test_days_are_read_in_many_forms(form: str) -> None:
    for days in range(0, 800, 13):
        day = date(2019, 1, 1) + timedelta(days)
        text = day.strftime(form)
        assert iso_date(text) == day.isoformat()
        short = text.replace(day.strftime("%d"), str(day.day), 1)
        if "%Y%m%d" not in form and form.startswith(("%d", "%a,", "%B")):
            assert iso_date(short) == day.isoformat()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2019", "2019"),
        ("2019-05", "2019-05"),
        ("2019/5", "2019-05"),
        ("May 2019", "2019-05"),
        ("Sept. 2019", "2019-09"),
        ("\uff12\uff10\uff11\uff19", "2019"),
        ("31/12/2019", "2019-12-31"),
        ("12/31/2019", "2019-12-31"),
        ("5/5/2019", "2019-05-05"),
        ("1556668800", "2019-05-01"),
        ("1556668800000", "2019-05-01"),
        ("1556668800.5", "2019-05-01"),
    ],
)
def test_parts_of_dates_and_numbers(text: str, expected: str) -> None:
    assert iso_date(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "1/2/2019",
        "spring 2019",
        "2019-2020",
        "1996-97",
        "2019-13",
        "2019-02-30",
        "20191301",
        "31 June 2019",
        "game 5",
        "5",
        "99999999999999",
        "\u0661\u0662.05.2019",
    ],
)
def test_what_is_no_sure_date_stays(text: str) -> None:
    assert iso_date(text) == text
