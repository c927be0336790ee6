"""What a user can choose: written in the settings file, or kept from one run to the next.

Both files hold the same tables, ``screen``, ``analysis`` and ``lines``.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hextui.engine.search.line_settings import LineSettings
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay, Shown


class SettingError(ValueError):
    """A setting that cannot be used; ``str()`` is one line: the key, then what is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")


@dataclass(frozen=True)
class Settings:
    """What was chosen; None where nothing was."""

    theme: str | None = None
    zoom: Zoom | None = None
    view: View | None = None
    overlay: Overlay | None = None
    move_numbers: bool | None = None
    must_play: bool | None = None
    inferior: bool | None = None
    analysis: bool | None = None
    evaluators: tuple[str, ...] | None = None
    focus: str | None = None
    solver: bool | None = None
    solver_seconds: int | None = None
    solver_table: int | None = None
    solver_disk: int | None = None
    lines_by: str | None = None
    line_widths: tuple[int, ...] | None = None
    line_count: int | None = None

    def over(self, other: "Settings") -> "Settings":
        """Return what these settings say, and ``other`` where they say nothing."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return replace(other, **own)

    def lines(self) -> LineSettings:
        """Return how lines are searched. Raises SettingError."""
        default = LineSettings()
        try:
            return LineSettings(
                default.widths if self.line_widths is None else self.line_widths,
                default.count if self.line_count is None else self.line_count,
            )
        except ValueError as error:
            raise SettingError("lines", str(error)) from None

    def shown(self) -> Shown:
        """Return what the board shows at first."""
        default = Shown()
        return replace(
            default,
            overlay=self.overlay or default.overlay,
            evaluator=self.focus or default.evaluator,
            numbers=self.move_numbers or False,
            must_play=self.must_play or False,
            inferior=self.inferior or False,
        )


# key in the file -> (field, type)
_KEYS: dict[str, tuple[str, type]] = {
    "screen.theme": ("theme", str),
    "screen.zoom": ("zoom", Zoom),
    "screen.view": ("view", View),
    "screen.overlay": ("overlay", Overlay),
    "screen.move-numbers": ("move_numbers", bool),
    "screen.must-play": ("must_play", bool),
    "screen.inferior": ("inferior", bool),
    "analysis.on": ("analysis", bool),
    "analysis.evaluators": ("evaluators", tuple),
    "analysis.focus": ("focus", str),
    "solver.live": ("solver", bool),
    "solver.seconds": ("solver_seconds", int),
    "solver.table-mb": ("solver_table", int),
    "solver.disk-mb": ("solver_disk", int),
    "lines.evaluator": ("lines_by", str),
    "lines.widths": ("line_widths", list),
    "lines.count": ("line_count", int),
}
TABLES = frozenset(key.partition(".")[0] for key in _KEYS)


def read_settings(document: Mapping[str, Any]) -> Settings:
    """Return the settings in the tables of a document. Raises SettingError."""
    found: dict[str, Any] = {}
    for table in sorted(TABLES & document.keys()):
        values = document[table]
        if not isinstance(values, dict):
            raise SettingError(table, "is a table")
        for name, value in values.items():
            key = f"{table}.{name}"
            if key not in _KEYS:
                known = ", ".join(sorted(k for k in _KEYS if k.startswith(f"{table}.")))
                raise SettingError(key, f"there is no such setting; there are {known}")
            field, kind = _KEYS[key]
            found[field] = _value(key, kind, value)
    return Settings(**found)


def document_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the tables that `read_settings` reads; what was not chosen is left out."""
    document: dict[str, dict[str, Any]] = {}
    for key, (field, _) in _KEYS.items():
        value = getattr(settings, field)
        if value is not None:
            table, _, name = key.partition(".")
            document.setdefault(table, {})[name] = value
    return document


def _value(key: str, kind: type, value: Any) -> Any:
    if issubclass(kind, enum.Enum):
        names = [str(member.value) for member in kind]
        if value not in names:
            raise SettingError(key, f"{value!r} is none of {', '.join(names)}")
        return kind(value)
    if kind is tuple:
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise SettingError(key, "is a list of names")
        return tuple(value)
    if kind is int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 1 << 16:
            raise SettingError(key, f"is a whole number from 1 to {1 << 16}")
        return value
    if kind is list:
        if not isinstance(value, list) or not all(type(v) is int for v in value):
            raise SettingError(key, "is a list of whole numbers")
        return tuple(value)
    if not isinstance(value, kind):
        raise SettingError(key, "is true or false" if kind is bool else "is a text in quotes")
    return value
