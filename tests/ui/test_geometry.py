import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board, Color, Edge, edges_of
from hextui.ui.drawing.geometry import OUTSIDE, BoardGeometry, Slot, View, Zoom, arrange
from hextui.ui.drawing.painter import Look, paint_line, pixel_colors

SIDES = st.integers(1, 19)
GEOMETRIES = st.builds(
    BoardGeometry, st.builds(Board, SIDES, SIDES), st.sampled_from(Zoom), st.sampled_from(View)
)


def check_hits(geometry):
    for cell in range(geometry.board.cells):
        x, y = geometry.centre(cell)
        assert geometry.hit(x, y) == cell
        assert geometry.hit(x + 1, y) == cell


@given(GEOMETRIES)
@settings(max_examples=40)
def test_the_hit_test_of_every_centre_is_its_cell(geometry):
    check_hits(geometry)


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(1, 20))
def test_the_hit_test_of_every_centre_of_every_layout_is_its_cell(rows):
    for columns in range(1, 20):
        for zoom in Zoom:
            for view in View:
                check_hits(BoardGeometry(Board(rows, columns), zoom, view))


@given(GEOMETRIES)
@settings(max_examples=40)
def test_every_cell_is_seen_at_one_place(geometry):
    places = [geometry.place_of(cell) for cell in range(geometry.board.cells)]
    assert sorted(places) == [(r, c) for r in range(geometry.rows) for c in range(geometry.columns)]
    assert [geometry.cell_at(*place) for place in places] == list(range(geometry.board.cells))


@given(GEOMETRIES)
@settings(max_examples=40)
def test_neighbours_on_the_screen_are_neighbours_on_the_board(geometry):
    for cell in range(geometry.board.cells):
        row, column = geometry.place_of(cell)
        around = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
        seen = {
            geometry.cell_at(row + r, column + c)
            for r, c in around
            if 0 <= row + r < geometry.rows and 0 <= column + c < geometry.columns
        }
        assert seen == set(geometry.board.neighbours[cell])


@given(GEOMETRIES)
@settings(max_examples=40)
def test_the_sides_seen_at_the_ring_are_those_of_the_cells_beside_it(geometry):
    board = geometry.board
    for row in range(geometry.rows):
        assert geometry.cell_at(row, 0) in board.edge_cells[geometry.edge_at(row, -1)]
        last = geometry.columns - 1
        assert geometry.cell_at(row, last) in board.edge_cells[geometry.edge_at(row, last + 1)]
    for column in range(geometry.columns):
        assert geometry.cell_at(0, column) in board.edge_cells[geometry.edge_at(-1, column)]
        last = geometry.rows - 1
        assert (
            geometry.cell_at(last, column) in board.edge_cells[geometry.edge_at(last + 1, column)]
        )


@given(GEOMETRIES)
@settings(max_examples=40)
def test_pieces_fill_every_line_and_hold_every_text_once(geometry):
    texts = []
    for line in geometry.lines:
        assert sum(piece.length for piece in line) == geometry.width
        texts += [piece.cell for piece in line if piece.slot is Slot.TEXT]
    assert sorted(texts) == list(range(geometry.board.cells))
    assert len(geometry.lines) == geometry.height


@given(GEOMETRIES, st.data())
@settings(max_examples=100)
def test_the_look_of_an_owner_shows_within_its_extent_alone(geometry, data):
    owner = data.draw(st.integers(0, geometry.board.cells + len(Edge) - 1))
    looks = [
        Look("#101010", "#202020", "ab", left="l", right="r", side_ink="#404040")
    ] * geometry.board.cells
    looks += [Look("#303030")] * (len(Edge) + 1)
    before = [*looks]
    looks[owner] = Look(
        "#ff0000", "#00ff00", "AB", left="L", right="R", ink="#0000ff", side_ink="#00ffff"
    )
    columns, lines = geometry.extents[owner]
    changed = set()
    for y, line in enumerate(geometry.lines):
        pairs = zip(characters(line, before), characters(line, looks), strict=True)
        changed |= {(x, y) for x, (old, new) in enumerate(pairs) if old != new}
    assert changed
    assert {x for x, _ in changed} <= set(columns)
    assert {y for _, y in changed} <= set(lines)


def characters(line, looks):
    """Return the characters of a line with their styles."""
    strip = paint_line(line, looks, pixel_colors(looks))
    return [(text, segment.style) for segment in strip for text in segment.text]


@given(GEOMETRIES)
@settings(max_examples=40)
def test_labels_name_rows_with_numbers_and_columns_with_letters(geometry):
    numbers = [lab.text.strip() for lab in geometry.labels if lab.edge.color is Color.WHITE]
    letters = [lab.text.strip() for lab in geometry.labels if lab.edge.color is Color.BLACK]
    rows, columns = geometry.board.rows, geometry.board.columns
    assert sorted(numbers, key=int) == [str(n) for n in range(1, rows + 1) for _ in (0, 1)]
    assert sorted(letters) == [chr(97 + n) for n in range(columns) for _ in (0, 1)]
    shown = sorted(p.text for line in geometry.lines for p in line if p.slot is Slot.LABEL)
    assert shown == sorted(label.text for label in geometry.labels)


@pytest.mark.parametrize(
    ("side", "zoom", "size"),
    [
        (5, Zoom.HUGE, (52, 21)),
        (11, Zoom.HUGE, (106, 39)),
        (11, Zoom.LARGE, (72, 26)),
        (11, Zoom.MEDIUM, (72, 20)),
        (11, Zoom.COMPACT, (38, 13)),
        (13, Zoom.LARGE, (84, 30)),
        (13, Zoom.MEDIUM, (84, 23)),
        (13, Zoom.COMPACT, (44, 15)),
        (19, Zoom.LARGE, (120, 42)),
        (19, Zoom.MEDIUM, (120, 32)),
        (19, Zoom.COMPACT, (62, 21)),
    ],
)
def test_sizes(side, zoom, size):
    geometry = BoardGeometry(Board(side, side), zoom)
    assert (geometry.width, geometry.height) == size


@given(GEOMETRIES)
@settings(max_examples=40)
def test_every_pixel_of_a_cell_is_hit_as_that_cell_or_one_that_shares_the_character(geometry):
    cells = geometry.board.cells
    for y in range(geometry.height):
        for x in range(geometry.width):
            pixels = [row[x] for row in geometry._pixels[2 * y : 2 * y + 2]]
            owners = {pixel - cells - len(Edge) if pixel >= cells else pixel for pixel in pixels}
            owners = {owner for owner in owners if owner >= 0} or {OUTSIDE}
            assert geometry.hit(x, y) in owners


def test_outside_is_no_cell():
    geometry = BoardGeometry(Board(3, 3), Zoom.LARGE)
    assert geometry.hit(-1, 0) == OUTSIDE
    assert geometry.hit(0, 0) == OUTSIDE
    assert geometry.hit(geometry.width, 3) == OUTSIDE


def test_steps_stay_on_the_board_and_go_where_they_are_seen_to_go():
    board = Board(5, 4)
    geometry = BoardGeometry(board, Zoom.LARGE, View.ROTATED)
    assert geometry.step(board.cell("b2"), 0, 1) == board.cell("a2")
    assert geometry.step(board.cell("a2"), 0, 1) == board.cell("a2")
    mirrored = BoardGeometry(board, Zoom.LARGE, View.MIRRORED)
    assert mirrored.step(board.cell("b2"), 0, 1) == board.cell("b3")


@given(GEOMETRIES, st.integers(2, 4), st.integers(40, 250))
@settings(max_examples=60)
def test_boards_beside_each_other_and_their_captions_stand_apart(geometry, boards, columns):
    found = arrange(geometry.extent, boards, columns)
    taken = set()
    for left, top in found.origins:
        lines = [range(geometry.spans[0].start, geometry.spans[0].stop), *geometry.spans]
        here = {(left + x, y) for y, span in enumerate(lines, top - 1) for x in span}
        assert not taken & here
        taken |= here
    assert all(0 <= x < found.width and 0 <= y < found.height for x, y in taken)
    assert found.width <= max(columns, geometry.width)


@pytest.mark.parametrize("zoom", Zoom)
@pytest.mark.parametrize("view", View)
def test_lines_of_links_go_from_cell_to_cell_and_to_the_sides(zoom: Zoom, view: View) -> None:
    board = Board(5, 4)
    geometry = BoardGeometry(board, zoom, view)
    for color in Color:
        for start, end in ((0, 7), (3, 16), (9, board.cells), (9, board.cells + 1)):
            drawn = geometry.drawn_links([(start, end)], color)
            ends = [node for node in (start, end) if node < board.cells]
            for x, y in map(geometry.centre, ends):
                assert {x, x + 1} & drawn[y].keys()
            if end >= board.cells:
                xs, ys = geometry.extents[board.cells + edges_of(color)[end - board.cells]]
                assert any(y in ys and drawn[y].keys() & set(xs) for y in drawn)
        assert geometry.drawn_links([(board.cells, board.cells + 1)], color)
