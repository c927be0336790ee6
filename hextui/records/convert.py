"""Turn records from one format into another, whole collections too."""

from dataclasses import dataclass
from pathlib import Path

from hextui.engine.board import Board
from hextui.locations import named_path
from hextui.records.errors import RecordError
from hextui.records.formats import (
    SUFFIXES,
    BrokenGame,
    Format,
    Source,
    losses,
    read_collection,
    source_of_argument,
)
from hextui.records.reading_back import check_collection, same_file, written
from hextui.records.saving import save_text


@dataclass(frozen=True)
class Conversion:
    """What became of the games of a source.

    ``text`` holds the ``games`` that were written, one after another; ``path`` is the file they
    were saved in, if it was not None. ``lost`` says in words what the format left out; ``broken``
    are the games that could not be read or that the format cannot hold. ``notes`` say what was
    guessed.
    """

    text: str
    games: int
    path: Path | None
    lost: tuple[str, ...]
    broken: tuple[BrokenGame, ...]
    notes: tuple[str, ...] = ()


def convert(source: str, target: str, board: Board | None = None) -> Conversion:
    """Convert a POSITION of the command line, all its games, to a format or a file.

    ``target`` is the name of a format (``sgf``, ``hexworld``, ...), or a file whose ending says the
    format. ``board``: see ``read_record``. Raises RecordError for a target or source that is
    neither, if no game could be converted, if the file cannot be saved, and if it is the source and
    games, or parts of them, would be left out.
    """
    _target(target)  # what is wrong with it is told before the source is read
    return converted(source_of_argument(source), source, target, board)


def converted(found: Source, name: str, target: str, board: Board | None = None) -> Conversion:
    """Do what ``convert`` does with a source that was found; ``name`` is what it is called."""
    form, path = _target(target)
    texts: list[str] = []
    lost: dict[str, None] = {}  # in the order found
    broken: list[BrokenGame] = []
    notes: dict[str, None] = {}
    for number, game in enumerate(read_collection(found, board), start=1):
        if isinstance(game, BrokenGame):
            broken.append(game)
            continue
        try:
            texts.append(written(game, form).rstrip("\n") + "\n")
        except RecordError as error:
            broken.append(BrokenGame(number, error.in_source(None)))
            continue
        lost.update(dict.fromkeys(losses(game, form)))
        notes.update(dict.fromkeys(game.origin.notes if game.origin else ()))
    if not texts:
        raise broken[0].error if broken else RecordError("there is no game here", source=name)
    check_collection(texts, form)
    text = "".join(texts)
    if path is not None:
        if (broken or lost) and isinstance(found, Path) and same_file(found, path):
            what = f"would lose {', '.join(lost) or 'games'}: convert it to another file"
            raise RecordError(what, source=str(path))
        save_text(path, text)
    return Conversion(text, len(texts), path, tuple(lost), tuple(broken), tuple(notes))


def _target(target: str) -> tuple[Format, Path | None]:
    if target.lower() in set(Format):
        return Format(target.lower()), None
    path = named_path(target)
    form = SUFFIXES.get(path.suffix.lower())
    if form is None:
        known = ", ".join([*Format, *(f"*{suffix}" for suffix in SUFFIXES)])
        raise RecordError(f"neither a format nor a file of one ({known})", source=target)
    return form, path
