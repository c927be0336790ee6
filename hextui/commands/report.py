"""``hextui report``: who gave a win away in a game, and how evaluators rank its moves."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from urllib.parse import quote

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_report import (
    Advantage,
    JudgedMove,
    PlayerReport,
    advantages,
    claimed_stretches,
    decided,
    player_reports,
    stretches,
)
from hextui.analysis.game_story import story_facts
from hextui.analysis.mistakes import (
    PROVED,
    Blunder,
    CostlyMove,
    MistakeKind,
    OpeningMistake,
    ReviewEntry,
    blunders,
    costly_moves,
    game_summary,
    kind_of,
    opening_mistakes,
    review_entries,
)
from hextui.analysis.review_notes import annotate
from hextui.analysis.stored_analysis import ReviewStore
from hextui.analysis.whole_game import analyse_game
from hextui.commands.arguments import (
    POSITION_HELP,
    Parser,
    UsageError,
    duration,
    file_path,
    usage_errors,
)
from hextui.commands.documents import (
    Document,
    chosen_game,
    compile_first,
    print_document,
    remark_all,
    report_passed_over,
)
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.commands.report_text import folder_document, folder_text, game_text
from hextui.commands.story_page import PAGE_SUFFIXES, GameStory, pictured, story_page
from hextui.commands.story_proofs import StoryProver, winning_lines, write_proofs
from hextui.engine.board import Board, Color
from hextui.engine.json_values import as_json
from hextui.engine.search.lines import LIVE_EVALUATORS
from hextui.engine.verdicts import ClaimedWinner
from hextui.engine.widths import Kernels
from hextui.engines.engine import EngineError
from hextui.engines.limits import GAME_SECONDS, cores
from hextui.engines.registry import evaluator_called, user_engines
from hextui.locations import named_path
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.records.summary import ReadSummary
from hextui.records.writing import format_of, save
from hextui.text import Names
from hextui.words.reviews import entry_move, entry_words, mistake_sentence
from hextui.words.story import story_text


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = f"{POSITION_HELP}; or a folder of games, reported on together"
    parser.value("record", "GAME", text)
    games = parser.add_mutually_exclusive_group()
    parser.shared("--game", group=games)
    text = "report on all games of the file together; an interrupted run continues"
    parser.flag("--all", text, group=games)
    text = "an evaluator, or engine(NAME) for an engine in the settings file (repeat for several; "
    text += "default: those that the workstation shows)"
    parser.value("--evaluator", "NAME", text, action="append")
    text = "CPU seconds in which the solver proves mistakes, as if nobody swaps; 0 for none "
    text += f"(default: {GAME_SECONDS:g}); results of earlier analyses are reused"
    parser.value("--solve", "SECONDS", text, type=duration, default=GAME_SECONDS)
    parser.flag("--fresh", "ignore reviews on disk, and store none")
    parser.value("--save", "FILE", "write the game with the results, as SGF", type=file_path)
    text = "write the game with the results and a review for other programs (comments, marks, "
    text += "winning moves as variations), as SGF"
    parser.value("--write", "FILE", text, type=file_path)
    text = "write the story of the game as a page: the turning points with boards and winning lines"
    parser.value("--html", "FILE", text, type=file_path)
    text = "with --html: write a proof of each proved statement into FOLDER, and link it"
    parser.value("--proofs", "FOLDER", text, type=file_path)
    parser.shared("--size", "--encoding")
    form = parser.add_mutually_exclusive_group()
    parser.shared("--json", group=form)
    parser.flag("--markdown", "print the report as Markdown", group=form)


def run(options: argparse.Namespace) -> int:
    """Analyse a game, except what its record already holds, and print the report."""
    chosen = options.evaluator or LIVE_EVALUATORS
    with usage_errors():
        names = list(dict.fromkeys(evaluator_called(name).name for name in chosen))
        _check_page(options)
        if options.all or os.path.isdir(named_path(options.record)):
            return _run_all(options, names)
        record = chosen_game(options.record, options.game, options.size, charset=options.encoding)
        _check_targets(options)
    store = None if options.fresh else ReviewStore()
    line, estimates = stored_analysis.stored_estimates(record)
    code = 0
    try:
        _analyse(line, estimates, names, options.solve, store)
    except EngineError as error:  # only of another engine
        complain(error)
        code = FAILED
    code = _write_files(options, record, line, names, estimates) or code
    document = _game_document(record, line, names, estimates, options.names, options.solve)
    print_document(document, options, partial(game_text, markdown=options.markdown))
    _close(store)
    return code


def _write_files(
    options: argparse.Namespace,
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
) -> int:
    """Write the files that the options name; return the exit code.

    What cannot be written is said in a line: the report is printed all the same.
    """
    code = 0
    if options.save or options.write:
        record.set_properties(stored_analysis.properties(line, names, estimates))
    for target in filter(None, (options.save, options.write)):
        if target is options.write:
            annotate(record, line, estimates, partial(mistake_sentence, names=options.names))
        try:
            save(record, target)
        except RecordError as error:
            code = complain(error)
    if options.html is not None:
        try:
            _write_story(options, record, line, names, estimates)
        except RecordError as error:
            code = complain(error)
    return code


def _check_targets(options: argparse.Namespace) -> None:
    """Raise RecordError for a file in which no results can be kept."""
    for target in (options.save, options.write):
        if target is not None and format_of(target) != "sgf":
            raise RecordError(
                "only SGF can hold results: use a name that ends in .sgf", source=str(target)
            )


def _check_page(options: argparse.Namespace) -> None:
    """Raise RecordError or UsageError for options that make no page."""
    if options.proofs is not None and options.html is None:
        raise UsageError("--proofs needs --html FILE, whose page links the proofs")
    if options.html is not None and options.html.suffix.lower() not in PAGE_SUFFIXES:
        raise RecordError("a page needs a name that ends in .html", source=str(options.html))


def _write_story(
    options: argparse.Namespace,
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
) -> None:
    """Write the page about a game, and its proofs if they are wanted. Raises RecordError."""
    summary = game_summary(line, estimates, options.solve)
    facts = story_facts(line, summary)
    proofs: dict[int, str | None] | None = None
    prover = StoryProver(record.board)
    try:
        lines = winning_lines(pictured(summary, record.board), prover)
        if options.proofs is not None:
            files = write_proofs(facts, line, prover, options.proofs, options.names)
            proofs = {ply: _address(file, options.html) for ply, file in files.items()}
    finally:
        prover.close()
    story = GameStory(
        record=record,
        positions=line,
        summary=summary,
        facts=facts,
        ahead=advantages(line, estimates, names),
        lines=lines,
        proofs=proofs,
        names=options.names,
    )
    save_file(options.html, story_page(story))


def _address(file: Path | None, page: Path) -> str | None:
    """Return the address of a file relative to a page that links it; None for no file."""
    if file is None:
        return None
    start = os.path.dirname(os.path.abspath(page))
    return quote(Path(os.path.relpath(os.path.abspath(file), start)).as_posix())


def _close(store: ReviewStore | None) -> None:
    if store is not None:
        store.close()
        if store.problem:
            complain(store.problem)


def _analyse(
    line: Sequence[GamePosition],
    estimates: Estimates,
    names: Sequence[str],
    seconds: float,
    store: ReviewStore | None,
    label: str = "",
) -> None:
    """Analyse what is not stored; each line of progress begins with ``label``.

    Raises EngineError if another engine fails, after everything else has been analysed.
    """
    if store is not None:
        store.read(line, estimates)
    complete = all(estimates.complete(game_position, names) for game_position in line)
    if complete and estimates.spent(line) >= seconds:
        return
    compile_first(line[0].position.board, *Kernels)
    others = user_engines().lane
    try:
        with ProgressLine() as shown:
            for progress in analyse_game(line, names, estimates, cores(), seconds, others=others):
                text = f"{label}{progress.label}: {progress.amount}"
                if progress.done == progress.total:
                    shown.last(text)
                else:
                    shown.show(text)
    finally:  # also what was found before an interrupt
        if store is not None:
            store.keep(line, estimates)


def _run_all(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Report on all games of a file or folder; return 1 if games were left out."""
    if options.save or options.write or options.html:
        return complain("--save, --write and --html are for one game")
    store = None if options.fresh else ReviewStore()

    def make(record: Record, label: str) -> Document:
        line, estimates = stored_analysis.stored_estimates(record)
        _analyse(line, estimates, names, options.solve, store, label)
        return _game_document(record, line, names, estimates, options.names, options.solve)

    summary = ReadSummary()
    path = named_path(options.record)
    how = (options.size, options.encoding)
    document = folder_document(path, make, *how, summary)
    print_document(document, options, partial(folder_text, markdown=options.markdown))
    remark_all(document["notes"])
    _close(store)
    report_passed_over(summary)
    for broken in document["left_out"]:
        complain(broken)
    return FAILED if document["left_out"] or summary.is_broken else 0


def _game_document(
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
    players: Names,
    budget: float,
) -> Document:
    """Return the report on a game as JSON; its sentences use the names ``players``.

    ``budget``: the solver's for the game, in seconds of CPU time.
    """
    board = record.board
    winner = record.result.winner
    faults = blunders(line, estimates)
    agreement = player_reports(line, names, estimates)
    judged = review_entries(line, estimates, next(iter(names), ""))
    opening = next(iter(opening_mistakes(line, estimates)), None)
    summary = game_summary(line, estimates, budget)
    return {
        "size": as_json(board),
        "players": {str(color): record.player(color) for color in Color},
        "result": record.info("RE"),
        "winner": winner and str(winner),
        "evaluators": {name: _players(reports, board) for name, reports in agreement.items()},
        "proved": [
            {"from": s.first, "to": s.last, "winner": str(s.winner), "by": str(s.kind)}
            for s in stretches(line, estimates)
        ],
        "claimed": [
            {"from": s.first, "to": s.last} | _claim(s.claim)
            for s in claimed_stretches(line, estimates)
        ],
        "decided": decided(line, estimates),
        "lost_chances": _lost_chances(line, names, estimates),
        "judged": [_judged_move(entry, players) for entry in judged if entry.by != PROVED],
        "mistakes": [_mistake(m, faults, estimates, players) for m in faults],
        "opening": _opening(opening, players),
        "story": story_text(story_facts(line, summary), summary, record.result, players),
        "plies": _plies(line, names, estimates),
    }


def _lost_chances(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> Document:
    """Return the costly moves by each evaluator that estimates win probabilities."""
    lost = {}
    for name in names:
        judged = (estimates.of(game_position, name) for game_position in line)
        if any(estimate and estimate.winrate is not None for estimate in judged):
            lost[name] = list(map(_costly_move, costly_moves(line, estimates, name)))
    return lost


def _claim(claim: ClaimedWinner) -> Document:
    """Return who is claimed to win, and by whom; nothing of it is proved."""
    return {"winner": str(claim.winner), "by": str(claim.source), "engine": claim.engine or None}


def _move(ply: int, cell: int, board: Board) -> Document:
    return {"ply": ply, "move": board.name(cell)}


def _costly_move(lost: CostlyMove) -> Document:
    before = lost.before
    board = before.position.board
    return {
        **_move(before.ply + 1, lost.cell, board),
        "color": str(before.position.to_move),
        "player": str(before.player),
        "before": lost.rate_before,
        "after": lost.rate_after,
        "best": board.name(lost.best),
    }


def _judged_move(entry: ReviewEntry, names: Names) -> Document:
    ply, _, turn = entry_move(entry).partition(". ")
    return {
        "ply": int(ply),
        "move": turn,
        "color": str(entry.color),
        "player": str(entry.before.player),
        "mark": str(entry.severity),
        "by": entry.by,
        "words": entry_words(entry, names)[0],
    }


def _opening(mistake: OpeningMistake | None, names: Names) -> Document | None:
    if mistake is None:
        return None
    return {
        "color": str(mistake.color),
        "player": str(mistake.player),
        "ply": mistake.before.ply + 1,
        "wrong": str(mistake.kind),
        "kind": str(MistakeKind.OPENING),
        "words": mistake_sentence(mistake, names),
    }


def _mistake(
    mistake: Blunder, others: Sequence[Blunder], estimates: Estimates, names: Names
) -> Document:
    board = mistake.before.position.board
    ends = {"before": mistake.before, "after": mistake.after}
    verdicts = {
        key: estimates.verdict(game_position.position) for key, game_position in ends.items()
    }
    return {
        "color": str(mistake.color),
        "player": str(mistake.player),
        "kind": str(kind_of(mistake, others, estimates)),
        "moves": [_move(move.ply, move.cell, board) for move in mistake.moves],
        "won_at": mistake.before.ply,
        "lost_at": mistake.after.ply,
        "by": {key: str(verdict.kind) for key, verdict in verdicts.items() if verdict},
        "winning_moves": [board.name(cell) for cell in mistake.wins],
        "all_winning_moves": mistake.all_wins,
        "words": mistake_sentence(mistake, names),
    }


def _players(players: Mapping[Color, PlayerReport], board: Board) -> Document:
    """Return how far an evaluator agrees with each player's moves."""
    documents = {}
    for color, player_report in players.items():
        worst = [_ranked_move(move, board) for move in player_report.worst]
        documents[str(color)] = asdict(player_report) | {"worst": worst}
    return documents


def _ranked_move(move: JudgedMove, board: Board) -> Document:
    return {
        **_move(move.ply, move.cell, board),
        "rank": move.quality.rank,
        "candidates": move.quality.candidates,
        "q": move.quality.q,
        "best": board.name(move.best),
    }


def _plies(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> list[Document]:
    """Return what is known at each ply: who wins, the estimates, Black's win probability."""
    ahead = advantages(line, estimates, names)
    plies = []
    for game_position in line:
        board = game_position.position.board
        verdict = estimates.verdict(game_position.position)
        document = {
            "ply": game_position.ply,
            "to_move": str(game_position.position.to_move),
            "move": None if game_position.cell is None else board.name(game_position.cell),
            "winner": str(verdict.winner) if verdict else None,
            "by": str(verdict.kind) if verdict else None,
            "claims": [_claim(claim) for claim in estimates.claims(game_position.position)],
            "evaluators": _judged_ply(game_position, names, estimates),
            "chance": _chance(ahead.get(game_position.ply)),
        }
        plies.append(document)
    return plies


def _judged_ply(
    game_position: GamePosition, names: Sequence[str], estimates: Estimates
) -> Document:
    """Return the estimates of each evaluator that has judged a ply, and where the move stands."""
    board = game_position.position.board
    judged: Document = {}
    for name in names:
        estimate = estimates.of(game_position, name)
        if estimate is None:
            continue
        quality = estimates.quality(game_position, name)
        judged[name] = {
            "value": as_json(estimate.value),
            "winrate": estimates.win_probability(game_position, name),
            "best": [board.name(cell) for cell in estimate.best],
            "rank": quality and quality.rank,
            "q": quality and quality.q,
        }
    return judged


def _chance(ahead: Advantage | None) -> Document | None:
    """Return Black's win probability and where it is from; None if it is unknown."""
    if ahead is None or ahead.win_probability is None:
        return None
    return {"black": ahead.win_probability, "by": ahead.by.value}
