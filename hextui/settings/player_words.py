"""What the players are to be called, by the settings file: commands need no other setting."""

from pathlib import Path

from hextui.settings.settings_files import ConfigError, read_toml
from hextui.settings.toml_tables import SettingError, shown, table
from hextui.wording import PlayerWords


def chosen_player_words(file: Path) -> PlayerWords:
    """Return what ``screen.players`` says, Red and Blue by default. Raises ConfigError."""
    document = read_toml(file)
    try:
        chosen = table(document or {}, "screen").get("players", PlayerWords.RED_BLUE.value)
        if chosen not in [words.value for words in PlayerWords]:
            known = ", ".join(words.value for words in PlayerWords)
            raise SettingError("screen.players", f"{shown(chosen)} is none of {known}")
    except SettingError as error:
        raise ConfigError(file, str(error)) from None
    return PlayerWords(chosen)
