from hextui.wording import counted


def test_only_one_is_singular_and_thousands_are_grouped():
    counts = [counted(count, "game") for count in (0, 1, 2, 12345)]
    assert counts == ["0 games", "1 game", "2 games", "12,345 games"]
