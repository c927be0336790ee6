"""The story of a game as one HTML file, which loads nothing from elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_report import Advantage, advantages
from hextui.analysis.game_story import ProvedPly, StoryFact, story_facts, turning_plies
from hextui.analysis.mistakes import Blunder, GameSummary, game_summary
from hextui.engine.board import Board, Color
from hextui.records.board_view import BoardView
from hextui.records.codecs.diagrams import (
    STONE_COLORS,
    svg_empty_board,
    svg_position,
    svg_size,
    xml_text,
)
from hextui.records.record import Record
from hextui.records.record_text import RecordError, shorten
from hextui.records.writing import export
from hextui.text import Names, counted, listed
from hextui.words.story import (
    contradiction_sentence,
    fact_sentence,
    no_mistake_sentence,
    point_sentence,
    proof_words,
    result_sentence,
)
from hextui.words.verdicts import point_moves

PAGE_SUFFIXES = (".html", ".htm")
MOST_PICTURES, _MOST_CELLS = 12, 1800
"""Turning points with a picture, the last ones of a game, and the cells of all pictures."""

_LONGEST = 80  # characters of a name or another line of the record
_NARROW = 330  # pixels of a picture on the screen of a phone
_LEAST_TEXT, _MOST_TEXT = 10, 26  # pixels of text there, and units that fit into a cell
_STYLE = """
body { margin: 0 auto; max-width: 42rem; padding: 1rem; color: #1b1a17; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
figure { margin: .5rem 0; }
figcaption, .proofs { font-size: .875rem; color: #55524a; }
svg { display: block; width: 100%; height: auto; }
.hidden { position: absolute; width: 0; height: 0; }
a { color: #1a56a8; }
"""


@dataclass(frozen=True)
class GameStory:
    """All that the page about a game shows.

    ``lines``: the winning line of each turning point by the ply before it; None if none were asked
    for. ``proofs``: the links to proofs by ply, None where none was found in time; None if no
    proofs were asked for.
    """

    record: Record
    positions: Sequence[GamePosition]
    summary: GameSummary
    facts: Sequence[StoryFact]
    ahead: Mapping[int, Advantage]
    names: Names
    lines: Mapping[int, Sequence[int]] | None = None
    proofs: Mapping[int, str | None] | None = None

    def line(self, point: Blunder) -> Sequence[int]:
        """Return the winning line of a turning point, () if none is known."""
        return () if self.lines is None else self.lines.get(point.before.ply, ())


def game_story(
    record: Record,
    positions: Sequence[GamePosition],
    estimates: Estimates,
    evaluators: Sequence[str],
    seconds: float,
    names: Names,
) -> GameStory:
    """Return the story of a game without winning lines and proofs.

    ``seconds``: the solver's budget for the game.
    """
    summary = game_summary(positions, estimates, seconds)
    return GameStory(
        record=record,
        positions=positions,
        summary=summary,
        facts=story_facts(positions, summary),
        ahead=advantages(positions, estimates, evaluators),
        names=names,
    )


def story_page(story: GameStory) -> str:
    """Return the page."""
    record = story.record
    points = pictured(story.summary, record.board)
    width, _ = svg_size(record.board)
    text_size = min(_MOST_TEXT, width * _LEAST_TEXT / _NARROW)
    narrow = f".board text, #board text {{ font-size: {text_size:.0f}px; }}"
    narrow += " .graph text { font-size: 18px; }"
    title = xml_text(_players(record, story.names))
    parts = [
        *page_start(title, f"@media (max-width: 30rem) {{ {narrow} }}\n"),
        f"<h1>{title}</h1>",
        f"<p>{_game_line(record)}</p>",
        *_story(story),
        *_graph(story),
    ]
    if points:
        group = svg_empty_board(record.board, "board")
        parts.append(f'<svg class="hidden" aria-hidden="true"><defs>{group}</defs></svg>')
    for point in points:
        parts += _turning_point(point, story)
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


def page_start(title: str, style: str) -> list[str]:
    """Return the lines of a page up to its heading, with its own style after that of all pages.

    ``title`` and ``style`` are escaped already.
    """
    return [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{title}</title>",
        f"<style>{_STYLE}{style}</style>",
        "</head>\n<body>\n<main>",
    ]


def pictured(summary: GameSummary, board: Board) -> tuple[Blunder, ...]:
    """Return the last turning points of a game: those that get a section of the page."""
    return summary.blunders[-min(MOST_PICTURES, _MOST_CELLS // board.cells) :]


def _players(record: Record, names: Names) -> str:
    players = []
    for color in Color:
        name = shorten(record.player(color), _LONGEST)
        side = names.player(color)
        players.append(f"{name} ({side})" if name else side)
    return " against ".join(players)


def _game_line(record: Record) -> str:
    """Return size, date and event of a game, and its link."""
    board = record.board
    data = [record.info(name) for name in ("DT", "EV", "PC")]
    said = [f"{board.columns}x{board.rows}", counted(record.plies, "move")]
    said += [shorten(text, _LONGEST) for text in data if text]
    try:
        link = export(record, record.root.end(), "hexworld")
    except RecordError as error:
        return f"{xml_text(', '.join(said))}. No link to HexWorld: {xml_text(str(error))}."
    assert isinstance(link, str)
    return f"{xml_text(', '.join(said))}. {anchor(link.strip(), 'Open the game on HexWorld')}."


def anchor(address: str, text: str) -> str:
    """Return a link; both are escaped."""
    return f'<a href="{xml_text(address, quote=True)}">{xml_text(text)}</a>'


def _story(story: GameStory) -> Iterator[str]:
    """Yield the paragraph, in which links to its proofs follow each sentence."""
    summary = story.summary
    names = story.names
    result = story.record.result
    pieces = [xml_text(result_sentence(result, names))]
    for fact in story.facts:
        pieces += [xml_text(fact_sentence(fact, summary, names)), _proofs(fact.plies, story)]
    pieces.append(no_mistake_sentence(summary))
    pieces.append(xml_text(contradiction_sentence(summary, result, names)))
    yield f"<p>{' '.join(filter(None, pieces))}</p>"
    if story.proofs:
        check = "<code>hextui check FILE</code> checks a proof; all are of play in which nobody "
        yield f'<p class="proofs">{check}swaps.</p>'


def _proofs(plies: Sequence[ProvedPly], story: GameStory) -> str:
    """Return links to the proofs of plies; '' if no proofs were asked for."""
    if story.proofs is None:
        return ""
    links = {}
    missing = {}
    for proved_ply in plies:
        file = story.proofs.get(proved_ply.ply)
        if file is None:
            missing[proved_ply.ply] = str(proved_ply.ply)
        else:
            title = xml_text(proof_words(proved_ply, story.names), quote=True)
            links[proved_ply.ply] = (
                f'<a href="{xml_text(file, quote=True)}" title="{title}">{proved_ply.ply}</a>'
            )
    said = f"Proofs: ply {listed(links.values(), 'and')}." if links else ""
    if missing:
        said += f" No proof file could be made in time for ply {listed(missing.values(), 'and')}."
    return f'<span class="proofs">{said.strip()}</span>'


# Turning points


def _turning_point(point: Blunder, story: GameStory) -> Iterator[str]:
    """Yield the section about a turning point: the board before it, a sentence, what won."""
    names = story.names
    before = point.before
    line = story.line(point)
    mover = names.player(before.position.to_move)
    numbered = {cell: str(ply) for ply, cell in enumerate(line, start=before.ply + 1)}
    played = next((move.cell for move in point.moves if move.ply == before.ply + 1), None)
    earlier = (position for position in story.positions if position.ply == before.ply - 1)
    last = next((position.cell for position in earlier), None)
    view = BoardView(
        before.position, last_move=last, played=played, line=tuple(line), labels=numbered
    )
    title = xml_text(point_moves(point))
    yield f'<section id="ply-{point.moves[0].ply}">\n<h2>{title}</h2>'
    yield f"<p>{xml_text(point_sentence(point, story.summary, names))}</p>"
    yield '<figure class="board">'
    yield svg_position(view, "board", f"The board after ply {before.ply}")
    ring = "The ring marks the move played" if played is not None else ""
    pale = "pale stones are the winning line" if line else ""
    signs = "; ".join(filter(None, (ring, pale)))
    caption = f"After ply {before.ply}, {mover} to move. {signs[:1].upper()}{signs[1:]}"
    yield f"<figcaption>{caption}.</figcaption>\n</figure>"
    yield from _winning_line(point, story)
    if proofs := _proofs(turning_plies(point), story):
        yield f"<p>{proofs}</p>"
    yield "</section>"


def _winning_line(point: Blunder, story: GameStory) -> Iterator[str]:
    """Yield the winning line of a turning point in a paragraph, if lines were asked for."""
    if story.lines is None:
        return
    line = story.line(point)
    if not line:
        yield "<p>No winning line was found in time.</p>"
        return
    name = story.record.board.name
    first = point.before.ply + 1
    moves = [f"{ply}. {name(cell)}" for ply, cell in enumerate(line, start=first)]
    said = f"Winning line: {' '.join(moves)}."
    address = _link_to_line(line, point.before, story.record)
    link = f" {anchor(address, 'Play it through on HexWorld')}." if address else ""
    yield f"<p>{said}{link}</p>"


def _link_to_line(line: Sequence[int], game_position: GamePosition, record: Record) -> str:
    """Return a link to a position, followed by a line; '' if HexWorld cannot hold it."""
    try:
        link = export(record, game_position.node, "hexworld")
    except RecordError:
        return ""
    assert isinstance(link, str)
    if game_position.position.to_move is not record.position(game_position.node).to_move:
        return ""
    size, _, rest = link.strip().partition(",")
    played = rest.partition(",")[0]
    return f"{size},{played},{''.join(map(record.board.name, line))}"


# The graph

_WIDTH = 480
_MIDDLE = 60
_LARGEST = 50


def _graph(story: GameStory) -> Iterator[str]:
    """Yield who is ahead after each ply: Red above the line, Blue below it."""
    last = story.positions[-1].ply
    step = _WIDTH / (last + 1)
    above, below = story.names.both
    yield '<figure class="graph">'
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {2 * _MIDDLE + 20}" font-family="sans-serif" font-size="14" '
        f'role="img" aria-label="Who is ahead after each ply">'
    )
    yield from _bars(story.ahead, step)
    yield f'<path d="M0 {_MIDDLE}H{_WIDTH}" stroke="#55524a"/>'
    for point in pictured(story.summary, story.record.board):
        ply = point.moves[0].ply
        yield f'<a href="#ply-{ply}"><title>{xml_text(point_moves(point))}</title>'
        line = f"M{ply * step:.1f} 6V{2 * _MIDDLE - 6}"
        yield f'<path d="{line}" stroke="#111" stroke-width="2"/></a>'
    yield f'<text x="2" y="14">{above} is ahead</text>'
    yield f'<text x="2" y="{2 * _MIDDLE - 2}">{below} is ahead</text>'
    for ply in range(0, last + 1, 10 if last < 100 else 20):
        anchor = "middle" if ply else "start"
        place = f'x="{ply * step:.1f}" y="{2 * _MIDDLE + 16}" text-anchor="{anchor}"'
        yield f"<text {place}>{ply}</text>"
    yield "</svg>"
    yield (
        "<figcaption>Who is ahead after each ply. Solid: proved. Pale: an estimate. "
        "A bar stands at each turning point.</figcaption>\n</figure>"
    )


def _bars(ahead: Mapping[int, Advantage], step: float) -> Iterator[str]:
    """Yield a rectangle for each stretch of plies with one bar."""
    for (color, share, proved), run in groupby(ahead.items(), lambda item: _bar(item[1])):
        height = _LARGEST * share
        top = _MIDDLE - height if color is Color.BLACK else _MIDDLE
        pale = "" if proved else ' fill-opacity="0.35"'
        for first, end in _stretches([ply for ply, _ in run]):
            yield (
                f'<rect x="{first * step:.1f}" y="{top:.1f}" width="{(end - first) * step:.1f}" '
                f'height="{height:.1f}" fill="{STONE_COLORS[color]}"{pale}/>'
            )


def _bar(ahead: Advantage) -> tuple[Color, float, bool]:
    return ahead.color, round(ahead.share, 2), ahead.proved


def _stretches(plies: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first ply of each run of consecutive ones, and the one after its last."""
    for _, run in groupby(enumerate(plies), lambda item: item[1] - item[0]):
        consecutive = [ply for _, ply in run]
        yield consecutive[0], consecutive[-1] + 1
