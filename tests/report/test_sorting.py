"""`sorting.js`: cells of a table in the order of what they say."""

import pytest
from page_scripts import needs_node, run_scripts

pytestmark = needs_node


@pytest.mark.parametrize(
    "cells",
    [
        ["9", "200", "1,228", "32,561"],
        ["", "<1 %", "1 %", "9 %", "66 %", "99 %", ">99 %", "100 %"],
        ["± 0.25", "± 0.5", "± 3", "± 12", "± 1e+20"],
        ["-5", "-0.064", "0", "+0.31", "+12"],
        ["a10", "b2", "b10"],
    ],
)
def test_numbers_are_sorted_by_size_and_words_as_words(cells):
    program = "return data.sort(inOrder)"
    assert run_scripts(["sorting.js"], program, cells[::-1]) == cells
    assert run_scripts(["sorting.js"], program, [*cells[1:], cells[0]]) == cells
