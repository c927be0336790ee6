"""What the players are to be called, by the settings file: commands need no other setting."""

from pathlib import Path

from hextui.settings.settings_files import ConfigError, read_toml
from hextui.settings.toml_tables import SettingError, shown, table
from hextui.words.names import Names


def chosen_player_words(file: Path) -> Names:
    """Return what ``screen.players`` says, Red and Blue by default. Raises ConfigError."""
    document = read_toml(file)
    try:
        chosen = table(document or {}, "screen").get("players", Names.RED_BLUE.value)
        if chosen not in [words.value for words in Names]:
            known = ", ".join(words.value for words in Names)
            raise SettingError("screen.players", f"{shown(chosen)} is none of {known}")
    except SettingError as error:
        raise ConfigError(file, str(error)) from None
    return Names(chosen)
