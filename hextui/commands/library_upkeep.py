"""``hextui library``: check, repair, merge and compact the file of the library."""

import argparse
import os

from hextui.commands.documents import print_document
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.library.schema import LibraryError
from hextui.locations import library_file
from hextui.text import counted
from hextui.words.files import import_text, importing_text


def check_library(options: argparse.Namespace) -> int:
    """Print what is wrong with the library; return the exit code."""
    from hextui.library.integrity import check

    path = library_file()
    with ProgressLine() as progress:
        problems = check(path, lambda games: progress.show(f"{games:,} games read"))
    document = {"path": str(path), "games": problems.games, "problems": problems.problems}
    text = "\n".join(problems.problems) or f"{counted(problems.games, 'game')} can be read"
    print_document(document, options, text)
    if not problems.problems:
        return 0
    complain(f"{path}: damaged; `hextui library repair` saves the games that can be read")
    return FAILED


def repair_library(options: argparse.Namespace) -> int:
    """Save the games of a damaged library; return the exit code."""
    from hextui.library.integrity import repair

    path = library_file()
    with ProgressLine() as progress:
        done = repair(path, lambda games: progress.show(f"{games:,} games read"))
    document = {
        "path": str(path),
        "saved": done.saved,
        "counted": done.counted,
        "kept": None if done.kept is None else str(done.kept),
    }
    saved = counted(done.saved, "game")
    if done.kept:
        text = f"{saved} saved; the damaged file is now {done.kept}"
    else:
        text = f"{path} is sound: {saved}, nothing to repair"
    print_document(document, options, text)
    if done.kept is None or done.saved == done.counted:
        return 0
    count_told = (
        "does not say how many it held" if done.counted is None else f"counted {done.counted:,}"
    )
    complain(f"games may be missing: the damaged file {count_told}")
    return FAILED


def merge_library(options: argparse.Namespace) -> int:
    """Add the games of another library's file; return the exit code: 1 if some are damaged."""
    from hextui.library.library import Library
    from hextui.library.merging import merge

    if not os.path.lexists(options.other):
        return complain(f"{options.other}: no such file")
    with Library() as library, ProgressLine() as progress:
        done = merge(library, options.other, lambda games: progress.show(importing_text(games)))
    added = done.games
    broken = []
    for row in added.broken:
        complain(f"{row.source}: game {row.number} skipped: {row.reason}")
        broken.append({"number": row.number, "error": row.reason})
    document = {
        "added": added.added,
        "contradicting": added.contradicting,
        "duplicates": added.duplicates,
        "annotated": done.annotated,
        "broken": broken,
    }
    text = import_text(added)
    if done.annotated:
        text += f"; {counted(done.annotated, 'game')} got comments and variations"
    print_document(document, options, text)
    return FAILED if broken else 0


def compact_library(options: argparse.Namespace) -> int:
    """Give the free room in the file back to the disk; return the exit code."""
    from hextui.library.library import Library

    path = library_file()
    if not os.path.isfile(path):
        raise LibraryError(f"{path}: there is no library yet")
    with Library() as library:
        before, after = library.compact()
    document = {"path": str(path), "before": before, "after": after}
    print_document(document, options, f"{before:,} bytes before, {after:,} bytes after")
    return 0
